// Memory for what does not fit a pair line (pair_line.hpp), up to 256 KiB: one buffer for both
// directions, which goes with the turn, so that an answer is written into the lines that the
// message before it was read from (docs/decisions/012). It lies in the arena of whoever needed it
// first. Every payload begins at the same place, so that both directions meet in the same lines: a
// line before the middle of a page, where few buffers of programs begin, for copies between like
// places of two pages are slower.
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
  // Longer payload only of messages that take turns, one after the other; and still longer only
  // where the peer has written there last: else its lines are dearer to write than those of a cell.
  static constexpr std::size_t most_at_any_turn = 2 * 1024;
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
