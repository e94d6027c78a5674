// Where an origin offers pieces of transfers to the owner of a window's part, who carries them out
// if it comes in time (handed.hpp). In the origin's arena, one for each target that it has offered
// something to.
//
//   0     notice   what the owner has to be told, or has been
//   128   slots    two offers: one is filled while the other one is carried out
//   256   room     of small pieces; large ones lie in room of their own
//
// A piece: runs of the owner's part (wire_layout.hpp), and behind them the packed data, which a put
// brings and a get takes away.
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
enum class hand_state : std::uint64_t { free, offered, claimed, done, useless };
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

//   0 state | 8 room | 24 data | 32 runs | 36 get | 40 end
struct hand_slot {
  std::atomic<std::uint64_t> state;  // hand_word(); W: both, by compare-and-swap (sync: rma-hand)
  // W: the origin, before it offers.
  memory::address room;
  std::int64_t data;   // where the data begins, in bytes from the room's start
  std::uint32_t runs;  // at most most_handed_runs
  std::uint32_t get;   // 1: the data is fetched
  std::byte fill_[64 - 40];
};
static_assert(sizeof(hand_slot) == 64 && offsetof(hand_slot, data) == 24 && offsetof(hand_slot, get) == 36);

// none → called      there are offers, and a message is on its way
// called → looking   the owner takes notice, and looks at them
// looking → called   there is one more, and one more message
// looking → none     the owner is through, and looks no more
enum class hand_notice : std::uint32_t { none, called, looking };

struct hand_place {
  std::atomic<hand_notice> notice;  // W: both (sync: rma-notice)
  alignas(memory::isolation) hand_slot slots[hand_slots];
  alignas(memory::isolation) std::byte room[];
};
static_assert(sizeof(std::atomic<hand_notice>) == 4 && offsetof(hand_place, slots) == 128 &&
              offsetof(hand_place, room) == 256);

inline constexpr std::size_t hand_small_bytes = 12 * 1024;  // room in the place itself
inline constexpr std::size_t hand_large_bytes =
    most_handed_runs * sizeof(asked_run) + static_cast<std::size_t>(most_handed_bytes);

// The message. 0 window | 8 place | 24 end
struct hand_call {
  std::uint64_t window;  // its id
  memory::address place;
};
static_assert(sizeof(hand_call) == 24);

}  // namespace loadstone::rma
