// A sender's own queue of messages that an inbox did not take: one per (destination, traffic
// class), in the sender's arena. One producer, one consumer (the destination), which takes messages
// in order or from the middle.
//
//   header   0 next | 8 destination, class | 16 first block
//            | 128 tail, wanted (W: producer) | 256 head (W: consumer)
//   block    0 next, check | 128 entries[31], each a slot | 4096 end
//
// Entry number i lies in block i / 31 of the chain. `tail` entries were appended, `head` entries (a
// prefix) are consumed; while head ≠ tail everything later of the sequence goes there. No handshake
// closes it: the consumer's store of head lets the producer go back to the inbox.
//
// identity of an entry: entry_present, or entry_consumed once the consumer took it from the middle.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/address.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

inline constexpr std::uint64_t entry_present = 1, entry_consumed = 2;

struct queue_header {
  // W: producer; fixed once the header is in the list.
  std::uint64_t next;  // local_address of the next queue of this sender
  std::uint32_t destination;
  std::uint32_t kind;
  std::uint64_t first_block;  // local_address
  std::byte fill_[104];

  alignas(isolation) std::atomic<std::uint64_t> tail;  // (sync: queue-append)
  // The producer is out of memory, as it says each time that it tries; cleared by the consumer as
  // head moves.
  std::atomic<std::uint32_t> wanted;
  alignas(isolation) std::atomic<std::uint64_t> head;  // (sync: queue-consume)
};
static_assert(offsetof(queue_header, first_block) == 16 && offsetof(queue_header, tail) == 128);
static_assert(offsetof(queue_header, head) == 256 && sizeof(queue_header) == 384);

inline constexpr std::uint32_t block_entries = 31;
struct queue_block {
  std::atomic<std::uint64_t>
      next;  // local_address; stored before the first entry beyond this block (sync: queue-append)
  std::atomic<std::uint64_t> check;  // of next; only in memory that may lose lines (out_queue::check)
  std::byte fill_[112];
  slot entries[block_entries];
};
static_assert(offsetof(queue_block, entries) == 128 && sizeof(queue_block) == 4096);

}  // namespace loadstone::transport
