#include "wait/backoff.hpp"

#include <sched.h>

#include <algorithm>

namespace loadstone::wait {

advice backoff::next_slow() {
  if (policy_.how == mode::block) return advice::sleep;
  if (policy_.yields != 0) return next_in_a_crowd();
  if (polls_ == policy_.free_polls + 1) {
    since_ = clock_();
    poll_ns_ = policy_.spin_ns;
  }
  // The clock costs as much as a poll: ask it every eighth time only.
  if ((polls_ & 7) != 0 || policy_.how == mode::spin) return advice::poll_again;
  spent_ = clock_() - since_;
  if (spent_ >= poll_ns_) return advice::sleep;
  return spent_ < policy_.spin_ns || no_yields_for_ != 0 ? advice::poll_again : advice::yield;
}

// More processes than cores: let them run.
advice backoff::next_in_a_crowd() {
  if (policy_.how == mode::spin) return advice::yield;
  using place = presence::place;
  if (polls_ == policy_.free_polls + 1) presence_.arrive();
  if (undisturbed_ && polls_ <= policy::patient_polls && presence_.of(peer_) == place::beside)
    return advice::poll_again;
  if (no_yields_for_ != 0) return polls_ < polls_without_yield ? advice::poll_again : advice::sleep;
  if (yields_ == policy_.yields) return advice::sleep;
  if (yields_++ == 0) for_same_core_ = presence_.of(peer_) == place::same_core;
  return advice::yield;
}

void backoff::yield() {
  std::uint64_t before = clock_();
  presence_.leave();
  sched_yield();
  presence_.arrive();
  const std::uint64_t took = clock_() - before;
  cores_.yielded(took);
  if (took <= policy::slow_yield_ns) return;
  no_yields_for_ = without_yield_;
  without_yield_ = std::min(2 * without_yield_, policy::most_without_yield);
}

// A wait that went beyond the first polls has ended.
void backoff::learn() {
  if (no_yields_for_ != 0) {
    --no_yields_for_;
    return;
  }
  // Its yields were quick, if there were any: beside a computing process that happens, too.
  without_yield_ = std::max(without_yield_ - without_yield_ / 16, policy::least_without_yield);
}

}  // namespace loadstone::wait
