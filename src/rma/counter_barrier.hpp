// A barrier of two counters, for more processes than cores.
//
// Each counts itself in; the last one lets all others go, and wakes them. Each process runs once,
// where the rounds of a flag_barrier make most of them run two or three times. The two words are in
// the memory of one member, which all have mapped.
//
// Cost: an addition; for the last one a look at the sleep bit of each. It was 6.3 to 8.8 us for 8
// processes on two cores, where flags took 11 to 13.5, and as much for two and four
// (bench/window_sync); a change of processes takes 1.85 us there, and four of them one after
// another are the least. Let go by the one who has the words, instead of by the last: 8 to 13.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::rma {

class counter_barrier {
 public:
  // Of all `members`, for the `number`th time, which counts from 1. True: we are the last, and have
  // let them go; the others are to be woken.
  static bool arrive(std::atomic<std::uint64_t>& arrived, std::atomic<std::uint64_t>& released,
                     std::uint64_t members, std::uint64_t number) {
    // Acquire and release: what all did before their barrier comes to the last one
    // (sync: barrier-arrived), and with `released` to everybody (sync: barrier-released).
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != members * number) return false;
    released.store(number, std::memory_order_release);
    return true;
  }
  static bool is_over(const std::atomic<std::uint64_t>& released, std::uint64_t number) {
    return released.load(std::memory_order_acquire) >= number;  // sync: barrier-released
  }
};

}  // namespace loadstone::rma
