// What something costs, as it is seen while running: a rule for all that is learnt of copies, and
// one for files.
//
// Of copies (learned): a first figure is taken as it is. Cheaper ones are believed at once, for no
// accident makes a copy quicker. Dearer ones count for a quarter, and as at most twice what is
// known: who copies may have lost its core in the midst of it, or have touched fresh memory. So one
// sample adds a quarter at most, and a cost that has really risen tenfold is known after ten.
//
// Of files (learned_mean): what makes a write dear is no accident, but a device that is waited for,
// or pages that have to be made writable again. So the mean counts: of the last samples, a quarter
// for the latest.
//
// (What a sleep costs is learnt the other way round, for it has to be enough and not typical:
// wait/sleep_cost.hpp.)
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::base {

class learned {
 public:
  // 0: not known.
  double value() const { return value_; }
  bool known() const { return value_ != 0; }
  void saw(double sample) {
    if (value_ == 0 || sample < value_)
      value_ = sample;
    else
      value_ += (std::min(sample, 2 * value_) - value_) / 4;
  }

 private:
  double value_ = 0;
};

class learned_mean {
 public:
  // 0: not known.
  double value() const { return value_; }
  bool known() const { return value_ != 0; }
  void saw(double sample) { value_ = known() ? value_ + (sample - value_) / 4 : sample; }

 private:
  double value_ = 0;
};

inline double per_byte(std::uint64_t ns, std::uint64_t bytes) {
  return static_cast<double>(ns) / static_cast<double>(bytes);
}

}  // namespace loadstone::base
