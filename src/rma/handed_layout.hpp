// Where an origin offers pieces of transfers to the owner of a window's part, who carries them out
// if it comes in time (handed.hpp). In the origin's arena, one for each target that it has offered
// something to.
//
//   0     slots    two offers: one is filled while the other one is carried out; in the first one
//                  what the owner has to be told, or has been
//   256   room     of small pieces; large ones lie in room of their own
//
// A piece: runs of the owner's part (wire_layout.hpp), and behind them the packed data, which a put
// brings and a get takes away, or elements for an accumulate, and room for what was there before.
// What is one element lies in the slot itself.
//
// Shared work is no piece, but an accumulate of one block, whose data the owner reads where it is:
// both ends take blocks of it (shared_work).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/address.hpp"
#include "memory/job_layout.hpp"
#include "rma/wire_layout.hpp"

namespace loadstone::rma {

inline constexpr std::size_t hand_slots = 2;
inline constexpr std::uint32_t most_handed_runs = 512;
inline constexpr std::int64_t most_handed_bytes = 64 * 1024;  // of data in one piece

// In the word of a slot: the number of the offer, and below it what has become of it. A message may
// come when its offer is over: so a number is used once.
//   free → offered      the origin has written all the rest
//   offered → claimed   the owner is at it
//   offered → free      the origin has taken it back
//   claimed → done, or useless: the owner cannot reach the room, and nothing has happened
//   claimed → declined  somebody has a lock of its elements, or its memory is not there any more,
//                       and nothing has happened
enum class hand_state : std::uint64_t { free, offered, claimed, done, useless, declined };
inline constexpr std::uint64_t hand_state_bits = 3;
constexpr std::uint64_t hand_word(std::uint64_t number, hand_state s) {
  return number << hand_state_bits | static_cast<std::uint64_t>(s);
}
constexpr hand_state state_of(std::uint64_t word) {
  return static_cast<hand_state>(word & ((1u << hand_state_bits) - 1));
}
constexpr std::uint64_t number_of(std::uint64_t word) {
  return word >> hand_state_bits;
}

enum class hand_kind : std::uint8_t { put, get, change, compare_and_swap, shared };

// An accumulate that both ends work at: its origin takes blocks from the front, the owner from the
// back. The origin has the locks of all of it (ranges.hpp), and the owner works in its name; or, if
// the owner is to do all of it, it takes those of each block. Before it is offered, W: the origin.
//   0 taken | 8 data | 16 address | 24 offset | 32 bytes | 40 block | 48 unread | 52 locks | 56 end
struct shared_work {
  // Blocks taken from the front, and above them those from the back. W: both, by compare-and-swap
  // (sync: rma-blocks).
  std::atomic<std::uint64_t> taken;
  std::uint64_t data;     // of the origin: an address there
  std::uint64_t address;  // of the target, as its locks know it
  std::int64_t offset;    // the same in the owner's part
  std::int64_t bytes;
  std::int64_t block;  // bytes of one, but for the last
  // 1: the owner could not read the last block that it has taken. W: the owner, before it is done.
  std::uint32_t unread;
  std::uint32_t locks;  // 1: the owner has to take them

  static constexpr std::uint32_t front(std::uint64_t taken) { return static_cast<std::uint32_t>(taken); }
  static constexpr std::uint32_t back(std::uint64_t taken) { return static_cast<std::uint32_t>(taken >> 32); }
  static constexpr std::uint64_t one_from_front = 1, one_from_back = 1ull << 32;
};
static_assert(sizeof(shared_work) == 56 && offsetof(shared_work, unread) == 48);

// Its blocks. Long ones are quicker; but both ends are to have some.
struct block_cut {
  static constexpr std::int64_t longest = 48 * 1024;
  std::int64_t bytes, block;
  // `element` divides `bytes`.
  static constexpr block_cut of(std::int64_t bytes, std::int64_t element) {
    const std::int64_t half = (bytes / element + 1) / 2 * element;
    return {bytes, half < longest ? half : longest / element * element};
  }
  constexpr std::uint32_t count() const { return static_cast<std::uint32_t>((bytes + block - 1) / block); }
  constexpr std::int64_t begin(std::uint32_t n) const {
    const std::int64_t at = static_cast<std::int64_t>(n) * block;
    return at < bytes ? at : bytes;
  }
};

// none → called      there are offers, and a message is on its way
// called → looking   the owner takes notice, and looks at them
// looking → called   there is one more, and one more message
// looking → none     the owner is through, and looks no more
// looking → here     it stays: it sees what else is offered, without a message
// here → none        it has left. Who still waits then sends a message
// here → called      it does not seem to be here; one more message
enum class hand_notice : std::uint16_t { none, called, looking, here };

// One element. The value that was there before takes the place of the one that is brought.
//   0 offset | 8 value | 24 end
struct near_element {
  static constexpr std::int64_t largest = 16;
  std::int64_t offset;  // in the owner's part
  std::byte value[largest];
};

// One block to put or to get, that is short.
//   0 offset | 8 data | 88 end
struct near_block {
  static constexpr std::int64_t largest = 80;
  std::int64_t offset;  // in the owner's part
  std::byte data[largest];
};

//   0 state | 8 room, compared | 24 data | 28 fetched | 32 runs | 34 kind | 35 op | 36 value |
//   37 index | 38 notice | 40 near, block, shared | 128 end
struct alignas(memory::isolation) hand_slot {
  std::atomic<std::uint64_t> state;  // hand_word(); W: both, by compare-and-swap (sync: rma-hand)
  // W: the origin, before it offers.
  union {
    memory::address room;
    std::byte compared[near_element::largest];  // with the one element: all of it lies in one line
  };
  std::uint32_t data;     // where the data begins, in bytes from the room's start (near: bytes of a block),
  std::uint32_t fetched;  // and what was there before; 0: that is not wanted
  std::uint16_t runs;     // at most most_handed_runs; 0: it is near
  hand_kind kind;
  std::uint8_t op;            // of an accumulate: datatype::op_kind,
  std::uint8_t value, index;  // and datatype::named_kind of the elements
  // Of all offers of the place; in the line that both come to anyway. Only the first slot's is
  // used.
  std::atomic<hand_notice> notice;  // W: both (sync: rma-notice)
  union {
    near_element near;
    near_block block;
    shared_work shared;
  };
};
static_assert(sizeof(std::atomic<hand_notice>) == 2 && offsetof(hand_slot, notice) == 38);
static_assert(sizeof(hand_slot) == 128 && offsetof(hand_slot, data) == 24 && offsetof(hand_slot, kind) == 34);
static_assert(offsetof(hand_slot, near) == 40 && offsetof(hand_slot, block) == 40 &&
              offsetof(hand_slot, near) + sizeof(near_element) == 64);

struct hand_place {
  hand_slot slots[hand_slots];
  alignas(memory::isolation) std::byte room[];
  std::atomic<hand_notice>& notice() { return slots[0].notice; }
};
static_assert(offsetof(hand_place, room) == 256);

inline constexpr std::size_t hand_small_bytes = 12 * 1024;  // room in the place itself

// The message. 0 window | 8 place | 24 end
struct hand_call {
  std::uint64_t window;  // its id
  memory::address place;
};
static_assert(sizeof(hand_call) == 24);

}  // namespace loadstone::rma
