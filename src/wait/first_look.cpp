#include "wait/first_look.hpp"

namespace loadstone::wait {

void first_look::probed(std::uint32_t looks) {
  if (probed_ % probes == 0) {
    soonest_before_ = soonest_;
    soonest_ = close;
  }
  ++probed_;
  soonest_ = std::min(soonest_, looks);
  limit_ = std::min(most, look_ * (std::min(soonest_, soonest_before_) + slack));
  turns_ = std::min(turns_, limit_);
  // At first, one after the other; then at no regular distance, for programs have their own.
  until_probe_ = probed_ < probes ? 0 : probe_every / 2 + probed_ * 11 % probe_every;
}

}  // namespace loadstone::wait
