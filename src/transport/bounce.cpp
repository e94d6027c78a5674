#include "transport/bounce.hpp"

#include "base/clock.hpp"

namespace loadstone::transport {

filling bounce_buffers::begin(const outgoing& m, bool whole) {
  filling f;
  const bool overlapped = m.overlap && !whole;
  // Only a payload in one piece is copied here, and only one that is followed is worth the choice.
  if (overlapped && m.fill == nullptr) {
    const auto plan = stores_.next();
    f.way = plan.way;
    f.timed = plan.timed;
  }
  f.cell = cells_.take(m.payload_bytes);
  if (f.cell == nullptr) return f;
  if (cells_.fresh()) f.timed = false;
  f.at = f.cell->payload();
  f.filled = &f.cell->filled;
  f.begin(m, overlapped);
  // Relaxed: the message that names the cell publishes it.
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
