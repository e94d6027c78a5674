// The ways to copy. Each does what memcpy does: `bytes` from `from` to `to`, any alignment, areas
// that do not overlap. They differ in what they cost; which one for what: copy.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace loadstone::copy {

// Up to one slot of a lane (some 100 bytes), without a call.
inline void small(std::byte* to, const void* from, std::size_t bytes) {
  const auto* f = static_cast<const std::byte*>(from);
  if (bytes >= 16) {
    // Sixteen bytes at a time; the last ones overlap those before.
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

// The same for what was written a moment ago in words, as headers are: a load that is wider than
// the store before it waits until that is in the cache.
inline void words(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes % 8 != 0) [[unlikely]]
    return small(to, from, bytes);
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, static_cast<const std::byte*>(from) + at, 8);
    __builtin_memcpy(to + at, &word, 8);
  }
}

// Shorter ones are one stream: they have no beginning to hide.
inline constexpr std::size_t least_two_streams = 2048;

// Both halves at the same time, some lines of each by turns. Prefetchers start anew in each page,
// and two streams hide one another's beginnings; and by vectors, where the usual memcpy takes to a
// string instruction that waits for its first lines. Pieces of 512 bytes: loads that follow stores
// to the same place of another page have to wait, and single lines by turns lose all of it when
// source and destination lie badly.
inline void two_streams(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  if (bytes >= least_two_streams) {
    std::size_t piece = 512;
    asm("" : "+r"(piece));  // not a constant: compilers make a string instruction of it
    const std::size_t half = bytes / 1024 * 512;
    for (std::size_t at = 0; at < half; at += piece) {
      std::memcpy(to + at, from + at, piece);
      std::memcpy(to + half + at, from + half + at, piece);
    }
    done = 2 * half;
  }
  std::memcpy(to + done, from + done, bytes - done);
}

// By one instruction for strings. Some processors write whole lines with it without fetching them
// first, whoever has them (base::copies_best_by_string()).
inline void string(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
  std::memcpy(to, from, bytes);
#endif
}

// By stores past the caches (non-temporal), where the processor has them. What has been copied when
// it returns is ordered before later stores.
void past_caches(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace loadstone::copy
