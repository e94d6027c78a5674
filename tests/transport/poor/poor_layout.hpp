// What a process on the poor transport has behind its inbox (front_layout.hpp): one ring per
// sender. Every word has one writer, as between hosts without remote atomics.
//
//   poor_front: 0 ready | 8 first_position | 16 at | 20 slots | 24 refuses | 128 rings            W: owner
//
//   ring of sender s, s × ring_bytes(n) behind it:
//   0 head, taken[2] (W: owner) | 128 notice (W: sender s) | 256 slots[n] (W: sender s)
//
// Ring and slots: spsc_ring.hpp.
//
// With integrity, behind the rings what the owner has sent and its receivers have not answered for:
// they look there when a line of theirs was lost, without the owner's help.
//
//   kept for destination d, capacity × ring_bytes(n) + d × kept_bytes(n) behind it:
//   0 notice | 128 slots[n]                               W: owner
#pragma once

#include "base/crc32c.hpp"
#include "transport/spsc_ring.hpp"

namespace loadstone::transport {

// What the sender has appended to its own queues so far. The rest of it is used with integrity
// only: then the receiver follows no list in the sender's memory.
struct queue_notice {
  std::atomic<std::uint32_t> queued[classes];  // (sync: queue-register)
  std::uint64_t first_block[classes];          // local_address
  std::uint64_t check;
};
static_assert(sizeof(queue_notice) == 32 && offsetof(queue_notice, check) == 24);

// A copy of it.
struct noticed {
  std::uint32_t queued[classes] = {};
  std::uint64_t first_block[classes] = {};
  std::uint64_t check = 0;
  std::uint64_t checksum() const {
    return base::crc32c(this, offsetof(noticed, check)) | std::uint64_t{1} << 32;  // never 0
  }
  bool intact() const { return check == checksum(); }
};
static_assert(sizeof(noticed) == sizeof(queue_notice));

struct poor_ring {
  alignas(isolation)
      std::atomic<std::uint64_t> head;  // position of the oldest slot not consumed (sync: ring-consume)
  // Entries consumed of the sender's own queues: with integrity, for then the sender looks here,
  // and nothing is stored into its memory (sync: queue-consume)
  std::atomic<std::uint64_t> taken[classes];
  alignas(isolation) queue_notice notice;
};
static_assert(sizeof(poor_ring) == 256 && offsetof(poor_ring, notice) == 128);

struct kept_ring {
  alignas(isolation) queue_notice notice;
  slot* slots() { return reinterpret_cast<slot*>(this + 1); }
};
static_assert(sizeof(kept_ring) == 128);

inline constexpr std::size_t ring_bytes(std::uint32_t slots) {
  return sizeof(poor_ring) + slots * slot_bytes;
}
inline constexpr std::size_t kept_bytes(std::uint32_t slots) {
  return sizeof(kept_ring) + slots * slot_bytes;
}

struct alignas(isolation) poor_front {
  std::atomic<std::uint64_t> ready;    // front_magic, stored last (sync: front-ready)
  std::uint64_t first_position;        // where the rings' positions begin
  std::uint32_t at;                    // how far behind the front this lies
  std::uint32_t slots;                 // of each ring, a power of two
  std::atomic<std::uint32_t> refuses;  // user messages; a wish
};
static_assert(offsetof(poor_front, at) == 16 && offsetof(poor_front, refuses) == 24 &&
              sizeof(poor_front) == isolation);

inline poor_front* poor_front_of(front* f) {
  return reinterpret_cast<poor_front*>(slots_of(f) + f->slots);
}
inline poor_ring* ring_of(poor_front* f, std::uint32_t sender) {
  return reinterpret_cast<poor_ring*>(reinterpret_cast<std::byte*>(f + 1) + sender * ring_bytes(f->slots));
}
struct poor_ring_memory {
  poor_ring* ring;
  std::uint32_t slots;
  slot& at(std::uint64_t position) const {
    return reinterpret_cast<slot*>(ring + 1)[position / step & (slots - 1)];
  }
  std::atomic<std::uint64_t>& told() const { return ring->head; }
  std::uint64_t size() const { return slots; }
};
inline poor_ring_memory ring_memory_of(poor_front* f, std::uint32_t sender) {
  return {ring_of(f, sender), f->slots};
}
inline kept_ring* kept_for(poor_front* f, std::uint32_t capacity, std::uint32_t destination) {
  return reinterpret_cast<kept_ring*>(reinterpret_cast<std::byte*>(ring_of(f, capacity)) +
                                      destination * kept_bytes(f->slots));
}

}  // namespace loadstone::transport
