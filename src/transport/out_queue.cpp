#include "transport/out_queue.hpp"

#include <algorithm>
#include <new>

#include "base/fault.hpp"

namespace loadstone::transport {

using memory::local_address;

base::result<std::unique_ptr<out_queue>> out_queue::create(memory::arena& arena,
                                                           std::atomic<std::uint64_t>& list,
                                                           std::uint32_t destination, std::uint8_t kind,
                                                           check with) {
  auto made = std::unique_ptr<out_queue>(new out_queue(arena, with));
  auto header = arena.allocate(sizeof(queue_header), isolation);
  if (!header) return header.error();
  auto block = arena.allocate(sizeof(queue_block), isolation);
  if (!block) {
    arena.release(*header);
    return block.error();
  }
  auto* first = new (*block) queue_block{};
  auto* h = new (*header) queue_header{};
  h->destination = destination;
  h->kind = kind;
  h->first_block = local_address::of(arena.address_of(first)).bits;
  h->next = list.load(std::memory_order_relaxed);  // relaxed: only we write the list
  made->header_ = h;
  made->blocks_.push_back({first, block_entries});
  list.store(local_address::of(arena.address_of(h)).bits, std::memory_order_release);  // sync: queue-list
  LOADSTONE_FAULT_POINT("queue.listed");
  return made;
}

bool out_queue::grow() {
  shed(2);  // one to be used again, and one more; a burst long past shall not hold memory
  queue_block* fresh;
  if (is_read(blocks_.front())) {
    fresh = blocks_.front().block;
    blocks_.pop_front();
  } else {
    auto block = arena_.allocate(sizeof(queue_block), isolation);
    if (!block) return false;
    fresh = static_cast<queue_block*>(*block);
  }
  new (fresh) queue_block{};
  held& last = blocks_.back();
  const std::uint64_t next = local_address::of(arena_.address_of(fresh)).bits;
  // Relaxed would do: the publish() that follows releases it; said so for the reader.
  if (check_ != nullptr)
    last.block->check.store(check_(next, last.end), std::memory_order_release);  // sync: words
  last.block->next.store(next, std::memory_order_release);                       // sync: queue-append
  blocks_.push_back({fresh, last.end + block_entries});
  return true;
}

// A block whose successor the consumer has begun may be used again: it has read `next` and never
// comes back.
bool out_queue::is_read(const held& b) const {
  return header_->head.load(std::memory_order_acquire) > b.end;  // sync: queue-consume
}

void out_queue::shed(std::size_t spare) {
  const auto unread =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const held& b) { return !is_read(b); });
  for (auto read = static_cast<std::size_t>(unread - blocks_.begin()); read > spare; --read) {
    arena_.release(blocks_.front().block);
    blocks_.pop_front();
  }
}

slot* out_queue::claim() {
  if (tail_ == blocks_.back().end && !grow()) return nullptr;
  return &blocks_.back().block->entries[tail_ % block_entries];
}

void out_queue::publish(std::uint64_t identity) {
  slot& entry = blocks_.back().block->entries[tail_ % block_entries];
  entry.identity.store(identity, std::memory_order_relaxed);  // relaxed: tail publishes it
  ++tail_;
  header_->tail.store(tail_, std::memory_order_release);  // sync: queue-append
  LOADSTONE_FAULT_POINT("queue.appended");
}

}  // namespace loadstone::transport
