// A ring of a sender's for payload that goes by turns (pair_line.hpp) and is too long for the room behind a line. One for
// all lines of a process: a piece belongs to its message until the turn there comes back, and what lies in the way when
// the ring has been gone round is passed over.
//
// Pieces follow one another, so that lines that the last receivers have read come to the level of cache that both share
// before they are written again: as with cells (docs/decisions/005) a ring in steady use is longer than the inner caches of
// both. A piece begins as far behind a page's beginning as its source does, in whole cache lines: a load waits for a store
// before it that goes to the same place of another page, and source and destination would meet so, line after line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "memory/arena.hpp"

namespace loadstone::transport {

class room_ring {
 public:
  static constexpr std::size_t page = 4096, usual_bytes = 2u << 20, least_bytes = 128 * 1024;

  // Memory is taken with the first piece. Below `least_bytes` there is none.
  room_ring(memory::arena& arena, std::size_t bytes)
      : arena_(arena), bytes_(bytes / page * page), length_(std::min(bytes_, least_bytes)) {}

  struct piece {
    std::uint32_t begin = 0, end = 0;  // bytes from the ring's beginning; nothing: end is 0
    explicit operator bool() const { return end != 0; }
  };
  // Room for so many bytes (at most least_bytes / 2), which lie at `source`. lent(f) calls f(piece) with each that has not come
  // back. Nothing: there is no memory, or too much is lent.
  template <class Lent>
  piece take(const void* source, std::size_t bytes, Lent&& lent) {
    if (base_ == nullptr && !make()) [[unlikely]]
      return {};
    const std::size_t like = reinterpret_cast<std::uintptr_t>(source) % page / 64 * 64;
    std::size_t begin = at(like, next_);
    if (begin + bytes > length_) {
      go_round();
      begin = at(like, 0);
    }
    while (begin + bytes > clear_until_) {
      piece first{};  // of those that reach behind `begin`
      lent([&](const piece& p) {
        if (p.end > begin && (!first || p.begin < first.begin)) first = p;
      });
      clear_until_ = first ? first.begin : length_;
      if (begin + bytes <= clear_until_) break;
      begin = at(like, first ? first.end : length_);
      if (begin + bytes > length_) {
        next_ = length_;  // the next one begins anew
        return {};
      }
    }
    next_ = begin + bytes;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + bytes)};
  }
  std::byte* pointer(const piece& p) const { return base_ + p.begin; }
  memory::address address(const piece& p) const {
    memory::address there = where_;
    there.offset += p.begin;
    return there;
  }

 private:
  static constexpr std::uint32_t turns = 4;  // before it is worth being long

  // From `from` on, as far behind a page's beginning as `like`.
  static std::size_t at(std::size_t like, std::size_t from) {
    const std::size_t there = from / page * page + like;
    return there < from ? there + page : there;
  }
  void go_round() {
    if (++rounds_ == turns) length_ = bytes_;
    clear_until_ = 0;
  }
  bool make();

  memory::arena& arena_;
  const std::size_t bytes_;
  std::size_t length_;  // in use
  std::byte* base_ = nullptr;
  memory::address where_{};
  bool refused_ = false;
  std::size_t next_ = 0, clear_until_ = 0;  // from next_ to there nothing is lent
  std::uint32_t rounds_ = 0;
};

}  // namespace loadstone::transport
