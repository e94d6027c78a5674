// The front of a process (memory::front_of): everything others need to reach it, at a place they
// know without asking.
//
//   0 ready | 8 transport, slots, first position          W: owner, before `ready`
//   128 tail          the inbox's tail word                 W: everybody
//   136 attention     does the owner poll, or may it sleep; what does it refuse            W: owner
//   256 head          what the owner has consumed           W: owner
//   384 bell          futex the owner sleeps on             W: everybody
//   392 rang_at       when it was rung last                 W: whoever rings
//   512 intent        which slot the owner is claiming, elsewhere   W: owner
//   640 rung          "look at the bitmaps"                 W: everybody
//   768 queues        first of the owner's outgoing queues  W: owner
//   896 bitmaps       2 × 8192 bits: senders with queues of messages for us   W: everybody
//   3072 unused
//   4096 slots        inbox_slots × 128; behind them, what another transport needs | 96 KiB end
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "memory/arena.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

inline constexpr std::uint64_t front_magic = 0x3174'6e6f'7266'736c;  // "lsfront1"
inline constexpr std::uint32_t max_processes = 8192;
inline constexpr std::size_t slots_at = 4096;
inline constexpr std::uint32_t max_inbox_slots = 512;

// The tail word: 63 … 2 ticket | 0 sleep. A *position* is a tail word without its flags:
// it goes up by `step` with every claim and wraps around with the arithmetic of 64 bits.
inline constexpr std::uint64_t sleep_bit = 1, flag_bits = 3, step = 4;

// identity of a published slot: its position with bit 0 set; of a voided one: bits 0 and 1.
inline constexpr std::uint64_t published_bit = 1, voided_bits = 3;

struct inbox_lines {
  alignas(isolation) std::atomic<std::uint64_t> tail;
  // W: owner. In the tail's line, which senders have anyway: in one of its own it cost 8 ns of a
  // message by turns.
  std::atomic<std::uint32_t> attention;                // (sync: attention)
  alignas(isolation) std::atomic<std::uint64_t> head;  // position of the oldest slot not consumed
};
static_assert(sizeof(inbox_lines) == 256);

// "I am about to claim, or hold, this slot of that inbox." Written before the claim, so that an
// unpublished slot has a holder.
struct intent_line {
  alignas(isolation) std::atomic<std::uint64_t> position;
  std::atomic<std::uint32_t> inbox;  // process; no_inbox = none
};
inline constexpr std::uint32_t no_inbox = 0xffffffff;
static_assert(sizeof(intent_line) == isolation);

// Attention. Who stores into a pair line or a ring reads this word afterwards. While the reader
// *attends*, that is all; otherwise it fences, reads the sleep bit, and rings. A reader that wants
// to sleep gives up attending, sets the sleep bit, polls lines and rings, and sleeps for
// `settle_time` at most until that has passed since it gave up: then what was under way has arrived
// (decision 013). refuses: user messages. takes_whole: a payload is published when all of it is
// there, for several threads read here, and none is to wait for the rest in a handler.
inline constexpr std::uint32_t attends = 1, refuses = 2, takes_whole = 4;
inline constexpr auto settle_time = std::chrono::microseconds(50);

struct front {
  std::atomic<std::uint64_t> ready;  // front_magic, stored last (sync: front-ready)
  std::uint32_t transport;           // choice::word() of its owner
  std::uint32_t slots;               // of the inbox, a power of two
  std::uint64_t first_position;      // where the tail word began
  std::byte fill0_[104];

  inbox_lines inbox;
  alignas(isolation) std::atomic<std::uint32_t> bell;  // (sync: bell)
  std::atomic<std::uint64_t> rang_at;                  // CLOCK_MONOTONIC, ns; stored before the bell
  intent_line intent;
  alignas(isolation) std::atomic<std::uint32_t> rung;    // (sync: queue-register)
  alignas(isolation) std::atomic<std::uint64_t> queues;  // local_address of a queue_header (sync: queue-list)
  alignas(
      isolation) std::atomic<std::uint64_t> bitmap[classes][max_processes / 64];  // (sync: queue-register)
};
static_assert(offsetof(front, transport) == 8 && offsetof(front, first_position) == 16);
static_assert(offsetof(front, inbox) == 128 && offsetof(front, bell) == 384 &&
              offsetof(front, rang_at) == 392 && offsetof(front, intent) == 512);
static_assert(offsetof(front, rung) == 640 && offsetof(front, queues) == 768 &&
              offsetof(front, bitmap) == 896);
static_assert(sizeof(front) <= slots_at);
static_assert(slots_at + max_inbox_slots * slot_bytes <= memory::front_bytes);

// Ends the process, saying so, where the two do not agree which transport serves whom: they could
// only wait for each other. (peer_table.cpp)
void insist_on_transport(std::uint32_t self, std::uint32_t peer, const front& of_peer, std::uint32_t ours);

inline slot* slots_of(front* f) {
  return reinterpret_cast<slot*>(reinterpret_cast<std::byte*>(f) + slots_at);
}

}  // namespace loadstone::transport
