// Which bytes of a window have been written: a bit for each. What is in the gaps is not ours to
// write.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace loadstone::io {

class coverage {
 public:
  void clear(std::int64_t bytes) {
    bytes_ = bytes;
    words_.assign(static_cast<std::size_t>(bytes + 63) / 64, 0);
  }
  void add(std::int64_t from, std::int64_t length) {
    auto word = static_cast<std::size_t>(from / 64);
    const std::int64_t bit = from % 64;
    if (bit + length <= 64) {
      words_[word] |= (length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1) << bit;
      return;
    }
    words_[word++] |= ~std::uint64_t{0} << bit;
    length -= 64 - bit;
    for (; length >= 64; length -= 64) words_[word++] = ~std::uint64_t{0};
    if (length > 0) words_[word] |= (std::uint64_t{1} << length) - 1;
  }
  // Calls each(from, length) for what is covered without a gap, in order, until it returns false.
  template <class Each>
  void runs(Each&& each) const {
    for (std::int64_t at = next(0, true); at < bytes_;) {
      const std::int64_t end = next(at, false);
      if (!each(at, end - at)) return;
      at = next(end, true);
    }
  }

 private:
  // The first byte from `at` on that is covered, or is not; bytes_: none.
  std::int64_t next(std::int64_t at, bool covered) const {
    while (at < bytes_) {
      std::uint64_t word = words_[static_cast<std::size_t>(at / 64)];
      if (!covered) word = ~word;
      word >>= at % 64;
      if (word != 0) return std::min(at + std::countr_zero(word), bytes_);
      at = (at / 64 + 1) * 64;
    }
    return bytes_;
  }
  std::int64_t bytes_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace loadstone::io
