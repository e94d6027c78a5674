// The queue of deferred events. A tool's callback says how restricted it is (MPI §15.3.8), and one
// that promises less than is required where the event happens may not run there. Such events wait
// here, in order, until the MPI call that the program is in ends. Then no lock is held, and the
// callback may do what the program may.
//
// A thread that leaves its outermost call delivers the events that are there at that moment, unless
// another thread is doing so: so no two of these callbacks run at once, and one that makes new
// events does not go on for ever. The queue is bounded; events that do not fit are counted at their
// registration.
//
// All functions but in_use(), enter(), leave() and deliver_early() need the lock of the
// registrations (tool_events.cpp).
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

// What a callback gets. It exists only while the callback runs, in the thread that runs it.
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

  // --- called at every MPI call (call.hpp) --- Has a tool registered for events, or are there some
  // left? Relaxed: a call that began before need not deliver.
  bool in_use() const { return in_use_.load(std::memory_order_relaxed); }
  [[gnu::cold]] static void enter();
  [[gnu::cold]] void leave();  // delivers if the call is the outermost one of its thread
  // Delivers now, if this is the outermost call of its thread.
  void deliver_early();

  // --- under the lock ---
  void use(bool registered);  // tells whether there are registrations. May allocate
  bool put(const std::shared_ptr<event_registration>& to, const event_instance& event);  // false: full
  // A delivery: begin(), take() for each entry, end(). begin() returns how many entries to take;
  // nothing if there are none, or if another thread is delivering.
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
