#include "transport/ring_lane.hpp"

#include <new>

#include "base/cpus.hpp"

namespace loadstone::transport {

std::optional<std::uint64_t> ring_lane::make_for(std::uint32_t index) {
  peer& p = peers_.met(index);
  if (p.ring_from != nullptr || p.wants_no_ring || index == memory_.self() || rings_.size() >= most_made_)
    return std::nullopt;
  auto got = memory_.arena().allocate(sizeof(slot_ring), isolation);
  if (!got) {
    most_made_ = 0;  // asking costs more than it gains
    return std::nullopt;
  }
  auto* ring = new (*got) slot_ring{};
  rings_.push_back(std::make_unique<ring_receiver>(index, ring, base::slow_to_take_shared_lines()));
  p.ring_from = rings_.back().get();
  return local_address::of(memory_.arena().address_of(ring)).bits;
}

void ring_lane::withdraw(std::uint32_t index) {
  ring_receiver* in = peers_.met(index).ring_from;
  peers_.met(index).ring_from = nullptr;
  memory_.arena().release(in->ring());
  std::erase_if(rings_, [&](const auto& s) { return s.get() == in; });
}

void ring_lane::accept(std::uint32_t index, local_address where) {
  peer* p = peers_.reach(index);
  auto got = memory_.reach(where.in(index));
  if (!got) return;  // it reads a ring that nobody writes
  auto out = std::make_unique<ring_sender>(reinterpret_cast<slot_ring*>(got->at), std::move(got->pin));
  // Its mapping stays pinned, as those of lines.
  if (p == nullptr ||
      accepted_ >= std::min<std::size_t>(most_accepted_, memory_.mappings().max_entries() / 8))
    return out->refuse();
  ++accepted_;
  p->ring = std::move(out);
}

void ring_lane::drop(ring_receiver& in) {
  peers_.met(in.source()).wants_no_ring = true;
  withdraw(in.source());
}

}  // namespace loadstone::transport
