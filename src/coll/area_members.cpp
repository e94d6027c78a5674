#include "coll/area_members.hpp"

#include "base/fault.hpp"

namespace loadstone::coll {

area_members::area_members(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
                           std::size_t most_bytes)
    : memory_(memory),
      processes_(processes.begin(), processes.end()),
      members_(processes.size()),
      rank_(rank),
      most_bytes_(most_bytes),
      crowded_(memory.crowded(processes.size())),
      serial_(memory.next_serial()),
      own_(memory.allocate(most_bytes, static_cast<std::uint32_t>(processes.size()))) {}

area_introduction area_members::introduce() {
  if (own_ == nullptr) return {{}, 0};
  return {memory_.address_of(own_), 1};
}

bool area_members::meet(std::span<const area_introduction> all) {
  for (const area_introduction& a : all)
    if (a.there == 0) return false;
  for (std::int32_t r = 0; r < size(); ++r) {
    member& m = members_[static_cast<std::size_t>(r)];
    if (r == rank_) {
      m.at = own_;
      continue;
    }
    const memory::address where = all[static_cast<std::size_t>(r)].where;
    m.pin = memory_.endpoint().map(where.region);
    if (!m.pin) return false;
    m.at = reinterpret_cast<area*>(m.pin.at(where.offset));
    // Of a persistent collective areas are made for its data: those of members that have other
    // counts, an error of the program, lie elsewhere.
    if (m.at->magic != area_magic || m.at->most_bytes != most_bytes_) return false;
  }
  LOADSTONE_FAULT_POINT("coll.met");
  return true;
}

void area_members::decide(bool shared, bool buffers) {
  state_ = shared ? state::shared : state::refused;
  buffers_ = shared && buffers;
  if (shared) return;
  for (member& m : members_) m = {};
  if (own_ != nullptr) memory_.release(own_);
  own_ = nullptr;
}

}  // namespace loadstone::coll
