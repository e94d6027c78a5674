#include "mpi/hardware.hpp"

#include <algorithm>

#include "memory/locality.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

hardware::hardware(process& p, const process_list& who) : domains_(memory::hardware_levels.size()) {
  const std::vector<memory::locality> all = memory::localities_of(*p.core().job, p.world_size());
  for (std::size_t level = 0; level < domains_.size(); ++level) {
    for (const memory::process_id& process : who) {
      const auto peer = p.runtime().peer_of(process);
      const bool known = peer.ok() && *peer < all.size() && all[*peer][level] != memory::nowhere;
      domains_[level].push_back(known ? all[*peer][level] : MPI_UNDEFINED);
    }
  }
}

int hardware::level_named(std::string_view resource) {
  constexpr std::string_view scheme = "hwloc://";
  if (resource.substr(0, scheme.size()) == scheme) resource.remove_prefix(scheme.size());
  for (std::size_t i = 0; i < memory::hardware_levels.size(); ++i) {
    if (resource == memory::hardware_levels[i]) return static_cast<int>(i);
  }
  return -1;
}

std::string_view hardware::name(int level) {
  return memory::hardware_levels[static_cast<std::size_t>(level)];
}

int hardware::dividing_level() const {
  for (std::size_t level = 0; level < domains_.size(); ++level) {
    const std::vector<int>& d = domains_[level];
    if (std::find(d.begin(), d.end(), MPI_UNDEFINED) != d.end()) continue;
    if (std::adjacent_find(d.begin(), d.end(), std::not_equal_to<>()) != d.end())
      return static_cast<int>(level);
  }
  return -1;
}

std::vector<int> hardware::domains(int level) const {
  return domains_[static_cast<std::size_t>(level)];
}

}  // namespace loadstone::mpi
