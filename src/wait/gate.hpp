// One lock per rank with hand-over of the draining role: one thread drains at a time, others sleep on their own request; the
// drainer wakes those it completes and hands over when it leaves. No lock is held while waiting. With threads == false every
// operation is nothing.
#pragma once

#include <condition_variable>
#include <mutex>

namespace loadstone::wait {

class gate {
 public:
  explicit gate(bool threads) : threads_(threads) {}
  bool threads() const { return threads_; }
  void lock() {
    if (threads_) mutex_.lock();
  }
  void unlock() {
    if (threads_) mutex_.unlock();
  }

 private:
  bool threads_;
  std::mutex mutex_;
};

}  // namespace loadstone::wait
