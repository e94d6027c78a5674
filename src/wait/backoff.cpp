#include "wait/backoff.hpp"

#include <sched.h>
#include <time.h>

namespace loadstone::wait {

namespace {
std::uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}
}  // namespace

advice backoff::next_slow() {
  if (policy_.how == mode::block) return advice::sleep;
  if (looks_ == free_looks + 1) since_ = now();
  // The clock costs as much as a look: ask it every eighth time only.
  if ((looks_ & 7) != 0 || now() - since_ < policy_.spin_ns) return advice::look_again;
  if (policy_.how == mode::spin) {
    return policy_.yields != 0 ? advice::yield
                               : advice::look_again;  // more processes than cores: let them run
  }
  if (yields_ == 0 && no_yields_for_ != 0) {
    --no_yields_for_;
    yields_ = policy_.yields;
  }
  if (yields_ < policy_.yields) {
    ++yields_;
    looks_ -= 1;  // so that the next look in vain comes here again
    return advice::yield;
  }
  return advice::sleep;
}

void backoff::yield() {
  std::uint64_t before = now();
  sched_yield();
  if (now() - before > policy::slow_yield_ns) {
    no_yields_for_ = policy::waits_without_yield;
    yields_ = policy_.yields;
  }
}

}  // namespace loadstone::wait
