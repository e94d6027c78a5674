// One lock per rank, and the hand-over of the draining role among its threads: one thread drains at
// a time, the others sleep on their own; whoever changes something under the gate wakes those whose
// condition has come true, and the drainer hands its role over when it leaves. No lock is held
// while asleep. With threads == false every operation is nothing, until admit_threads()
// (README.md). Model: models/handover.pml.
#pragma once

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <atomic>
#include <cstdint>
#include <thread>

#include "wait/condition.hpp"
#include "wait/futex.hpp"

namespace loadstone::wait {

class gate {
 public:
  // A thread that waits, on its own stack, linked while it waits. All fields but the bell are
  // protected by the gate.
  struct waiter {
    condition ready;
    std::atomic<std::uint32_t> bell{0};  // what it sleeps on when another thread drains (sync: bell)
    std::atomic<std::uint32_t>* asleep_on = nullptr;  // set while it sleeps or is about to
    bool awake = false;                               // it looks at its bell, and does not sleep yet
    std::thread::id thread{};                         // whose it is
    waiter* next = nullptr;
    waiter* previous = nullptr;
  };

  explicit gate(bool threads) : threads_(threads) {}
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  bool threads() const { return threads_; }
  // From here on there are several threads. The caller is the only one so far, and inside; whatever
  // waits here at this moment, below it on its stack, keeps the gate to the end of that wait.
  void admit_threads() {
    lock_word();
    threads_ = true;
  }
  void lock() {
    if (threads_) lock_word();
  }
  void unlock() {
    if (threads_) {
      if (first_ != nullptr)
        wake_ready();
      else if (deputy_wanted_) [[unlikely]]
        deputy_(deputy_context_);
      unlock_word();
    }
  }

  // Several threads have cores: who finds the gate locked looks again for some time before it
  // sleeps.
  void be_patient() { patient_ = true; }

  // --- under the gate, only with threads ---
  // Lets those in who want to come in now: between two polls of whoever drains.
  void let_in();
  void enlist(waiter& w);
  std::uint32_t waiters() const { return waiters_; }  // that are enlisted
  // Hands the draining role over if w has it, or if nobody has: w may have been woken for it.
  void delist(waiter& w);
  // Takes the role if nobody has it; true if w has it now.
  bool drain(waiter& w) {
    if (drainer_ == nullptr) drainer_ = &w;
    return drainer_ == &w;
  }
  // Before it sleeps on its own bell, w may look at it for some time, without the gate: whoever
  // rings makes no system call then. False: as many as may (`most`) do so already.
  bool stay_awake(waiter& w, std::uint32_t most) {
    if (awake_ >= most) return false;
    ++awake_;
    return w.awake = true;
  }
  void awake_no_more(waiter& w) {
    --awake_;
    w.awake = false;
  }
  // For the time of a recess this thread, which holds the gate, does without it: others get in, and
  // one of them drains. For long work on what the gate does not protect: the copy of a large
  // message.
  class recess {
   public:
    explicit recess(gate& g) : gate_(g) { gate_.leave(); }
    ~recess() { gate_.lock(); }
    recess(const recess&) = delete;
    recess& operator=(const recess&) = delete;

   private:
    gate& gate_;
  };
  // Somebody who polls while no waiter does: whenever the gate opens and nobody waits, `stand_by`
  // is called, under the gate, as long as this is wanted. Set before there are threads.
  void set_deputy(void (*stand_by)(void*), void* context) {
    deputy_ = stand_by;
    deputy_context_ = context;
  }
  void want_deputy(bool wanted) { deputy_wanted_ = wanted; }
  bool drained() const { return drainer_ != nullptr; }
  // Rings every sleeping waiter whose condition holds.
  void wake_ready();

 private:
  static void wake(waiter& w);
  void wake_one();
  // A mutex in line (Drepper, Futexes are tricky, 2011: mutex 2). As long as the process has one
  // thread in fact, whatever it has asked for, nothing of it is atomic.
  void lock_word() {
    if (!try_lock_word()) [[unlikely]]
      lock_slowly();
  }
  bool try_lock_word() {
    std::uint32_t open = is_open;
    if (!has_one_thread())
      return word_.compare_exchange_strong(open, is_locked, std::memory_order_acquire,
                                           std::memory_order_relaxed);  // sync: gate
    if (word_.load(std::memory_order_relaxed) != is_open) return false;
    // relaxed: who starts a thread synchronises with it.
    word_.store(is_locked, std::memory_order_relaxed);
    return true;
  }
  void unlock_word() {
    // relaxed: as above. sync: gate
    if (has_one_thread())
      word_.store(is_open, std::memory_order_relaxed);
    else if (word_.exchange(is_open, std::memory_order_release) == has_sleepers) [[unlikely]]
      wake_sleeper(word_);
  }
  static bool has_one_thread() {
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
  }
  void lock_slowly();
  void leave();  // unlocks; hands the draining role over if a waiter of this thread has it

  static constexpr std::uint32_t is_open = 0, is_locked = 1, has_sleepers = 2;
  std::atomic<std::uint32_t> word_{is_open};
  bool threads_;
  bool patient_ = false;
  std::atomic<std::uint32_t> wanted_{0};  // by so many that have found it locked; relaxed: a hint
  waiter* first_ = nullptr;
  waiter* drainer_ = nullptr;
  std::uint32_t waiters_ = 0, awake_ = 0;
  bool deputy_wanted_ = false;
  void (*deputy_)(void*) = nullptr;
  void* deputy_context_ = nullptr;
};

}  // namespace loadstone::wait
