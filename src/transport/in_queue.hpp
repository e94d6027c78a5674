// The consumer's side of a queue in a sender's arena (queue_layout.hpp). Keeps addresses, not
// pointers: it works with a mapping cache of one entry.
//
// Order: the entries from observe() may only be pulled after the inbox has been drained *behind*
// observe(): what the sender put there before it began to queue comes first (models/overflow.pml).
// How words are read and written is virtual: memory that may lose lines has a way of its own
// (tests/transport/poor).
#pragma once

#include <cstdint>
#include <utility>

#include "base/fault.hpp"
#include "transport/peer_memory.hpp"
#include "transport/queue_layout.hpp"

namespace loadstone::transport {

class in_queue {
 public:
  in_queue() = default;
  in_queue(std::uint32_t source, std::uint8_t kind, local_address header, local_address first_block)
      : source_(source),
        kind_(kind),
        header_(header),
        head_{0, 0, first_block},
        offered_{0, 0, first_block} {}
  virtual ~in_queue() = default;

  std::uint32_t source() const { return source_; }
  std::uint8_t kind() const { return kind_; }

  // Reads how far the sender has got. False: its memory cannot be reached.
  virtual bool observe(peer_memory& memory) {
    auto h = header(memory);
    if (!h) return false;
    seen_ =
        reinterpret_cast<queue_header*>(h->at)->tail.load(std::memory_order_acquire);  // sync: queue-append
    return true;
  }
  bool fresh() const { return offered_.number != seen_; }  // entries observed and not yet offered
  bool holds() const { return head_.number != seen_; }     // entries observed and not consumed

  // Does the sender wait for memory, until something is consumed here? Relaxed: a hint.
  virtual bool wanted(peer_memory& memory) {
    auto h = header(memory);
    return h && reinterpret_cast<queue_header*>(h->at)->wanted.load(std::memory_order_relaxed) != 0;
  }

  // Offers up to `most` fresh entries: take(slot&, fresh = true) → consumed? Returns how many were
  // offered. Ends before a fresh entry that is not due.
  template <class Take>
  std::uint32_t pull(peer_memory& memory, std::uint32_t most, Take&& take) {
    return walk(memory, offered_, most, take);
  }
  // Offers every entry that is still there, from the oldest; take() ends it by setting *stop.
  template <class Take>
  void search(peer_memory& memory, Take&& take, const bool* stop) {
    cursor at = head_;
    while (!*stop && at.number != seen_ && walk(memory, at, 1, take) != 0) {
      // Behind head, blocks are the sender's again: what follows may have been taken from the
      // middle before.
      if (at.number < head_.number) at = head_;
    }
  }
  // May entries that pull() has not offered be offered later?
  virtual bool may_be_due_later() const { return false; }

 protected:
  struct cursor {
    std::uint64_t number;       // of the entry
    std::uint64_t block_begin;  // number of the first entry in `block`
    local_address block;
  };

  base::result<reached> header(peer_memory& memory) { return memory.insist(header_.in(source_)); }
  virtual local_address next_block(queue_block& block, std::uint64_t) {
    return {block.next.load(std::memory_order_acquire)};  // sync: queue-append
  }
  // The entry as it is to be offered, until the next call. Null: it is not due, as something of its
  // sequence has to come first; only a fresh one.
  virtual slot* offer(slot& e, std::uint64_t, bool) { return &e; }
  virtual bool is_consumed(const slot& e, std::uint64_t) const {
    // Relaxed: tail published the entry, and after that only we write this word.
    return e.identity.load(std::memory_order_relaxed) == entry_consumed;
  }
  virtual void mark_consumed(slot& e, std::uint64_t) {
    e.identity.store(entry_consumed, std::memory_order_relaxed);
  }
  // head has moved.
  virtual void tell(peer_memory& memory) {
    auto h = header(memory);
    if (!h) return;
    auto* words = reinterpret_cast<queue_header*>(h->at);
    LOADSTONE_FAULT_POINT("queue.taken");
    words->head.store(head_.number, std::memory_order_release);  // sync: queue-consume
    // Relaxed: a sender that still waits stores it again.
    if (words->wanted.load(std::memory_order_relaxed) != 0) words->wanted.store(0, std::memory_order_relaxed);
  }

  std::uint32_t source_ = 0;
  std::uint8_t kind_ = 0;
  local_address header_{};
  cursor head_{}, offered_{};
  std::uint64_t seen_ = 0;  // tail as observed

 private:
  // The current block, pinned while a walk is in it.
  struct place {
    reached memory;
    std::uint64_t bits = 0;
    queue_block* block() const { return reinterpret_cast<queue_block*>(memory.at); }
  };

  // The entry under the cursor, stepping into the next block if need be; nullptr: unreachable.
  slot* entry(peer_memory& memory, cursor& at, place& here) {
    if (!enter(memory, at, here)) return nullptr;
    if (at.number == at.block_begin + block_entries) {
      at.block = next_block(*here.block(), at.number);
      at.block_begin += block_entries;
      if (!enter(memory, at, here)) return nullptr;
    }
    return &here.block()->entries[at.number - at.block_begin];
  }
  bool enter(peer_memory& memory, const cursor& at, place& here) {
    if (here.bits == at.block.bits) return true;
    auto got = memory.insist(at.block.in(source_));
    if (!got) return false;
    here.memory = std::move(*got);
    here.bits = at.block.bits;
    return true;
  }

  // Out of line: queues are rare, and polls that find none shall not pay for what this keeps in
  // registers.
  template <class Take>
  [[gnu::noinline]] std::uint32_t walk(peer_memory& memory, cursor& at, std::uint32_t most, Take&& take) {
    std::uint32_t done = 0;
    bool consumed_any = false;
    {
      place here;
      while (done < most && at.number != seen_) {
        slot* e = entry(memory, at, here);
        if (e == nullptr) break;
        const std::uint64_t number = at.number;
        const bool is_fresh = number == offered_.number, consumed = is_consumed(*e, number);
        slot* const offered = consumed ? e : offer(*e, number, is_fresh);
        if (offered == nullptr) break;
        ++at.number;
        if (is_fresh && &at != &offered_) offered_ = at;
        ++done;
        if (consumed) continue;
        if (take(*offered, is_fresh)) {
          mark_consumed(*e, number);
          consumed_any = true;
        }
      }
    }
    if (consumed_any) advance(memory);
    return done;
  }

  // Moves head over everything consumed and tells the sender.
  void advance(peer_memory& memory) {
    std::uint64_t before = head_.number;
    {
      place here;
      while (head_.number != offered_.number) {
        slot* e = entry(memory, head_, here);
        if (e == nullptr || !is_consumed(*e, head_.number)) break;
        ++head_.number;
      }
    }
    if (head_.number != before) tell(memory);
  }
};

}  // namespace loadstone::transport
