#include "transport/bounce.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/fault.hpp"

namespace loadstone::transport {

bounce_buffers::filling bounce_buffers::begin(const outgoing& m, bool whole) {
  filling f;
  const bool overlapped = m.overlap && !whole;
  f.there = overlapped ? copy::part_of(m.payload_bytes) : m.payload_bytes;
  // Only a payload in one piece is copied here, and only one that is followed is worth the choice.
  if (overlapped && m.fill == nullptr) f.plan = stores_.next();
  f.cell = cells_.take(m.payload_bytes);
  if (f.cell == nullptr) return f;
  if (cells_.fresh()) f.plan.timed = false;
  m.put_part(0, f.cell->payload(), f.there, f.plan.way);
  // Relaxed: the message that names the cell publishes it.
  f.cell->filled.store(static_cast<std::uint32_t>(f.there), std::memory_order_relaxed);
  LOADSTONE_FAULT_POINT("cell.filled");
  return f;
}

void bounce_buffers::finish(const outgoing& m, filling& f) {
  if (f.there == m.payload_bytes) return;
  LOADSTONE_FAULT_POINT("cell.begun");
  const std::size_t part = copy::part_of(m.payload_bytes), rest = m.payload_bytes - f.there;
  const std::uint64_t begin = f.plan.timed ? base::now_ns() : 0;
  while (f.there < m.payload_bytes) {
    const std::size_t bytes = std::min(part, m.payload_bytes - f.there);
    m.put_part(f.there, f.cell->payload() + f.there, bytes, f.plan.way);
    f.there += bytes;
    f.cell->filled.store(static_cast<std::uint32_t>(f.there),
                         std::memory_order_release);  // sync: cell-filled
  }
  if (f.plan.timed) stores_.took(f.plan.way, rest, base::now_ns() - begin);
}

}  // namespace loadstone::transport
