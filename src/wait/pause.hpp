// Passing a short time on the processor, between two polls of a line.
#pragma once

#include <cstdint>

namespace loadstone::wait {

// Leaves the core to its other thread for a moment: 10 to 60 ns on x86.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// So many turns of a loop of one cycle each: finer than pauses.
inline void pass(std::uint32_t turns) {
  for (; turns != 0; --turns) asm volatile("" : "+r"(turns));
}

// What a pause takes here, in turns. Measured at the first call, in some microseconds.
std::uint32_t turns_of_a_pause();

}  // namespace loadstone::wait
