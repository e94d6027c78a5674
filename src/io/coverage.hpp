// Which bytes of a window have been given: a bit for each, in memory that several processes write.
// What is in the gaps is not ours to write.
//
// Relaxed all over: whoever looks at the bits has met everybody who sets them in a barrier.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace loadstone::io {

class coverage {
 public:
  using word = std::atomic<std::uint64_t>;
  static constexpr std::int64_t bytes_for(std::int64_t window) { return (window + 63) / 64 * 8; }
  // Of a window of so many bytes.
  coverage(word* words, std::int64_t bytes) : words_(words), bytes_(bytes) {}

  void clear() {
    for (std::int64_t i = 0; i < (bytes_ + 63) / 64; ++i) words_[i].store(0, std::memory_order_relaxed);
  }

  // Sets bits, those of one word at once: bytes are added in ascending order.
  class adding {
   public:
    explicit adding(coverage to) : words_(to.words_) {}
    ~adding() { flush(); }
    adding(const adding&) = delete;
    adding& operator=(const adding&) = delete;
    void add(std::int64_t from, std::int64_t length) {
      std::int64_t word = from / 64;
      const std::int64_t bit = from % 64;
      if (word != at_) flush(), at_ = word;
      if (bit + length <= 64) {
        bits_ |= (length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1) << bit;
        return;
      }
      bits_ |= ~std::uint64_t{0} << bit;
      flush();
      for (length -= 64 - bit, ++word; length >= 64; length -= 64)
        words_[word++].store(~std::uint64_t{0}, std::memory_order_relaxed);
      at_ = word;
      if (length > 0) bits_ = (std::uint64_t{1} << length) - 1;
    }

   private:
    void flush() {
      if (bits_ != 0) words_[at_].fetch_or(bits_, std::memory_order_relaxed);
      bits_ = 0;
    }
    word* const words_;
    std::int64_t at_ = 0;
    std::uint64_t bits_ = 0;
  };

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
      std::uint64_t bits = words_[at / 64].load(std::memory_order_relaxed);
      if (!covered) bits = ~bits;
      bits >>= at % 64;
      if (bits != 0) return std::min(at + std::countr_zero(bits), bytes_);
      at = (at / 64 + 1) * 64;
    }
    return bytes_;
  }
  word* words_;
  std::int64_t bytes_;
};

}  // namespace loadstone::io
