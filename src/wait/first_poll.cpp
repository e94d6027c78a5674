#include "wait/first_poll.hpp"

namespace loadstone::wait {

void first_poll::probed(std::uint32_t polls) {
  if (probed_ % probes == 0) {
    soonest_before_ = soonest_;
    soonest_ = close;
  }
  ++probed_;
  soonest_ = std::min(soonest_, polls);
  limit_ = std::min(most, pause_ * (std::min(soonest_, soonest_before_) + slack));
  turns_ = std::min(turns_, limit_);
  // At first, one after the other; then at distances without a period (Fibonacci hashing: the
  // uppermost bits of multiples of the golden ratio), for programs have periods, of which no part
  // may never be probed.
  static_assert(probe_every == 32);
  until_probe_ = probed_ < probes ? 0 : probe_every / 2 + (probed_ * 2654435769u >> 27);
}

}  // namespace loadstone::wait
