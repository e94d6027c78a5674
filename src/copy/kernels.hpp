// The copy kernels. Each does what memcpy does: it copies `bytes` bytes from `from` to `to`, at any
// alignment, areas that do not overlap. They differ in speed only; copy.hpp chooses among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace loadstone::copy {

// Up to one slot of a lane (some 100 bytes), without a call.
inline void small(std::byte* to, const void* from, std::size_t bytes) {
  const auto* f = static_cast<const std::byte*>(from);
  if (bytes >= 16) {
    // Sixteen bytes at a time; the last sixteen may overlap those before.
    std::size_t at = 0;
    for (; at + 16 <= bytes; at += 16) __builtin_memcpy(to + at, f + at, 16);
    if (at != bytes) __builtin_memcpy(to + bytes - 16, f + bytes - 16, 16);
    return;
  }
  if (bytes >= 8) {
    std::uint64_t first, last;
    __builtin_memcpy(&first, f, 8);
    __builtin_memcpy(&last, f + bytes - 8, 8);
    __builtin_memcpy(to, &first, 8);
    __builtin_memcpy(to + bytes - 8, &last, 8);
    return;
  }
  if (bytes >= 4) {
    std::uint32_t first, last;
    __builtin_memcpy(&first, f, 4);
    __builtin_memcpy(&last, f + bytes - 4, 4);
    __builtin_memcpy(to, &first, 4);
    __builtin_memcpy(to + bytes - 4, &last, 4);
    return;
  }
  for (std::size_t at = 0; at < bytes; ++at) to[at] = f[at];
}

// The same, by words of 8 bytes: for headers, which were written as words a moment ago. A load that
// is wider than the store it reads from cannot be forwarded, and waits until the store is in the
// cache.
inline void words(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes % 8 != 0) [[unlikely]]
    return small(to, from, bytes);
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, static_cast<const std::byte*>(from) + at, 8);
    __builtin_memcpy(to + at, &word, 8);
  }
}

// Beyond this length halves() copies both halves at once. Shorter copies gain nothing by it.
inline constexpr std::size_t least_halves = 2048;

// memcpy as a call, by vectors. Of one whose length has a bound that compilers know they make a
// string instruction, which takes some nanoseconds to begin (012: 6 to 10 ns a message).
inline void called(std::byte* to, const std::byte* from, std::size_t bytes) {
  asm("" : "+r"(bytes));  // hides what is known of it
  std::memcpy(to, from, bytes);
}

// Both halves at once: 512 bytes of the one, 512 of the other, by turns, with vector instructions.
// Two things make it quicker. Prefetchers start anew in each page, and while one half waits for
// that, the other does not. And the usual memcpy of these lengths is a string instruction, which
// waits for its first lines. Pieces are not shorter than 512 bytes because of 4K aliasing (a load
// waits for an earlier store with the same offset in another page): single lines by turns lose the
// whole gain where source and destination alias.
inline void halves(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  if (bytes > least_halves) {
    constexpr std::size_t piece = 512;
    const std::size_t half = bytes / (2 * piece) * piece;
    for (std::size_t at = 0; at < half; at += piece) {
      called(to + at, from + at, piece);
      called(to + half + at, from + half + at, piece);
    }
    done = 2 * half;
  }
  called(to + done, from + done, bytes - done);
}

// Whether a string instruction is slow for this pair: AMD's Zen 3 and 4 copy 2.7 GB/s by it instead
// of 40 if the destination lies 1 to 31 bytes further behind its page's begin than the source
// (decision 031; glibc's bug 30994).
inline bool slow_by_string(const void* to, const void* from) {
  const auto further = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096;
  return further - 1 < 31;
}

// memcpy, which is a string instruction from 2112 bytes on. Pairs that are slow by it are usual:
// malloc gives long buffers 16 bytes behind the begin of a page, and cells and slots are at it.
inline void ordinary(void* to, const void* from, std::size_t bytes) {
  if (bytes > least_halves && slow_by_string(to, from)) [[unlikely]]
    return halves(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
  std::memcpy(to, from, bytes);
}

// By one string instruction. Some processors write whole lines with it without fetching them first,
// even lines that another core holds (base::copies_best_by_string()).
inline void string(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
  std::memcpy(to, from, bytes);
#endif
}

// By non-temporal stores, which write past the caches, where the processor has them. They are
// ordered before all stores that follow the call.
void past_caches(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace loadstone::copy
