// What lies in a half of a member (area_layout.hpp) for a collective whose data does not fit
// there: where its data is, and how much of the work on it somebody has begun and done (joint.hpp).
// All but places, `ready` and `taken_pieces`, which the owner alone writes, is written by
// everybody; it is set by the owner before it publishes the slot, which stays as it is until all
// others are past the operation.
//
//   0   left      what the owner still waits for: transfers; of member 0: pieces of a reduction
//   4   claimed   pieces of the owner's share of a reduction that somebody does
//   8   error     the first one that befell the owner's data
//   12  refused   the owner has no memory for a block; in a chain: the highest has none
//   16  shape     of a reduction: what its shares are, in one number; the owner's view
//   24  ready     of a reduction in rounds (rounds.hpp): the owner lets so many be summed;
//                 in a chain (chain.hpp): pieces that it has folded, and 1;
//                 in streams (streams.hpp): pieces that it has put
//   32  summed    rounds of the owner's share
//   40  at_work   the owner, who alone writes this, is in a piece of a reduction, or about to begin
//   44  passing   in streams of two: does the owner's block stay, and whose has it written?
//   48  taken_pieces  of a reduction in a chain: those that the owner has taken; in streams: the
//                     least that it has taken of any giver that waits for it
//   64  of an exchange: the blocks that it gives to each member, then those that it takes from each
//   64  of a reduction: its operand, and where the result goes; in rounds: the owner's block;
//       in a chain: the highest's
//   64  in streams: the owner's block, and how many bytes it has for each
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coll/area_layout.hpp"
#include "memory/address.hpp"

namespace loadstone::coll {

// Memory of a member: an address in its process, or a place in its arena.
//   63 … 48 region number | 47 … 32 generation | 31 … 0 offset
struct place {
  static constexpr std::uint64_t in_arena = std::uint64_t{1} << 63;
  std::uint64_t address;
  std::uint64_t size;  // in bytes, and in_arena

  std::uint64_t bytes() const { return size & ~in_arena; }
  bool mapped() const { return (size & in_arena) != 0; }
  static place in_process(const void* at, std::uint64_t bytes) {
    return {reinterpret_cast<std::uint64_t>(at), bytes};
  }
  static place of(memory::address a, std::uint64_t bytes) {
    return {std::uint64_t{a.region.number} << 48 | std::uint64_t{a.region.generation} << 32 | a.offset,
            bytes | in_arena};
  }
  memory::address in(std::uint32_t process) const {
    return {{process, static_cast<std::uint16_t>(address >> 48), static_cast<std::uint16_t>(address >> 32)},
            address & 0xffffffffu};
  }
};

struct taken_block {
  place where;
  std::atomic<std::uint32_t> claimed;  // pieces that somebody copies (sync: joint-claim)
  std::atomic<std::uint32_t> done;     // (sync: joint-done)
};

struct offer {
  std::atomic<std::uint32_t> left;     // (sync: joint-left)
  std::atomic<std::uint32_t> claimed;  // (sync: joint-claim)
  std::atomic<std::int32_t> error;
  std::uint32_t refused;                   // the owner has no memory for a block
  std::uint64_t shape;                     // of a reduction
  std::atomic<std::int64_t> ready;         // (sync: round-ready, chain-folded, stream-put)
  std::atomic<std::int64_t> summed;        // (sync: round-summed)
  std::atomic<std::uint32_t> at_work;      // (sync: joint-at-work)
  std::uint32_t passing;                   // of two that give each other something
  std::atomic<std::int64_t> taken_pieces;  // (sync: chain-taken, stream-taken)
  std::uint64_t unused_too;

  void note(std::int32_t what) {
    std::int32_t none = 0;
    // Relaxed: it comes with what is done (sync: joint-left, round-summed, chain-folded).
    if (what != 0) error.compare_exchange_strong(none, what, std::memory_order_relaxed);
  }
  place* places() { return reinterpret_cast<place*>(this + 1); }
  taken_block* taken(std::int32_t members) { return reinterpret_cast<taken_block*>(places() + members); }
  static constexpr std::size_t bytes_of_exchange(std::int32_t members);
};
static_assert(sizeof(place) == 16 && sizeof(taken_block) == 24);
static_assert(offsetof(offer, left) == 0 && offsetof(offer, claimed) == 4 && offsetof(offer, error) == 8 &&
              offsetof(offer, shape) == 16 && offsetof(offer, at_work) == 40 &&
              offsetof(offer, taken_pieces) == 48 && sizeof(offer) == 64);

constexpr std::size_t offer::bytes_of_exchange(std::int32_t members) {
  return sizeof(offer) + static_cast<std::size_t>(members) * (sizeof(place) + sizeof(taken_block));
}
// Where the shares of a reduction begin, and how long an element is, by which they are cut, as one
// number (FNV-1a, a word at a time).
inline std::uint64_t shape_of(std::span<const std::int64_t> shares, std::int64_t element) {
  constexpr std::uint64_t basis = 0xcbf29ce484222325u, prime = 0x100000001b3u;
  std::uint64_t shape = (basis ^ static_cast<std::uint64_t>(element)) * prime;
  for (const std::int64_t s : shares) shape = (shape ^ static_cast<std::uint64_t>(s * element)) * prime;
  return shape;
}
inline constexpr std::size_t offer_bytes_of_reduction = sizeof(offer) + 4 * sizeof(place);

}  // namespace loadstone::coll
