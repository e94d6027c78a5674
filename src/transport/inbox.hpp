// The inbox of the mapped transport: many producers, one consumer, slots of two cache lines.
//
//   claim    compare-and-swap on the tail word; none when full
//   publish  the slot's identity word, stored last
//   consume  in order; but past an unpublished slot, so that others go on while one producer is
//            stopped between the two
//   void     an unpublished slot whose claimer is dead
//
// Cost of a short message: one line travels (the slot's first); tail and head stay where they are
// while one process sends.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/fault.hpp"
#include "transport/front_layout.hpp"
#include "transport/lane.hpp"
#include "transport/prefetch.hpp"

namespace loadstone::transport::inbox {

// A producer's view of one inbox; lives in the sender's ordinary memory.
class producer {
 public:
  producer() = default;
  // `owner`: the process whose inbox it is, as the intent names it.
  producer(inbox_lines* lines, slot* slots, std::uint32_t count, std::uint32_t owner)
      : lines_(lines), slots_(slots), mask_(count - 1), owner_(owner) {
    head_seen_ = lines->head.load(std::memory_order_acquire);  // sync: inbox-consume
  }

  // Null: it is full. After any other nothing may fail until publish().
  slot* claim(intent_line& intent) {
    std::uint64_t tail =
        lines_->tail.load(std::memory_order_relaxed);  // relaxed: only a guess, the CAS checks it
    for (;;) {
      std::uint64_t position = tail & ~flag_bits;
      if (position - head_seen_ >= std::uint64_t{mask_ + 1} * step) [[unlikely]] {
        head_seen_ =
            lines_->head.load(std::memory_order_acquire);  // sync: inbox-consume — the slot's reader is done
        if (position - head_seen_ >= std::uint64_t{mask_ + 1} * step) {
          // The tail was a guess: if it has moved meanwhile, head may be ahead of the guess and
          // nothing is known.
          std::uint64_t again = lines_->tail.load(std::memory_order_relaxed);
          if (again == tail) {
            intent.inbox.store(no_inbox, std::memory_order_release);  // sync: inbox-intent
            return nullptr;
          }
          tail = again;
          continue;
        }
      }
      // Ask for the line now: it arrives while the claim is made.
      prefetch_to_write(&slots_[(position / step) & mask_]);
      // Release on both: whoever sees this intent also sees our previous slot published (sync:
      // inbox-intent).
      intent.position.store(position, std::memory_order_release);
      intent.inbox.store(owner_, std::memory_order_release);
      LOADSTONE_FAULT_POINT("inbox.intended");
      // Release: the owner that sees the ticket taken sees the intent (sync: inbox-claim).
      // Sequentially consistent, because the sleep bit is in the same word: either this claim sees
      // the bit, or its setter sees this claim.
      if (lines_->tail.compare_exchange_weak(tail, tail + step, std::memory_order_seq_cst,
                                             std::memory_order_relaxed)) [[likely]] {
        position_ = position;
        claimed_ = &slots_[(position / step) & mask_];
        slept_ = (tail & sleep_bit) != 0;
        LOADSTONE_FAULT_POINT("inbox.claimed");
        return claimed_;
      }
    }
  }
  slot& claimed() const { return *claimed_; }
  std::uint64_t reader_at() const {
    return lines_->head.load(std::memory_order_acquire);
  }  // sync: inbox-consume

  // True: the owner sleeps, or is about to; call wake_owner().
  [[nodiscard]] bool publish() {
    claimed_->identity.store(position_ | published_bit, std::memory_order_release);  // sync: inbox-publish
    prefetch_to_write(&slots_[(position_ / step + 4) & mask_]);
    LOADSTONE_FAULT_POINT("inbox.published");
    return slept_;
  }

 private:
  inbox_lines* lines_ = nullptr;
  slot* slots_ = nullptr;
  std::uint32_t mask_ = 0;
  std::uint32_t owner_ = 0;
  bool slept_ = false;
  slot* claimed_ = nullptr;
  std::uint64_t position_ = 0;
  std::uint64_t head_seen_ = 0;
};

// The owner's view. Not shared: one thread at a time (the gate).
class consumer {
 public:
  consumer() = default;
  // `marks`: it writes a word into each slot that it is done with, which nobody reads: the line
  // goes back to a producer faster where processors are slow_to_take_shared_lines()
  // (base/cpus.hpp).
  consumer(inbox_lines* lines, slot* slots, std::uint32_t count, std::uint64_t first_position, bool marks);

  // The oldest slot, if it is published and nothing is amiss; nullptr otherwise. The fast look:
  // touches one line.
  slot* front() const {
    slot* s = first();
    return published(s) ? s : nullptr;
  }
  // The slot that the oldest message is in, or comes to be in; and whether it is there.
  slot* first() const { return &slots_[(head_ / step) & mask_]; }
  bool published(const slot* first) const {
    return first->identity.load(std::memory_order_acquire) == (head_ | published_bit);  // sync: inbox-publish
  }
  void release() { release(*first()); }
  void release(slot& first) {
    // Relaxed: `head`, stored below, gives the slot away. Never the identity of a message to come:
    // no mark is published.
    if (marks_) first.identity.store(0, std::memory_order_relaxed);
    go_on();
  }

  // The oldest published slot, past unpublished ones; nullptr: none at all. Messages of one sender
  // come in order. Reads the tail word, which producers fight for.
  slot* find();
  void release_found(slot* found);  // that find() gave

  // Is a slot claimed and not yet published? (After find() has returned nullptr: some producer is
  // at it, or stopped, or dead.)
  bool pending() const {
    return (lines_->tail.load(std::memory_order_acquire) & ~flag_bits) != head_;  // sync: inbox-claim
  }
  std::uint64_t head() const { return head_; }
  // The slot at head() is claimed, unpublished, and its claimer is dead: nobody will publish it.
  void void_first();

 private:
  void go_on() {
    head_ += step;
    if (taken_ != 0) [[unlikely]]
      skip_taken();
    lines_->head.store(head_,
                       std::memory_order_release);  // sync: inbox-consume — we are done with the slot
  }
  bool is_taken(std::uint64_t position) const {
    std::uint64_t i = (position / step) & mask_;
    return (taken_bits_[i / 64] >> (i % 64) & 1) != 0;
  }
  void skip_taken();

  inbox_lines* lines_ = nullptr;
  slot* slots_ = nullptr;
  std::uint32_t mask_ = 0;
  bool marks_ = false;
  std::uint32_t taken_ = 0;  // slots consumed beyond head_
  std::uint64_t head_ = 0;
  std::vector<std::uint64_t> taken_bits_;  // by slot
};

static_assert(sending_end<producer, intent_line> && receiving_end<consumer>);

// Writes the words of an inbox that nobody knows yet.
void prepare(inbox_lines& lines, slot* slots, std::uint32_t count, std::uint64_t first_position);

}  // namespace loadstone::transport::inbox
