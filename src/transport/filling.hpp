// A payload on its way into memory that its receiver reads: a first part, or all of it, before the
// message is published, and the rest behind that, which the receiver follows by the word `filled`.
// That memory is a cell (bounce.hpp) or the buffer of a pair (pair_buffer.hpp).
#pragma once

#include <algorithm>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "transport/cell_layout.hpp"
#include "transport/outgoing.hpp"

namespace loadstone::transport {

struct filling {
  std::byte* at = nullptr;  // null: there is no such memory
  std::atomic<std::uint32_t>* filled = nullptr;
  cell_header* cell = nullptr;  // null: it is the buffer of a pair
  std::uint64_t name = 0;       // of the cell, as the message says it,
  std::uint8_t passed = 0;      // and whether it is the reader's then: flags of the slot
  std::size_t there = 0;
  copy::store_way way = copy::store_way::through;
  bool timed = false;  // by whoever chooses ways
  explicit operator bool() const { return at != nullptr; }

  void fill(const outgoing& m, bool overlapped) {
    there = overlapped ? copy::part_of(m.payload_bytes) : m.payload_bytes;
    if (!copied(m, [&] { m.put_part(0, at, there, way); })) there = unreadable;
  }
  // What the message says of a cell.
  std::uint8_t flags(const outgoing& m) const {
    return static_cast<std::uint8_t>(passed | (there != m.payload_bytes ? slot_overlapped : 0));
  }
  void finish(const outgoing& m) {
    if (there >= m.payload_bytes) return;
    LOADSTONE_FAULT_POINT("payload.begun");
    const std::size_t part = copy::part_of(m.payload_bytes);
    const bool all = copied(m, [&] {
      while (there < m.payload_bytes) {
        const std::size_t bytes = std::min(part, m.payload_bytes - there);
        m.put_part(there, at + there, bytes, way);
        there += bytes;
        // sync: cell-filled, pair-line
        filled->store(static_cast<std::uint32_t>(there), std::memory_order_release);
      }
    });
    // relaxed: it publishes nothing
    if (!all) filled->store(unreadable, std::memory_order_relaxed);
  }

 private:
  template <class Copy>
  static bool copied(const outgoing& m, Copy&& copy) {
    if (m.checked) return base::guarded(copy);
    copy();
    return true;
  }
};

}  // namespace loadstone::transport
