// Ranges that are changed in bulk: by ordinary loops under their locks, in place of an atomic
// instruction for each element, which takes 17 times as long.
//
// The two exclude each other at the cost of whoever comes with thousands of elements:
//
//   by instructions                           in bulk, holding the locks of the ranges
//     say so in our line       (plain store)    set their bits in `bulk`
//     is the range's bit set?                   a barrier on every processor (membarrier)
//       yes: take its lock                      wait until no line says so
//     the instructions
//     take it back             (plain store)
//
// The barrier takes 15 µs where peers run, as much as 2500 elements. So the bits stay set, and many
// single operations have to come before somebody with the lock clears one. Bits change only under
// the lock of their range. A process that the barrier does not reach (no registration, several
// threads, more members than lines) says so by an atomic instruction, which needs none.
//
// Model: models/bulk.pml.
#pragma once

#include <atomic>

#include "rma/ranges.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

// Is this process reached by the barriers of others? Registers it with the first call.
bool reached_by_barriers();

// While it lives we change elements of the target by instructions, if none of their ranges is in
// bulk: which is asked after it was made.
class announcement {
 public:
  [[gnu::always_inline]] explicit announcement(target& t) : line_(t.line->announced), alone_(t.alone) {
    if (alone_) {
      // relaxed: the barrier of whoever sets a bit orders it before our look at the bits (sync:
      // rma-bulk)
      line_.store(1, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      line_.fetch_add(1, std::memory_order_seq_cst);  // sync: rma-bulk
    }
  }
  [[gnu::always_inline]] ~announcement() {
    // release: what we have changed, for whoever finds it gone (sync: rma-bulk)
    if (alone_)
      line_.store(0, std::memory_order_release);
    else
      line_.fetch_sub(1, std::memory_order_release);
  }
  announcement(const announcement&) = delete;
  announcement& operator=(const announcement&) = delete;

 private:
  std::atomic<std::uint32_t>& line_;
  const bool alone_;
};

inline bool in_bulk(const target& t, range_set set) {
  // Sequentially consistent: after the announcement, if that was an instruction. Acquires what was
  // changed in bulk before a bit was cleared (sync: rma-bulk).
  return (t.record->bulk.ranges.load(std::memory_order_seq_cst) & set) != 0;
}

// The caller holds the locks of these ranges. False: not now (somebody is at work there and does
// not run, say), or never, and nothing has changed.
bool begin_bulk(target& t, range_set set);
void end_bulk(target& t, range_set set);

}  // namespace loadstone::rma
