// The info hints of a window: those of the standard, with the values in effect (MPI §12.2.1,
// §12.2.7).
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

#include "mpi/info.hpp"
#include "rma/window.hpp"

namespace loadstone::mpi {

class window_hints {
 public:
  // All hints that windows of this kind have, with their defaults.
  explicit window_hints(rma::flavor kind);

  // Takes what the user gives. Unknown keys and values without a meaning are ignored, and so is,
  // once the window exists, what describes how it was made.
  void take(const info::pairs& given, bool creating);
  info::pairs content() const { return pairs_.content(); }

  // Relaxed: a thread that does not know of a promise yet need not keep it.
  bool no_locks() const { return no_locks_.load(std::memory_order_relaxed); }
  bool promises(std::string_view key) const;  // is this one "true"?
  bool any_order() const;                     // of accumulates
  std::size_t alignment() const;              // of memory that is allocated

 private:
  rma::flavor kind_;
  info pairs_;
  std::atomic<bool> no_locks_{false};
};

}  // namespace loadstone::mpi
