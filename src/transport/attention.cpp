#include "transport/attention.hpp"

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "wait/futex.hpp"

namespace loadstone::transport {

void attention::attend() {
  if (attends_ || !may_attend_) return;
  attends_ = true;
  say();
}

void attention::settle() {
  settling_ = true;
  gave_up_at_ = base::now_ns();
}

bool attention::give_up() {
  came_ = 0;
  if (!attends_ && !settling_) [[likely]]
    return false;
  const std::uint64_t now = base::now_ns();
  if (attends_) {
    attends_ = false;
    say();
    gave_up_at_ = now;
  }
  settling_ = now - gave_up_at_ < static_cast<std::uint64_t>(std::chrono::nanoseconds(settle_time).count());
  return settling_;
}

void attention::ring(front& f) {
  if ((f.inbox.tail.fetch_and(~sleep_bit, std::memory_order_seq_cst) & sleep_bit) == 0)
    return;  // somebody else rings
  LOADSTONE_FAULT_POINT("bell.taken");
  f.rang_at.store(base::now_ns(), std::memory_order_relaxed);  // relaxed: before the bell (sync: bell)
  wait::ring(f.bell);
  ++rings_;
}

}  // namespace loadstone::transport
