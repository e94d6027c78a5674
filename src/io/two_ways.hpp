// How members of a collective write had better go where the pages of the file are in memory: store
// into them, or through windows? Stores need one copy less, and all members store at a time, while
// the system lets one process at a time write to a file. But where pages have been written back
// each has to be made writable again, which in small ones takes longer than all the rest
// (bench/bare_interleaved.c: 2 to 8 times as quick as by calls, and 0.5 to 1.8 behind fsync).
//
// Both are measured: each twice by turns at first, later the slower one once in 32 times.
#pragma once

#include <cstdint>

namespace loadstone::io {

class two_ways {
 public:
  // Which way next? Stores first.
  bool stores() const {
    const bool quicker = ns_[1] <= ns_[0];
    if (turns_ < 4) return turns_ % 2 == 0;
    return turns_ % again == 0 ? !quicker : quicker;
  }
  void note(bool stored, std::int64_t bytes, std::uint64_t took) {
    const double now = static_cast<double>(took) / static_cast<double>(bytes);
    double& ns = ns_[stored ? 1 : 0];
    // The first time mappings and windows are made.
    ns = turns_ < 4 ? now : ns + (now - ns) / 4;
    ++turns_;
  }

  static constexpr std::uint32_t again = 32;

 private:
  double ns_[2] = {0, 0};  // a byte: through windows, stored
  std::uint32_t turns_ = 0;
};

}  // namespace loadstone::io
