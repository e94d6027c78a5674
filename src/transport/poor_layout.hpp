// The front of a process on the poor transport: behind the common words (front_layout.hpp; tail is only its
// refuse bit, head, intent, rung and bitmaps are not used) one ring per sender. Every word has one writer, as
// between hosts without remote atomics.
//
//   ring of sender s, at slots_at + s × ring_bytes(n):
//   0 head (W: owner) | 128 queued[2] (W: sender s) | 256 slots[n] (W: sender s)
//
// identity of a published slot: its position with published_bit set, as in an inbox; positions count this
// ring's messages.
#pragma once

#include "transport/front_layout.hpp"

namespace loadstone::transport {

struct poor_ring {
  alignas(isolation)
      std::atomic<std::uint64_t> head;  // position of the oldest slot not consumed (sync: ring-consume)
  alignas(isolation) std::atomic<std::uint32_t> queued[classes];  // appended to the sender's own queue so far
                                                                  // (sync: queue-register)
  slot* slots() { return reinterpret_cast<slot*>(this + 1); }
};
static_assert(sizeof(poor_ring) == 256 && offsetof(poor_ring, queued) == 128);

inline constexpr std::size_t ring_bytes(std::uint32_t slots) {
  return sizeof(poor_ring) + slots * slot_bytes;
}
inline poor_ring* ring_of(front* f, std::uint32_t sender) {
  return reinterpret_cast<poor_ring*>(reinterpret_cast<std::byte*>(f) + slots_at +
                                      sender * ring_bytes(f->slots));
}

}  // namespace loadstone::transport
