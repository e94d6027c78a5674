#include "wait/backoff.hpp"

#include <sched.h>

#include <algorithm>

namespace loadstone::wait {

advice backoff::next_slow() {
  if (policy_.how == mode::block) return advice::sleep;
  if (policy_.yields != 0) return next_in_a_crowd();
  if (looks_ == policy_.free_looks + 1) since_ = clock_();
  // The clock costs as much as a look: ask it every eighth time only.
  if ((looks_ & 7) != 0) return advice::look_again;
  const std::uint64_t spent = clock_() - since_;
  if (spent < policy_.spin_ns || policy_.how == mode::spin) return advice::look_again;
  return spent < look_ns_ ? advice::yield : advice::sleep;
}

// More processes than cores: let them run.
advice backoff::next_in_a_crowd() {
  if (policy_.how == mode::spin) return advice::yield;
  if (looks_ == policy_.free_looks + 1) patient_ = together_ != 0 || ++hasty_ % 8 == 0;
  if (patient_ && looks_ <= policy_.patient_looks) return advice::look_again;
  if (no_yields_for_ != 0) return looks_ < looks_without_yield ? advice::look_again : advice::sleep;
  if (yields_ == policy_.yields) return advice::sleep;
  ++yields_;
  return advice::yield;
}

void backoff::yield() {
  std::uint64_t before = clock_();
  sched_yield();
  if (clock_() - before <= policy::slow_yield_ns) return;
  no_yields_for_ = without_yield_;
  without_yield_ = std::min(2 * without_yield_, policy::most_without_yield);
  look_ns_ = usual_ns_ = 0;
}

// A wait that went beyond the first looks has ended.
void backoff::learn() {
  if (no_yields_for_ != 0) {
    --no_yields_for_;
    return;
  }
  if (patient_) together_ = looks_ <= policy_.patient_looks ? together_for : together_ / 2;
  // Its yields were quick, if there were any: beside a computing process that happens, too.
  without_yield_ = std::max(without_yield_ - without_yield_ / 16, policy::least_without_yield);
  if (policy_.longest_ns == 0 || policy_.how != mode::adaptive) return;
  const std::uint64_t spent = clock_() - since_;
  if (spent > policy_.longest_ns) {
    look_ns_ /= 2;
    return;
  }
  usual_ns_ = (3 * usual_ns_ + spent) / 4;
  look_ns_ = std::min<std::uint64_t>(2 * usual_ns_, policy_.longest_ns);
}

}  // namespace loadstone::wait
