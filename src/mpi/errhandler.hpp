// An error handler: one of the three predefined ones, or a function of the user for one kind of
// object.
#pragma once

#include <atomic>
#include <cstdint>

#include "mpi.h"

namespace loadstone::mpi {

enum class errhandler_kind : std::uint8_t { fatal, abort, returns, communicator, window, file, session };

// Reference-counted: the user's handle is one reference, and each object that uses the handler has
// another. Predefined ones belong to the process, and are never deleted.
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

  // Relaxed: the caller holds a reference already.
  void acquire() { references_.fetch_add(1, std::memory_order_relaxed); }
  // True if this was the last reference of a user-defined one: then the caller removes the handle
  // and deletes it. sync: errhandler-last — all uses happen before the deletion
  bool release() { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !predefined(); }

 private:
  errhandler_kind kind_;
  MPI_Errhandler handle_ = MPI_ERRHANDLER_NULL;
  std::atomic<int> references_{1};
  void (*function_)() = nullptr;
};

// The error handler of one object, with a reference to it. Whoever takes it out releases that
// reference.
class errhandler_slot {
 public:
  errhandler_slot() = default;
  explicit errhandler_slot(errhandler* first) : handler_(first) {}
  // sync: errhandler-slot — what exchange() was given is constructed
  errhandler* get() const { return handler_.load(std::memory_order_acquire); }
  // Puts a handler here, with a reference of its own. Returns the one before; the caller releases
  // its reference.
  [[nodiscard]] errhandler* exchange(errhandler* handler) {
    handler->acquire();
    return handler_.exchange(handler, std::memory_order_acq_rel);  // sync: errhandler-slot
  }

 private:
  std::atomic<errhandler*> handler_{nullptr};
};

}  // namespace loadstone::mpi
