// The ring for messages in a row (ring_layout.hpp), as its sender and its receiver have it.
#pragma once

#include "base/fault.hpp"
#include "memory/mappings.hpp"
#include "transport/lane.hpp"
#include "transport/ring_layout.hpp"

namespace loadstone::transport {

class ring_sender {
 public:
  ring_sender(slot_ring* ring, memory::pin pin) : ring_(ring), pin_(std::move(pin)) {}

  slot* claim() { return end_.claim(*ring_); }  // null: it is full
  void publish() {
    end_.publish(*ring_);
    LOADSTONE_FAULT_POINT("ring.published");
  }
  std::uint64_t reader_at() const {
    return ring_->told().load(std::memory_order_acquire);
  }  // sync: ring-consume
  // Instead of the first message: this ring will not be used.
  void refuse() {
    ring_->at(end_.position()).handler = ring_refused;
    publish();
  }

 private:
  slot_ring* ring_;
  memory::pin pin_;
  ring_writer end_;
};

class ring_receiver {
 public:
  // `marks`: as inbox::consumer.
  ring_receiver(std::uint32_t source, slot_ring* ring, bool marks)
      : ring_(ring), source_(source), marks_(marks) {}

  std::uint32_t source() const { return source_; }
  slot_ring* ring() const { return ring_; }

  slot* front() const { return end_.front(*ring_); }
  void release(slot& front) {
    // Relaxed: a mark, as in an inbox; the head gives the slot away.
    if (marks_) front.identity.store(0, std::memory_order_relaxed);
    end_.release(*ring_, told_after);
  }

 private:
  slot_ring* ring_;
  std::uint32_t source_;
  bool marks_;
  ring_reader end_;
};

static_assert(sending_end<ring_sender> && receiving_end<ring_receiver> && may_be_refused<ring_sender>);

}  // namespace loadstone::transport
