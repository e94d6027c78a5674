// Asking for a line that is going to be written.
#pragma once

namespace loadstone::transport {

// Brings the line of `at` here as this processor's own, without waiting for it.
inline void prefetch_to_write(const void* at) {
#if defined(__x86_64__)
  // By its name: without -mprfchw a compiler takes __builtin_prefetch(at, 1) for a prefetch to
  // read. Processors that do not have the instruction do nothing.
  asm volatile("prefetchw (%0)" ::"r"(at));
#else
  __builtin_prefetch(at, 1);
#endif
}

// Brings the line of `at` here to be read, without waiting for it.
inline void prefetch_to_read(const void* at) {
  // By its name, too: a function that does nothing else than __builtin_prefetch counts as one
  // without effect, and its calls go.
#if defined(__x86_64__)
  asm volatile("prefetcht0 (%0)" ::"r"(at));
#elif defined(__aarch64__)
  asm volatile("prfm pldl1keep, [%0]" ::"r"(at));
#endif
}

}  // namespace loadstone::transport
