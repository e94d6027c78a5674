// A cell: a buffer in the sender's arena for payload that does not fit a slot. The sender fills it,
// the receiver reads it in place (or keeps it) and gives it back by a store into its header.
//
//   0 state | 4 capacity | 8 filled | 64 payload[capacity]
//
// An *overlapped* message is published when its first part is in the cell; the sender goes on
// filling while the receiver copies out (models/overlap.pml). The receiver may give the cell back
// at any time: only its sender, who has finished by then, takes it again. Of a cell that is passed
// to and fro with whole payloads (passed_cells.hpp) nobody touches the header's line.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace loadstone::transport {

enum cell_state : std::uint32_t {
  cell_free = 0,
  cell_sent = 1,    // the receiver has it, or will
  cell_wanted = 2,  // the same, and the sender shall be woken when it comes back
};

struct cell_header {
  std::atomic<std::uint32_t> state;  // W: sender free→sent→wanted, receiver →free (sync: cell-return)
  std::uint32_t capacity;
  // Of an overlapped message: bytes of the payload that are there, or unreadable. W: sender.
  std::atomic<std::uint32_t> filled;  // (sync: cell-filled)
  std::byte fill_[52];
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(offsetof(cell_header, filled) == 8 && sizeof(cell_header) == 64);

// Payload shorter than this is copied in less time than the hand-over of another line takes.
inline constexpr std::size_t least_overlapped = 4096;
// What a cell that is passed holds: one of these, by the length of the payload before and of the
// next one, as both ends have it.
inline constexpr std::size_t usual_cell = 64 * 1024, largest_cell = 256 * 1024;

// As bytes that are there: there will be no more, for the sender's program has no such memory. More
// than any payload has, so that nobody waits for the rest.
inline constexpr std::uint32_t unreadable = 0xffffffff;

}  // namespace loadstone::transport
