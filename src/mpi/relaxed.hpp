// A value that is changed under the gate, and that other threads may look at without it: what they
// see may be a moment old. Relaxed: nothing else is read because of it, or whoever relies on it has
// learnt of it in another way.
#pragma once

#include <atomic>

namespace loadstone::mpi {

template <class T>
class relaxed {
 public:
  relaxed(T value = {}) : value_(value) {}
  operator T() const { return value_.load(std::memory_order_relaxed); }
  T operator=(T value) {
    value_.store(value, std::memory_order_relaxed);
    return value;
  }

 private:
  std::atomic<T> value_;
};

}  // namespace loadstone::mpi
