// The producer's side of a sender's own queue (queue_layout.hpp).
#pragma once

#include <deque>
#include <memory>

#include "base/status.hpp"
#include "memory/arena.hpp"
#include "transport/lane.hpp"
#include "transport/queue_layout.hpp"

namespace loadstone::transport {

class out_queue {
 public:
  // The check beside a block's `next`, in memory that may lose lines; `end` is the number of the
  // first entry beyond that block.
  using check = std::uint64_t (*)(std::uint64_t next, std::uint64_t end);
  // Allocates the header and the first block; `list` is the front's list of queues, to which it is
  // added. `with`: null where memory is coherent.
  static base::result<std::unique_ptr<out_queue>> create(memory::arena& arena,
                                                         std::atomic<std::uint64_t>& list,
                                                         std::uint32_t destination, std::uint8_t kind,
                                                         check with = nullptr);

  // Nothing in it: the next message of the sequence may go to the inbox again.
  bool empty() const { return reader_at() == tail_; }
  std::uint64_t reader_at() const {
    return header_->head.load(std::memory_order_acquire);
  }  // sync: queue-consume

  // The next entry; nullptr when the arena has no more. Idempotent until publish().
  slot* claim();
  void publish(std::uint64_t identity = entry_present);
  std::uint64_t number() const { return tail_; }  // of the next entry
  std::uint64_t first_block() const { return header_->first_block; }
  // Entries consumed, where the consumer does not store that into the header itself.
  void consumed(std::uint64_t head) {
    header_->head.store(head, std::memory_order_relaxed);  // relaxed: read by us alone
  }

  // Out of memory: the consumer shall know. Relaxed: whoever wakes it then fences.
  void want() { header_->wanted.store(1, std::memory_order_relaxed); }
  // Gives back what has been read, but for the last `spare` of the blocks that are.
  void shed(std::size_t spare = 0);

 private:
  struct held {
    queue_block* block;
    std::uint64_t end;  // number of the first entry beyond it
  };
  out_queue(memory::arena& arena, check with) : arena_(arena), check_(with) {}
  bool grow();
  bool is_read(const held& b) const;

  memory::arena& arena_;
  const check check_;
  queue_header* header_ = nullptr;
  std::uint64_t tail_ = 0;
  std::deque<held> blocks_;  // oldest first; the last one is being filled
};

static_assert(sending_end<out_queue>);

}  // namespace loadstone::transport
