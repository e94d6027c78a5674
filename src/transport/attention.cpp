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
  gave_up_at_.store(base::now_ns(), std::memory_order_relaxed);
}

bool attention::settles() const {
  constexpr std::uint64_t time = std::chrono::nanoseconds(settle_time).count();
  return base::now_ns() - gave_up_at_.load(std::memory_order_relaxed) < time;
}

bool attention::give_up() {
  came_ = 0;
  if (attends_) {
    attends_ = false;
    say();
    settle();
  }
  return settles();
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
