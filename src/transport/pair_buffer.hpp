// Memory for what does not fit a pair line (pair_line.hpp), up to 256 KiB: one buffer for both
// directions, which goes with the turn, so that an answer is written into the lines that the
// message before it was read from (docs/decisions/012). It lies in the arena of whoever needed it
// first. (What is longer lies in cells that are passed to and fro, passed_cells.hpp.)
//
// A payload begins as far behind a page's beginning as its source does, in whole cache lines: a
// load waits for a store before it that goes to the same place of another page, and source and
// destination would meet so, line after line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/mappings.hpp"
#include "transport/pair_line_layout.hpp"

namespace loadstone::transport {

class pair_buffer {
 public:
  static constexpr std::size_t page = buffer_page, most_in_front = most_in_buffer_front;
  static constexpr std::size_t capacity_for(std::size_t bytes) {
    return bytes <= first_buffer_capacity ? first_buffer_capacity : last_buffer_capacity;
  }
  // Longer payload only where the peer has written there last. Lines that it has read, and we
  // wrote, are dearer to write than those of a cell, of which it has read the lines longer ago
  // (docs/decisions/012).
  static constexpr std::size_t most_one_way = 8 * 1024;
  static std::size_t begin_like(const void* source) {
    return reinterpret_cast<std::uintptr_t>(source) % page / 64 * 64;
  }

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
  std::byte* at(std::size_t begin) const { return at_ + begin; }

 private:
  name name_;
  std::byte* at_ = nullptr;
  memory::pin pin_;  // of a peer's
};

}  // namespace loadstone::transport
