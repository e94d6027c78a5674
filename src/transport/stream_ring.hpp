// Both ends of a ring for messages in a row (stream_ring_layout.hpp). Not shared: the gate.
//
// The order of what goes partly through here, partly through the pair line, the inbox and a queue is kept by sequence
// numbers, as with pair lines: what is earliest stands at the head of one of them.
#pragma once

#include "base/fault.hpp"
#include "memory/mappings.hpp"
#include "transport/prefetch.hpp"
#include "transport/stream_ring_layout.hpp"

namespace loadstone::transport {

class stream_sender {
 public:
  stream_sender(stream_ring* ring, memory::pin pin) : ring_(ring), pin_(std::move(pin)) {}

  // Null: it is full.
  slot* claim() {
    if (number_ - head_seen_ >= stream_slots) [[unlikely]] {
      head_seen_ = ring_->head.load(std::memory_order_acquire);  // sync: stream-consume
      if (number_ - head_seen_ >= stream_slots) return nullptr;
    }
    return &next();
  }
  void publish() {
    next().identity.store(++number_, std::memory_order_release);  // sync: stream-publish
    LOADSTONE_FAULT_POINT("stream.published");
    prefetch_to_write(&ring_->slots[(number_ + 5) % stream_slots]);
  }
  // Instead of the first message: this ring will not be used.
  void refuse() {
    next().handler = stream_refused;
    publish();
  }

 private:
  slot& next() { return ring_->slots[number_ % stream_slots]; }

  stream_ring* ring_;
  memory::pin pin_;
  std::uint64_t number_ = 0, head_seen_ = 0;  // of the next entry; up to there they are known to be read
};

class stream_receiver {
 public:
  // `marks`: as inbox::consumer.
  stream_receiver(std::uint32_t source, stream_ring* ring, bool marks)
      : ring_(ring), source_(source), marks_(marks) {}

  std::uint32_t source() const { return source_; }
  stream_ring* ring() const { return ring_; }

  slot* front() const {
    slot& s = ring_->slots[number_ % stream_slots];
    return s.identity.load(std::memory_order_acquire) == number_ + 1 ? &s : nullptr;  // sync: stream-publish
  }
  void release(slot& front) {
    // Relaxed: a mark, as in an inbox; `head` gives the slot away.
    if (marks_) front.identity.store(0, std::memory_order_relaxed);
    ++number_;
    if (number_ % told_every == 0)
      ring_->head.store(number_, std::memory_order_release);  // sync: stream-consume
  }

 private:
  static constexpr std::uint32_t told_every = stream_slots / 8;
  stream_ring* ring_;
  std::uint32_t source_;
  bool marks_;
  std::uint64_t number_ = 0;  // of the next entry
};

}  // namespace loadstone::transport
