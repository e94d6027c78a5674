#include "wait/first_look.hpp"

namespace loadstone::wait {

bool first_look::second_is_better() const {
  // Of too few waits nothing is known.
  return waits_[0] >= trial / 8 && waits_[1] >= trial / 8 &&
         sum_[1] * waits_[0] < (sum_[0] - sum_[0] / least_gain) * waits_[1];
}

// A trial is over, or the rest.
void first_look::turn() {
  if (trying_) {
    used_ = numbers_[second_is_better() ? 1 : 0];
    trying_ = false;
    // At first, all numbers in a row.
    left_ = rest;
    if (trials_ > most) return;
  }
  if (learns_) begin_trial();
}

void first_look::begin_trial() {
  ++trials_;
  if (used_ != usual && trials_ % 2 == 0) {  // is it still better than the usual one?
    numbers_[0] = usual;
    numbers_[1] = used_;
  } else {  // is another one better, whichever?
    numbers_[0] = used_;
    numbers_[1] = trials_ * 5 % (most + 1);
  }
  sum_[0] = sum_[1] = 0;
  waits_[0] = waits_[1] = 0;
  trying_ = true;
  left_ = trial;
}

}  // namespace loadstone::wait
