// Memory for what does not fit a pair line (pair_line.hpp), up to 256 KiB: one buffer for both
// directions, which goes with the turn, so that an answer is written into the lines that the
// message before it was read from (docs/decisions/012). It lies in the arena of whoever needed it
// first. (What is longer lies in cells that are passed to and fro, passed_cells.hpp.)
//
// Every payload begins at the same place, whatever its source, so that both directions meet in the
// same lines. A line before the middle of a page, where few buffers of programs begin: a string
// instruction takes a sixth longer into memory that lies up to 31 bytes further behind its page
// than the source, and long buffers from malloc lie 16 bytes behind one. Also, a load waits for a
// store before it that goes to the same place of another page.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/mappings.hpp"
#include "transport/pair_line_layout.hpp"

namespace loadstone::transport {

class pair_buffer {
 public:
  static constexpr std::size_t page = buffer_page, begin = buffer_begin;
  static constexpr std::size_t capacity_for(std::size_t bytes) {
    return bytes <= first_buffer_capacity ? first_buffer_capacity : last_buffer_capacity;
  }
  // Longer payload only of messages that take turns, one after the other;
  static constexpr std::size_t most_at_any_turn = 2 * 1024;
  // and still longer only where the peer has written there last. Lines that it has read, and we
  // wrote, are dearer to write than those of a cell, of which it has read the lines longer ago
  // (docs/decisions/012).
  static constexpr std::size_t most_one_way = 8 * 1024;

  // What a message says of it.
  struct name {
    std::uint64_t where = 0;  // local_address; 0: there is none
    std::uint32_t capacity = 0;
    bool owned = false;  // by who names it
    bool operator==(const name&) const = default;
  };

  pair_buffer() = default;
  pair_buffer(const name& ours, std::byte* at, memory::pin pin)
      : name_(ours), at_(at), pin_(std::move(pin)) {}

  const name& known_as() const { return name_; }
  bool holds(std::size_t bytes) const { return bytes <= name_.capacity; }
  std::byte* memory() const { return at_; }
  std::byte* payload() const { return at_ == nullptr ? nullptr : at_ + begin; }

 private:
  name name_;
  std::byte* at_ = nullptr;
  memory::pin pin_;  // of a peer's
};

}  // namespace loadstone::transport
