#include "transport/bounce.hpp"

#include "base/clock.hpp"

namespace loadstone::transport {

void bounce_buffers::take(std::uint32_t peer, const outgoing& m, bool followed, filling& f) {
  if (auto got = passed_.take(peer, m.payload_bytes); got.at != nullptr) {
    f.cell = got.at;
    f.name = got.known_as.where;
    f.passed = slot_passed | (got.known_as.made_here ? 0 : slot_came_back);
    f.way = copy::store_way::by_turns;
    filled_ = std::move(got.pin);
    return;
  }
  f.cell = cells_.take(m.payload_bytes);
  if (f.cell == nullptr) return;
  f.name = local_address::of(arena_.address_of(f.cell)).bits;
  // Only a payload in one piece is copied here, and only one that is followed is worth the choice.
  if (!followed || m.fill != nullptr) return;
  const auto plan = stores_.next();
  f.way = plan.way;
  f.timed = plan.timed && !cells_.fresh();
}

void bounce_buffers::drop(std::uint32_t peer, filling& f) {
  if (f.passed == 0)
    give_back(*f.cell);
  else
    passed_.keep(peer, f.cell->capacity, {f.name, 0, (f.passed & slot_came_back) == 0});
}

filling bounce_buffers::begin(std::uint32_t peer, const outgoing& m, bool parts) {
  filling f;
  const bool overlapped = m.overlap && parts;
  take(peer, m, overlapped, f);
  if (f.cell == nullptr) return f;
  f.at = f.cell->payload();
  f.filled = &f.cell->filled;
  f.fill(m, overlapped);
  // Relaxed: the message that names the cell publishes it.
  if (f.there != m.payload_bytes)
    f.filled->store(static_cast<std::uint32_t>(f.there), std::memory_order_relaxed);
  LOADSTONE_FAULT_POINT("cell.filled");
  return f;
}

void bounce_buffers::finish(const outgoing& m, filling& f) {
  if (!f.timed || f.there >= m.payload_bytes) return f.finish(m);
  const std::uint64_t begin = base::now_ns();
  const std::size_t rest = m.payload_bytes - f.there;
  f.finish(m);
  stores_.took(f.way, rest, base::now_ns() - begin);
}

}  // namespace loadstone::transport
