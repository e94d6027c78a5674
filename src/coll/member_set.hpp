// Members of a communicator that has areas, a bit each. It may lie in shared memory.
#pragma once

#include <bit>
#include <cstdint>

#include "model/collectives.hpp"

namespace loadstone::coll {

class member_set {
 public:
  static constexpr std::int32_t most = model::most_with_areas;

  constexpr member_set() = default;
  static constexpr member_set of(std::int32_t member) {
    member_set s;
    s.add(member);
    return s;
  }
  static constexpr member_set all() {
    member_set s;
    for (std::uint64_t& w : s.words_) w = ~std::uint64_t{0};
    return s;
  }
  // All of a communicator of that size, and all but one.
  static constexpr member_set below(std::int32_t size) {
    member_set s;
    for (std::int32_t m = 0; m < size; ++m) s.add(m);
    return s;
  }
  static constexpr member_set others(std::int32_t size, std::int32_t than) {
    return below(size).without(than);
  }

  constexpr bool has(std::int32_t m) const { return (words_[m / 64] >> m % 64 & 1) != 0; }
  constexpr void add(std::int32_t m) { words_[m / 64] |= std::uint64_t{1} << m % 64; }
  constexpr member_set without(std::int32_t m) const {
    member_set s = *this;
    s.words_[m / 64] &= ~(std::uint64_t{1} << m % 64);
    return s;
  }
  constexpr bool empty() const { return count() == 0; }
  constexpr std::int32_t count() const {
    std::int32_t n = 0;
    for (const std::uint64_t w : words_) n += std::popcount(w);
    return n;
  }
  // In their order; `visit` returns false to stop. True: it has seen all.
  template <class Visit>
  constexpr bool each(Visit&& visit) const {
    for (std::int32_t i = 0; i < words; ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        if (!visit(64 * i + std::countr_zero(left))) return false;
    return true;
  }
  friend constexpr member_set operator|(member_set a, const member_set& b) {
    for (std::int32_t i = 0; i < words; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend constexpr bool operator==(const member_set&, const member_set&) = default;

 private:
  static constexpr std::int32_t words = most / 64;
  static_assert(words * 64 == most);
  std::uint64_t words_[words] = {};
};
static_assert(sizeof(member_set) == 16);

}  // namespace loadstone::coll
