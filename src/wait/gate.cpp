#include "wait/gate.hpp"

#include "wait/futex.hpp"

namespace loadstone::wait {

void gate::enlist(waiter& w) {
  w.thread = std::this_thread::get_id();
  w.next = first_;
  w.previous = nullptr;
  if (first_ != nullptr) first_->previous = &w;
  first_ = &w;
}

void gate::delist(waiter& w) {
  (w.previous != nullptr ? w.previous->next : first_) = w.next;
  if (w.next != nullptr) w.next->previous = w.previous;
  // Who leaves may have been woken for a role that is free, and have found its own condition true:
  // then it passes the role on, as who has it does.
  if (drainer_ != nullptr && drainer_ != &w) return;
  // Given up before the successor is woken, under the gate: it cannot find the role still taken.
  drainer_ = nullptr;
  wake_one();
}

void gate::leave() {
  if (!threads_) return;
  if (drainer_ != nullptr && drainer_->thread == std::this_thread::get_id()) {
    drainer_ = nullptr;  // as in delist()
    wake_one();
  }
  // No deputy: this thread is soon back.
  if (first_ != nullptr) wake_ready();
  mutex_.unlock();
}

// Of those that sleep: who does not may be in a recess, which can take long.
void gate::wake_one() {
  waiter* w = first_;
  while (w != nullptr && w->asleep_on == nullptr) w = w->next;
  if (w != nullptr) wake(*w);
}

void gate::wake(waiter& w) {
  // A waiter that is not asleep checks its condition and the role by itself, under the gate,
  // before it sleeps.
  if (w.asleep_on == nullptr) return;
  auto* bell = w.asleep_on;
  w.asleep_on = nullptr;  // one ring is enough
  ring(*bell);
}

void gate::wake_ready() {
  for (waiter* w = first_; w != nullptr; w = w->next) {
    if (w->asleep_on != nullptr && w->ready()) wake(*w);
  }
}

}  // namespace loadstone::wait
