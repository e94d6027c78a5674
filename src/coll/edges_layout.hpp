// What lies in the slot of a member (area_layout.hpp) for a collective of blocks whose sizes only
// their owners know (edges.hpp): what it gives to whom and takes from whom, a block each, and the
// short ones that it gives.
//
// Behind the mark in the slot, so that a short block comes in the line of the mark, if there is
// room for all of this, or in a half, from byte 16 on:
//   0   gives, takes   how many blocks                                  W: owner, as all but taken
//   4   shared         where that begins, from the begin of the slot or half on
//   8   what it gives, in the order of its edges; short blocks
// In lines of its own, as others write there, or wait for what is written:
//   0   left           blocks that the owner still waits for            W: everybody
//   4   error          the first one that befell the owner's data       W: everybody
//   8   sources        members that it takes from
//   24  what it takes                                                   W: both ends
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "coll/area_layout.hpp"
#include "coll/member_set.hpp"

namespace loadstone::coll {

// Whose block it is, how long it is, and where it lies.
//   63 in its owner's arena | 62 in its owner's slot | 61 for its owner only |
//   55 … 48 member at the other end | 47 … 0 bytes
struct edge_block {
  static constexpr std::uint64_t in_arena = std::uint64_t{1} << 63, in_slot = std::uint64_t{1} << 62,
                                 for_owner = std::uint64_t{1} << 61,
                                 most_bytes = (std::uint64_t{1} << 48) - 1;
  // In its owner's process, as `place` has it in an arena, or from the begin of its slot or half
  // on.
  std::uint64_t address;
  std::uint64_t word;

  std::uint64_t bytes() const { return word & most_bytes; }
  std::int32_t peer() const { return static_cast<std::int32_t>(word >> 48 & 255); }
  bool is(std::uint64_t flag) const { return (word & flag) != 0; }
  static constexpr std::uint64_t nobody = 255;
  static edge_block of(std::int32_t peer, std::uint64_t bytes) {
    return {0, static_cast<std::uint64_t>(peer) << 48 | bytes};
  }
};
struct edge_taken {
  edge_block where;
  std::atomic<std::uint32_t> claimed;  // pieces that somebody copies (sync: joint-claim)
  std::atomic<std::uint32_t> done;     // (sync: joint-done)
};

struct edge_shared {
  std::atomic<std::uint32_t> left;  // (sync: joint-left)
  std::atomic<std::int32_t> error;
  member_set sources;
  edge_taken* taken() { return reinterpret_cast<edge_taken*>(this + 1); }
};

struct edge_offer {
  std::uint16_t gives, takes, shared_at, unused;

  edge_block* given() { return reinterpret_cast<edge_block*>(this + 1); }
  static constexpr std::size_t begin = offsetof(area_slot, near);
  static constexpr std::uint64_t most_in_slot = sizeof(area_slot) + area_slot::most_behind;
  static constexpr std::size_t bytes_of_given(std::size_t gives) {
    return sizeof(edge_offer) + gives * sizeof(edge_block);
  }
  static constexpr std::size_t bytes_of_shared(std::size_t takes) {
    return sizeof(edge_shared) + takes * sizeof(edge_taken);
  }
};
static_assert(sizeof(edge_block) == 16 && sizeof(edge_taken) == 24);
static_assert(offsetof(edge_shared, error) == 4 && offsetof(edge_shared, sources) == 8 &&
              sizeof(edge_shared) == 24);
static_assert(offsetof(edge_offer, shared_at) == 4 && sizeof(edge_offer) == 8);

}  // namespace loadstone::coll
