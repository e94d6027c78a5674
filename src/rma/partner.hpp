// What a member of a window knows of another, or of itself, to synchronise with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/address.hpp"
#include "rma/record_layout.hpp"
#include "wait/record.hpp"

namespace loadstone::rma {

enum class lock_kind : std::uint8_t {
  none,
  shared,
  exclusive,
  unchecked,  // by MPI_MODE_NOCHECK: its words know nothing of it
  lost,       // a wait for it has failed: we stay in its queue, and must not come again
};

struct partner;

// What a synchronisation asks of whoever has it; `context` is his.
struct surroundings {
  // Another member, or ourselves, at first contact made known to us; null: that is not possible.
  partner* (*find)(void* context, std::int32_t rank);
  // Locks of partners whose record is not mapped here, taken and given back by their owners. Null:
  // there are none. `joins`: lock.hpp.
  bool (*lock)(void* context, partner& p, bool exclusive, bool joins, const wait::reason& why);
  bool (*unlock)(void* context, partner& p, bool exclusive);
  void* context;
};

// All under the gate, but for `entered`.
struct partner {
  std::int32_t rank = -1;
  std::uint32_t process = 0;
  window_record* record = nullptr;  // mapped here; null: not to be had, its owner is asked
  memory::address where{};          // of the record

  lock_kind lock = lock_kind::none;       // what we have of its lock
  bool in_step = false;                   // synchronisation::keep_in_step()
  bool entering = false;                  // a thread of ours is about to have it for lock_all()
  std::uint32_t passes = 0;               // how often we have given its lock back while others waited
  std::atomic<std::uint32_t> entered{0};  // the lock_all() that has its lock (sync: rma-entered)
  std::uint64_t posts = 0;                // how often we have posted to it,
  std::uint64_t starts = 0;               // and have waited for a post of it

  // Lists of a synchronisation: what is kept in step, what its lock_all() has locked, and those
  // that are to complete the present exposure.
  partner *next_in_step = nullptr, *next_locked = nullptr, *next_exposed = nullptr;
};

}  // namespace loadstone::rma
