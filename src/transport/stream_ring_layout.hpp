// Slots that one process alone writes and one alone reads, in front of an inbox: what somebody sends in a row is claimed by nobody
// else. No word that others write is touched on the way, and no store has to be waited for: with seven senders on
// two cores a claim of the inbox took a third of all time.
//
//   0 state (W: receiver) | 128 head (W: receiver) | 256 slots[128] (W: sender), each a message as in an inbox
//   identity of entry number n: n + 1, stored last (sync: stream-publish)
//
// In the receiver's arena; made when somebody has sent that much in a row.
//
// The sender writes while the ring is *open*. Sleeping: its store to a slot is not fenced. It looks at the state before
// and after; when the ring is no longer open, it fences, and looks at the sleep bit as others do. Whoever wants to sleep closes its
// rings, sets the sleep bit, looks into the rings, and sleeps for a moment only (`settle_time`) until one has passed since it closed
// one: by then a store that was under way has arrived. So a wake-up that is lost costs that moment, and needs a store that
// takes longer than the receiver's way from closing to its look.
// Source: stores become visible in bounded time (Morrison and Afek, Temporally bounding TSO for fence-free asymmetric
// synchronization, ASPLOS 2015). Model: models/stream_ring.pml.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "transport/slot_layout.hpp"

namespace loadstone::transport {

inline constexpr std::uint32_t stream_slots = 128;                   // a power of two
inline constexpr std::uint32_t stream_open = 1, stream_refuses = 2;  // user messages, as refuse_bit
inline constexpr auto settle_time = std::chrono::microseconds(50);

struct stream_ring {
  alignas(isolation) std::atomic<std::uint32_t> state;
  alignas(isolation) std::atomic<std::uint64_t> head;  // entries read, now and then (sync: stream-consume)
  alignas(isolation) slot slots[stream_slots];
};
static_assert(offsetof(stream_ring, slots) == 256 && sizeof(stream_ring) == 256 + stream_slots * slot_bytes);

// Handler of the first entry, written by a sender that does not want the ring.
inline constexpr std::uint8_t stream_refused = 0xff;

}  // namespace loadstone::transport
