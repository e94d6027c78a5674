// Work in pieces, which are claimed one by one by whoever runs (joint.hpp, edges.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace loadstone::coll {

// A piece of a transfer: one call of the kernel costs some 0.5 us, and two ends share a block only
// if it has several pieces. Where each has enough to do, they need not.
inline constexpr std::uint64_t least_piece = 32 * 1024, least_of_many = 128 * 1024, most_piece = 512 * 1024,
                               pieces_of_a_block = 8, most_pieces = 1 << 14;
// More than all pieces of anything; a bit, so that it may be set again.
inline constexpr std::uint32_t nothing_left = 1u << 30;

inline std::uint64_t in_pages(std::uint64_t bytes) {
  return (bytes + 4095) / 4096 * 4096;
}

// `many`: there are other transfers for each of its ends.
inline std::uint64_t piece_of(std::uint64_t bytes, bool many) {
  const std::uint64_t even = in_pages(bytes / pieces_of_a_block);
  return std::max(std::clamp(even, many ? least_of_many : least_piece, most_piece),
                  in_pages(bytes / most_pieces));
}

// Claims a piece of `pieces`; nothing_left: there is none. Relaxed: a claim says nothing of the
// data, which has been there since the slots were published (sync: joint-claim).
inline std::uint32_t claim(std::atomic<std::uint32_t>& claimed, std::uint32_t pieces) {
  if (claimed.load(std::memory_order_relaxed) >= pieces) return nothing_left;
  const std::uint32_t k = claimed.fetch_add(1, std::memory_order_relaxed);
  return k < pieces ? k : nothing_left;
}

// Of a transfer, the end that takes claims from the front, and the one that gives from the back: so
// mostly the same end copies the same part, and each has its part in its cache.
//   30 closed | 29 … 15 claimed at the back | 14 … 0 at the front
inline constexpr std::uint32_t at_front = 1, at_back = 1u << 15, of_one_end = at_back - 1;

inline std::uint32_t claimed_in(std::uint32_t word, std::uint32_t pieces) {
  return std::min((word & of_one_end) + (word / at_back & of_one_end), pieces);
}

inline std::uint32_t claim_part(std::atomic<std::uint32_t>& claimed, std::uint32_t pieces, bool front) {
  const auto all = [&](std::uint32_t word) {
    return word >= nothing_left || claimed_in(word, pieces) == pieces;
  };
  // Relaxed: as above (sync: joint-claim).
  if (all(claimed.load(std::memory_order_relaxed))) return nothing_left;
  const std::uint32_t before = claimed.fetch_add(front ? at_front : at_back, std::memory_order_relaxed);
  if (all(before)) return nothing_left;
  return front ? before & of_one_end : pieces - 1 - (before / at_back & of_one_end);
}

inline std::uint32_t pieces_in(std::uint64_t bytes, std::uint64_t piece) {
  return bytes == 0 ? 1 : static_cast<std::uint32_t>((bytes + piece - 1) / piece);
}

// Closes what may be claimed; returns what has been.
inline std::uint32_t close_claims(std::atomic<std::uint32_t>& claimed) {
  return claimed.fetch_or(nothing_left, std::memory_order_acq_rel) & (nothing_left - 1);
}

}  // namespace loadstone::coll
