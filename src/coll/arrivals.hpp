// Who has come to an operation that is counted (area_layout.hpp), in a word that all change: a bit
// for each member, or, where there are too many of them, how many. And what that says to one that
// shares its core with others: to give it to them is of no use once they have come.
#pragma once

#include <bit>
#include <cstdint>

namespace loadstone::coll {

class arrivals {
 public:
  static constexpr std::int32_t most_listed = 16;

  explicit arrivals(std::int32_t members) : members_(members) {}

  // The lowest bits of the word.
  std::uint64_t of(std::int32_t member) const { return lists() ? std::uint64_t{1} << member : 1; }
  std::int32_t count(std::uint64_t word) const {
    return lists() ? std::popcount(word & 0xffffu) : static_cast<std::int32_t>(word & 0xffffu);
  }
  // Has it come? Where they are not listed, who could have is taken to have.
  bool may_have(std::uint64_t word, std::int32_t member) const {
    return !lists() || (word & of(member)) != 0;
  }
  // `shares_core(member)` is asked now and then only: few change their core.
  template <class Shares>
  bool all_on_our_core(std::uint64_t word, std::int32_t self, Shares&& shares_core) {
    if (!lists()) return false;
    if (asked_++ % hold_for == 0) {
      mates_ = 0;
      for (std::int32_t r = 0; r < members_; ++r)
        if (r != self && shares_core(r)) mates_ |= of(r);
    }
    return (word & mates_) == mates_;
  }

 private:
  static constexpr std::uint32_t hold_for = 256;  // questions
  bool lists() const { return members_ <= most_listed; }

  std::int32_t members_;
  std::uint32_t asked_ = 0;
  std::uint64_t mates_ = 0;
};

}  // namespace loadstone::coll
