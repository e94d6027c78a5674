// Asking for a line that is going to be written.
#pragma once

namespace loadstone::transport {

// Brings the line of `at` here as this processor's own, without waiting for it.
inline void prefetch_to_write(const void* at) {
#if defined(__x86_64__)
  // By its name: without -mprfchw a compiler takes __builtin_prefetch(at, 1) for a prefetch to read. Processors that do
  // not have the instruction do nothing.
  asm volatile("prefetchw (%0)" ::"r"(at));
#else
  __builtin_prefetch(at, 1);
#endif
}

}  // namespace loadstone::transport
