#include "launch/binding.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "base/cpus.hpp"

namespace loadstone::launch {

namespace {

// A socket that stands for the core, or -1 if another job has it. Descriptors may be scarce: that
// is no reason not to run.
int claim_core(int processor, bool* taken) {
  *taken = false;
  int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (held < 0) return -1;
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::string text = fmt::format("loadstone-core-{}", processor);
  std::memcpy(name.sun_path + 1, text.data(), text.size());  // a leading zero: no file
  auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  if (bind(held, reinterpret_cast<sockaddr*>(&name), bytes) == 0) return held;
  close(held);
  *taken = true;
  return -1;
}

// The first processors of the cores that ranks and I/O processes lie on: what is claimed.
std::vector<int> claims_of(const placement& chosen, const std::vector<core>& cores) {
  std::vector<int> wanted;
  std::vector<processors> places = chosen.places;
  places.insert(places.end(), chosen.servers.begin(), chosen.servers.end());
  for (const core& c : cores) {
    const bool used = std::any_of(places.begin(), places.end(), [&](const processors& place) {
      return std::any_of(c.threads.begin(), c.threads.end(),
                         [&](int p) { return std::binary_search(place.begin(), place.end(), p); });
    });
    if (used) wanted.push_back(c.threads.front());
  }
  return wanted;
}

// Holds the cores of `wanted` and no others. Those that another job has are appended to `taken`.
void hold(std::map<int, int>& held, const std::vector<int>& wanted, std::vector<int>& taken) {
  std::erase_if(held, [&](const auto& one) {
    if (std::find(wanted.begin(), wanted.end(), one.first) != wanted.end()) return false;
    close(one.second);
    return true;
  });
  for (const int processor : wanted) {
    if (held.contains(processor)) continue;
    bool has_other = false;
    const int socket = claim_core(processor, &has_other);
    if (socket >= 0) held.emplace(processor, socket);
    if (has_other) taken.push_back(processor);
  }
}

}  // namespace

binding::~binding() {
  for (const auto& [processor, socket] : held_) close(socket);
}

binding choose_binding(const std::vector<demand>& ranks, const placement_wish& wish, std::uint32_t servers) {
  // A container may own a part of the processors that it sees; bound ranks would then wait for
  // their slice on one of them.
  const std::uint32_t usable = base::usable_cpus();
  const std::uint32_t count = std::accumulate(ranks.begin(), ranks.end(), 0u,
                                              [](std::uint32_t n, const demand& d) { return n + d.ranks; });
  const bool asked =
      (wish.bind != machine_part::automatic && wish.bind != machine_part::none) || wish.cores != 0;
  // Reading the machine takes time, and is of no use to ranks that no core is chosen for.
  if (!asked && count > usable) return binding(unbound(count, usable, servers));
  const bool groups = servers != 0 || wish.bind >= machine_part::l3cache || wish.map >= machine_part::l3cache;
  const std::vector<core> all = read_cores(nullptr, groups);
  std::vector<core> free = all;
  std::map<int, int> held;
  // Chosen among what is free; if another job has some of it, once more among the rest.
  for (std::vector<int> taken; !free.empty(); taken.clear()) {
    binding chosen(place(free, ranks, wish, usable, servers));
    if (chosen.places.empty() || !chosen.note.empty()) break;
    hold(held, claims_of(chosen, all), taken);
    if (taken.empty()) {
      chosen.held_ = std::move(held);
      return chosen;
    }
    std::erase_if(free, [&](const core& c) {
      return std::find(taken.begin(), taken.end(), c.threads.front()) != taken.end();
    });
  }
  const bool others = free.size() != all.size();
  placement_wish rest = wish;
  if (others && !asked) rest.bind = machine_part::none;
  binding chosen(place(all, ranks, rest, usable, servers));
  chosen.crowded = chosen.crowded || (others && !asked);
  if (others && !asked) chosen.served = 0;
  std::vector<int> taken;
  hold(held, claims_of(chosen, all), taken);
  chosen.held_ = std::move(held);
  if (others && asked && chosen.note.empty())  // asked for: share, and say so
    chosen.note = "other jobs use some of the cores that these ranks are bound to";
  return chosen;
}

void bind_here(const processors& place) {
  int most = *std::max_element(place.begin(), place.end()) + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) return;
  std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (int p : place) CPU_SET_S(p, bytes, set);
  sched_setaffinity(0, bytes, set);  // a rank that cannot be bound still runs
  CPU_FREE(set);
}

}  // namespace loadstone::launch
