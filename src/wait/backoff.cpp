#include "wait/backoff.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

namespace loadstone::wait {

std::uint64_t backoff::monotonic() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

advice backoff::next_slow() {
  if (policy_.how == mode::block) return advice::sleep;
  if (looks_ == free_looks + 1) since_ = clock_();
  // The clock costs as much as a look: ask it every eighth time only.
  if ((looks_ & 7) != 0) return advice::look_again;
  const std::uint64_t spent = clock_() - since_;
  if (spent < policy_.spin_ns) return advice::look_again;
  if (policy_.how == mode::spin) {
    return policy_.yields != 0 ? advice::yield
                               : advice::look_again;  // more processes than cores: let them run
  }
  if (spent < look_ns_) return advice::yield;
  if (yields_ < policy_.yields && no_yields_for_ == 0) {
    ++yields_;
    looks_ -= 1;  // so that the next look in vain comes here again
    return advice::yield;
  }
  return advice::sleep;
}

void backoff::yield() {
  std::uint64_t before = clock_();
  sched_yield();
  if (clock_() - before > policy::slow_yield_ns) {
    no_yields_for_ = policy::waits_without_yield;
    look_ns_ = usual_ns_ = 0;
  }
}

// A wait that went beyond the first looks has ended.
void backoff::learn() {
  if (no_yields_for_ != 0) {
    --no_yields_for_;
    return;
  }
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
