// What a thread waits for: written to the process table just before sleeping, read by mpiexec for
// hang reports.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::wait {

inline constexpr std::size_t longest_detail = 31;
// A detail that begins so names a lock, and `peer` is who has it.
inline constexpr char lock_detail[] = "lock of ";

inline constexpr std::uint64_t is_window = 1ull << 63;  // no id has this bit

struct reason {
  std::uint16_t call = 0;          // MPI function number (abi/functions.tsv order), 0 = none
  std::int32_t peer = -1;          // process waited for (index in the process table); -1 any, -2 none
  std::int32_t tag = 0;            // -1 = any tag
  std::uint64_t communicator = 0;  // its id + 1; of a window: is_window | its id; 0 = none
  const char* detail = "";         // short literal, e.g. "rendezvous", "barrier round 2"
  // When the waiter went to sleep first, CLOCK_MONOTONIC in ns; 0: it has not. A wait is many
  // sleeps; the reason lives as long as the wait. Conditions may change the words above as the wait
  // goes on: they are read at each sleep, under the gate.
  mutable std::uint64_t since = 0;
};

}  // namespace loadstone::wait
