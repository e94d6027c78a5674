#include "wait/gate.hpp"

#include "wait/pause.hpp"

namespace loadstone::wait {

namespace {
// Some microseconds: more than most calls hold the gate.
constexpr int looks_before_sleep = 64;
}  // namespace

void gate::lock_slowly() {
  wanted_.fetch_add(1, std::memory_order_relaxed);
  bool locked = false;
  for (int i = 0; patient_ && i < looks_before_sleep && !locked; ++i) {
    pause();
    locked = word_.load(std::memory_order_relaxed) == is_open && try_lock_word();
  }
  // Whoever has slept cannot know whether others do.
  // sync: gate
  while (!locked && word_.exchange(has_sleepers, std::memory_order_acquire) != is_open)
    sleep_on(word_, has_sleepers, std::chrono::hours(1));
  wanted_.fetch_sub(1, std::memory_order_relaxed);
}

void gate::let_in() {
  unlock();
  // Who has just had it would always be the first to have it again.
  for (int i = 0; patient_ && i < looks_before_sleep && wanted_.load(std::memory_order_relaxed) != 0; ++i)
    pause();
  lock();
}

void gate::enlist(waiter& w) {
  ++waiters_;
  w.thread = std::this_thread::get_id();
  w.next = first_;
  w.previous = nullptr;
  if (first_ != nullptr) first_->previous = &w;
  first_ = &w;
}

void gate::delist(waiter& w) {
  --waiters_;
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
  unlock_word();
}

// Of those that sleep: who does not may be in a recess, which can take long. Who is awake is there
// at once.
void gate::wake_one() {
  waiter* found = nullptr;
  for (waiter* w = first_; w != nullptr && (found == nullptr || !found->awake); w = w->next)
    if (w->asleep_on != nullptr && (found == nullptr || w->awake)) found = w;
  if (found != nullptr) wake(*found);
}

void gate::wake(waiter& w) {
  // A waiter that is not asleep checks its condition and the role by itself, under the gate,
  // before it sleeps.
  if (w.asleep_on == nullptr) return;
  auto* bell = w.asleep_on;
  w.asleep_on = nullptr;  // one ring is enough
  if (w.awake)
    bell->fetch_add(1, std::memory_order_release);  // sync: bell
  else
    ring(*bell);
}

void gate::wake_ready() {
  for (waiter* w = first_; w != nullptr; w = w->next) {
    if (w->asleep_on != nullptr && w->ready()) wake(*w);
  }
}

}  // namespace loadstone::wait
