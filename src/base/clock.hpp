// The monotonic clock: durations and deadlines of the layers are taken from it.
#pragma once

#include <time.h>

#include <cstdint>

namespace loadstone::base {

// CLOCK_MONOTONIC in ns: the same in all processes of a machine. About 25 ns; any thread.
inline std::uint64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace loadstone::base
