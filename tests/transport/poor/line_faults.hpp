// For tests: what a region shared by hosts may do to single lines of what crosses it. A line that
// is stored may be lost, or its last words, or an old one may come once more (delayed_stores.hpp);
// a line that is loaded may bring what the reader had there before. Deterministic for a seed.
//
// Only what crosses from one process to another is touched: a process and its own memory are on one
// host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#include "transport/poor/words.hpp"

namespace loadstone::transport {

inline constexpr std::size_t line_bytes = 64;

class line_faults {
 public:
  // How many of a million lines are hit; 0: none.
  line_faults(std::uint32_t per_million, std::uint64_t seed) : per_million_(per_million), random_(seed) {}

  bool exist() const { return per_million_ != 0; }
  // Is this one hit?
  bool strike() { return per_million_ != 0 && random_() % 1'000'000 < per_million_; }
  std::uint64_t number() { return random_(); }
  // Of `bytes` bytes of a line, how many arrive: the first ones; of most lines that are hit, none.
  std::size_t arriving(std::size_t bytes) {
    if (!strike()) return bytes;
    return number() % 4 == 0 ? number() % (bytes / 8 + 1) * 8 : 0;
  }

  // Calls f(offset, bytes) for each line's part of `bytes` bytes that begin at address `at` of
  // their region.
  template <class F>
  static void each_line(std::uint64_t at, std::size_t bytes, F&& f) {
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t n = std::min<std::size_t>(line_bytes - (at + done) % line_bytes, bytes - done);
      f(done, n);
      done += n;
    }
  }

  // A copy out of a peer's memory: the lines that are hit stay as they were at `to`.
  void load(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (per_million_ == 0) return load_words(to, from, bytes);
    each_line(reinterpret_cast<std::uintptr_t>(from), bytes, [&](std::size_t offset, std::size_t n) {
      load_words(to + offset, from + offset, arriving(n));
    });
  }

 private:
  const std::uint32_t per_million_;
  std::mt19937_64 random_;
};

}  // namespace loadstone::transport
