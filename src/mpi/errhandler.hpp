// An error handler: one of the three predefined behaviours, or a function of the user for one kind
// of object.
#pragma once

#include <atomic>
#include <cstdint>

#include "mpi.h"

namespace loadstone::mpi {

enum class errhandler_kind : std::uint8_t { fatal, abort, returns, communicator, window, file, session };

// Counted: the handle of the user is one reference, every object that uses it another. Predefined
// ones are part of the process and never deleted.
class errhandler {
 public:
  errhandler(errhandler_kind kind, MPI_Errhandler handle) : kind_(kind), handle_(handle) {}
  template <class Function>
  errhandler(errhandler_kind kind, Function* function)
      : kind_(kind), function_(reinterpret_cast<void (*)()>(function)) {}

  errhandler_kind kind() const { return kind_; }
  MPI_Errhandler handle() const { return handle_; }
  void set_handle(MPI_Errhandler handle) { handle_ = handle; }
  bool predefined() const { return function_ == nullptr; }
  // May it be the handler of this kind of object?
  bool fits(errhandler_kind object) const { return predefined() || kind_ == object; }
  template <class Function>
  Function* function() const {
    return reinterpret_cast<Function*>(function_);
  }

  // Relaxed: whoever acquires holds a reference already.
  void acquire() { references_.fetch_add(1, std::memory_order_relaxed); }
  // True when this was the last reference of a user-defined one: the caller removes its handle and
  // deletes it. sync: errhandler-last — everything done with it happens before its deletion.
  bool release() { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !predefined(); }

 private:
  errhandler_kind kind_;
  MPI_Errhandler handle_ = MPI_ERRHANDLER_NULL;
  std::atomic<int> references_{1};
  void (*function_)() = nullptr;
};

// The handler of one object, which holds a reference of it. Whoever takes an object's handler away
// calls release().
class errhandler_slot {
 public:
  errhandler_slot() = default;
  explicit errhandler_slot(errhandler* first) : handler_(first) {}
  // sync: errhandler-slot — what the handler is was written before it was put here
  errhandler* get() const { return handler_.load(std::memory_order_acquire); }
  // Takes a reference of its own; returns the one before, whose reference is the caller's to
  // release.
  [[nodiscard]] errhandler* exchange(errhandler* handler) {
    handler->acquire();
    return handler_.exchange(handler, std::memory_order_acq_rel);  // sync: errhandler-slot
  }

 private:
  std::atomic<errhandler*> handler_{nullptr};
};

}  // namespace loadstone::mpi
