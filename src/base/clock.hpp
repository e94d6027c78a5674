// The monotonic clock: durations and deadlines of the layers are taken from it.
#pragma once

#include <time.h>

#include <cstdint>

namespace loadstone::base {

inline std::uint64_t read_ns(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

// In ns: the same in all processes of a machine. About 25 ns; any thread.
inline std::uint64_t now_ns() {
  return read_ns(CLOCK_MONOTONIC);
}

// Processor time of this process, with the threads that the kernel has made for it. A system call.
inline std::uint64_t cpu_ns() {
  return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace loadstone::base
