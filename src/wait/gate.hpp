// One lock per rank, and the hand-over of the draining role among its threads: one thread drains at
// a time, the others sleep on their own; whoever changes something under the gate wakes those whose
// condition has come true, and the drainer hands its role over when it leaves. No lock is held
// while asleep. With threads == false every operation is nothing, until admit_threads()
// (README.md). Model: models/handover.pml.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "wait/condition.hpp"

namespace loadstone::wait {

class gate {
 public:
  // A thread that waits, on its own stack, linked while it waits. All fields but the bell are
  // protected by the gate.
  struct waiter {
    condition ready;
    std::atomic<std::uint32_t> bell{0};  // what it sleeps on when another thread drains (sync: bell)
    std::atomic<std::uint32_t>* asleep_on = nullptr;  // set while it sleeps or is about to
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
    mutex_.lock();
    threads_ = true;
  }
  void lock() {
    if (threads_) mutex_.lock();
  }
  void unlock() {
    if (threads_) {
      if (first_ != nullptr)
        wake_ready();
      else if (deputy_wanted_) [[unlikely]]
        deputy_(deputy_context_);
      mutex_.unlock();
    }
  }

  // --- under the gate, only with threads ---
  void enlist(waiter& w);
  // Hands the draining role over if w has it, or if nobody has: w may have been woken for it.
  void delist(waiter& w);
  // Takes the role if nobody has it; true if w has it now.
  bool drain(waiter& w) {
    if (drainer_ == nullptr) drainer_ = &w;
    return drainer_ == &w;
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
  void leave();  // unlocks; hands the draining role over if a waiter of this thread has it

  bool threads_;
  waiter* first_ = nullptr;
  waiter* drainer_ = nullptr;
  bool deputy_wanted_ = false;
  void (*deputy_)(void*) = nullptr;
  void* deputy_context_ = nullptr;
  std::mutex mutex_;
};

}  // namespace loadstone::wait
