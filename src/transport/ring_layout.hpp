// Slots that one process alone writes and one alone reads, in front of an inbox, for what somebody
// sends in a row: no word that others write is touched on the way (docs/decisions/013).
//
//   0 head (W: receiver) | 128 slots[128] (W: sender), each a message as in an inbox
//   positions begin at 0 (spsc_ring.hpp)
//
// In the receiver's arena. Whether stores are fenced: front_layout.hpp, attention.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/spsc_ring.hpp"

namespace loadstone::transport {

inline constexpr std::uint32_t ring_slots = 128;  // a power of two

struct slot_ring {
  alignas(isolation) std::atomic<std::uint64_t> head;  // told now and then (sync: ring-consume)
  alignas(isolation) slot slots[ring_slots];

  slot& at(std::uint64_t position) { return slots[position / step % ring_slots]; }
  std::atomic<std::uint64_t>& told() { return head; }
  static constexpr std::uint64_t size() { return ring_slots; }
};
static_assert(offsetof(slot_ring, slots) == 128 && sizeof(slot_ring) == 128 + ring_slots * slot_bytes);

// Handler of the first entry, written by a sender that does not want the ring.
inline constexpr std::uint8_t ring_refused = 0xff;

}  // namespace loadstone::transport
