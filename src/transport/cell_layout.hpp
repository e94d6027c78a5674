// A cell: a buffer in the sender's arena for payload that does not fit a slot. The sender fills it, the
// receiver reads it in place (or keeps it) and gives it back by a store into its header.
//
//   0 state | 4 capacity | 64 payload[capacity]
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
  std::byte fill_[56];
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(cell_header) == 64);

}  // namespace loadstone::transport
