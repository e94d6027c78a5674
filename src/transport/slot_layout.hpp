// One active message as it lies in an inbox, in a ring, or in a sender's own queue: two cache
// lines, of which a short message dirties, and moves, only the first.
//
//   0 identity | 8 source | 12 sequence | 16 handler | 17 kind | 18 header bytes | 19 flags |
//   20 payload bytes | 24 cell | 32 data: header, then payload unless it is in a cell | 128 end
//
// W: the sender, before it publishes by storing `identity` with release; read-only from then on,
// but that a receiver may clear `identity` when it is done with the slot (inbox.hpp, `marks`).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::transport {

using memory::isolation;

inline constexpr std::size_t slot_bytes = 128;
inline constexpr std::size_t slot_data_bytes = 96;
// flags
inline constexpr std::uint8_t slot_in_cell = 1;     // the payload lies in a cell of the sender
inline constexpr std::uint8_t slot_overlapped = 2;  // and is still being written (filling.hpp)
inline constexpr std::uint8_t slot_in_buffer = 4;   // of a message read from a pair line: in their buffer
inline constexpr std::uint8_t slot_passed = 8;  // the cell is the reader's from now on (passed_cells.hpp),
inline constexpr std::uint8_t slot_came_back = 16;  // and lies in its arena, not in the sender's

struct slot {
  std::atomic<std::uint64_t> identity;  // what makes it published; see inbox.hpp, queue_layout.hpp
  std::uint32_t source;                 // process
  std::uint32_t sequence;  // number in the sequence of (source, destination, kind); asserted by the receiver
  std::uint8_t handler;
  std::uint8_t kind;  // traffic class
  std::uint8_t header_bytes;
  std::uint8_t flags;
  std::uint32_t payload_bytes;
  std::uint64_t cell;  // local_address in the source's arena, or ours, if flags say so
  std::byte data[slot_data_bytes];
};
static_assert(offsetof(slot, source) == 8 && offsetof(slot, sequence) == 12 && offsetof(slot, handler) == 16);
static_assert(offsetof(slot, flags) == 19 && offsetof(slot, payload_bytes) == 20 &&
              offsetof(slot, cell) == 24);
static_assert(offsetof(slot, data) == 32);
static_assert(sizeof(slot) == slot_bytes);

// Traffic classes: control (one-sided and collective traffic too) cannot be blocked by user
// messages.
inline constexpr std::uint32_t classes = 2;
inline constexpr std::uint8_t control_class = 0, user_class = 1;

}  // namespace loadstone::transport
