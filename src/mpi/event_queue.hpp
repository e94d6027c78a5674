// Events for callbacks that may not run where the event happens, because they promise less than is
// required there (MPI §15.3.8): kept here, in order, until the call of the program that is under
// way ends. There no lock is held, so that the callback may do whatever the program may.
//
// A thread that leaves its outermost call delivers what was there when it began, unless another
// does so: no two of these callbacks run at once, and one that makes events itself does not run for
// ever. Bounded; what comes while it is full is counted at its registration.
//
// All but `in_use`, `enter` and `leave` under the lock of the registrations (tool_events.cpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/events.hpp"
#include "mpi.h"

namespace loadstone::mpi {

struct event_registration;

// What a callback is given; it exists while the callback runs, on its thread only.
struct event_instance {
  base::event what;
  MPI_Count timestamp;
  int source;  // deferred_source or immediate_source (tool.hpp)
};

class event_queue {
 public:
  static constexpr std::size_t capacity = 1024;
  struct entry {
    std::shared_ptr<event_registration> to;
    event_instance event;
  };

  // --- by every call of the API (call.hpp) ---
  // Has a tool registered for events? Relaxed: a call that began before need not deliver.
  bool in_use() const { return in_use_.load(std::memory_order_relaxed); }
  [[gnu::cold]] static void enter();
  [[gnu::cold]] void leave();  // delivers if the call is the outermost one of its thread
  // In the outermost call of this thread, before it does its work.
  void deliver_early();

  // --- under the lock ---
  void use(bool registered);  // are there registrations? May allocate
  bool put(const std::shared_ptr<event_registration>& to, const event_instance& event);  // false: full
  // Begins a delivery: how many entries to take. Nothing if there are none or another thread
  // delivers.
  std::optional<std::size_t> begin();
  entry take();
  void end();

 private:
  void update_use();

  std::atomic<bool> in_use_{false};
  bool registered_ = false, delivering_ = false;
  std::size_t first_ = 0, count_ = 0;
  std::vector<entry> ring_;  // empty until used for the first time
};

}  // namespace loadstone::mpi
