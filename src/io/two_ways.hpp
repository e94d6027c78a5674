// How members of a collective write had better go where the pages of the file are in memory: store
// into them, or through windows? Stores need one copy less, and all members store at a time, while
// the system lets one process at a time write to a file. But where pages have been written back
// each has to be made writable again, which in small ones takes longer than all the rest
// (bench/bare_interleaved.c: 2 to 8 times as quick as by calls, and 0.5 to 1.8 behind fsync).
// The same for pieces about as long as pages that one process writes: store, or a call for each?
// (1 MiB in pieces of 4 KiB, tmpfs, µs: stored 17, if the pages are to be mapped 531, calls 130.)
//
// Both are measured: each twice by turns at first, later the slower one once in 32 times.
#pragma once

#include <cstdint>

#include "base/learned.hpp"

namespace loadstone::io {

class two_ways {
 public:
  // Which way next? Stores first.
  bool stores() const {
    if (turns_ < 4) return turns_ % 2 == 0;
    const bool quicker = cost_[1].value() <= cost_[0].value();
    return turns_ % again == 0 ? !quicker : quicker;
  }
  void note(bool stored, std::int64_t bytes, std::uint64_t took) {
    base::learned_mean& cost = cost_[stored ? 1 : 0];
    if (turns_ < 4) cost = {};  // the first time mappings and windows are made
    cost.saw(base::per_byte(took, static_cast<std::uint64_t>(bytes)));
    ++turns_;
  }

  static constexpr std::uint32_t again = 32;

 private:
  base::learned_mean cost_[2];  // ns a byte: the other way, stored
  std::uint32_t turns_ = 0;
};

}  // namespace loadstone::io
