// memcpy for what another core has written, or read, a moment ago.
//
// The lines of such memory come from the cache that both cores share, or from the other core's, and prefetchers start
// anew in each page. So both halves are copied at the same time, some lines of each by turns: two streams hide one
// another's beginnings. And pieces below 2 KiB are copied by vectors, where the usual memcpy takes to a string
// instruction that waits for its first lines. Measured with a bare pipeline of two copies (docs/decisions/005): 1.1 to
// 1.4 times the bandwidth from 8 KiB to 1 MiB. Pieces are as long as that because loads that follow
// stores to the same place of another page have to wait for them: single lines by turns lose all of it when source and
// destination lie badly.
#pragma once

#include <cstddef>
#include <cstring>

#include "base/cpus.hpp"

namespace loadstone::base {

// Shorter ones have no beginning to hide.
inline constexpr std::size_t least_in_halves = 2048;

// Some processors write whole lines without fetching them when a string instruction does it, however short the ring is and
// whoever has them; that needs no second stream. What the usual memcpy does depends on the C library.
inline const bool by_string = copies_best_by_string();
inline constexpr std::size_t least_written_by_string = 2 * 1024, least_by_string = 8 * 1024;

inline void copy_string(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
  std::memcpy(to, from, bytes);
#endif
}

inline void copy_two_streams(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  if (bytes >= least_in_halves) {
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

// memcpy(to, from, bytes): the areas do not overlap.
inline void copy_halves(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (by_string && bytes >= least_by_string)
    copy_string(to, from, bytes);
  else
    copy_two_streams(to, from, bytes);
}

// What is longer may be in no cache near: there one stream at a time is as good or better.
inline constexpr std::size_t most_surely_near = 32 * 1024;

// memcpy of a part of something; `near`: it is in a cache, here or of another core.
inline void copy_piece(std::byte* to, const std::byte* from, std::size_t bytes, bool near) {
  if (near)
    copy_halves(to, from, bytes);
  else
    std::memcpy(to, from, bytes);
}

// memcpy into memory that another core has read; `near` as above.
inline void write_piece(std::byte* to, const std::byte* from, std::size_t bytes, bool near) {
  if (by_string && bytes >= least_written_by_string)
    copy_string(to, from, bytes);
  else
    copy_piece(to, from, bytes, near);
}

// memcpy of a part of something of that many bytes, to or from memory that two cores write by turns. Where whole lines
// need not be fetched to be written, this is worth a string instruction's beginning from there on only.
inline constexpr std::size_t least_shared_by_string = 32 * 1024;
inline void copy_shared(std::byte* to, const std::byte* from, std::size_t bytes, std::size_t whole) {
  if (by_string && whole >= least_shared_by_string)
    copy_string(to, from, bytes);
  else
    copy_two_streams(to, from, bytes);
}

}  // namespace loadstone::base
