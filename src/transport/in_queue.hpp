// The consumer's side of a queue in a sender's arena (queue_layout.hpp). Keeps addresses, not
// pointers: it works with a mapping cache of one entry.
//
// Order: the entries from observe() may only be pulled after the inbox has been drained *behind*
// observe(): what the sender put into our inbox before it began to queue comes first. (Model:
// models/overflow.pml.)
//
// With integrity, what is read is checked and read again until it is right, the sender tells how
// far it has got (told()), and nothing is stored into its memory.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "base/fault.hpp"
#include "transport/integrity.hpp"
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

  // Read with checks; `taken`: where the sender looks how many entries are consumed.
  in_queue(std::uint32_t source, std::uint8_t kind, local_address first_block, integrity& checks,
           std::atomic<std::uint64_t>& taken)
      : in_queue(source, kind, local_address{}, first_block) {
    checks_ = &checks;
    taken_ = &taken;
  }

  std::uint32_t source() const { return source_; }
  std::uint8_t kind() const { return kind_; }

  // Reads how far the sender has got. False: its memory cannot be reached.
  bool observe(peer_memory& memory) {
    if (checks_ != nullptr) return true;
    auto h = header(memory);
    if (!h) return false;
    seen_ =
        reinterpret_cast<queue_header*>(h->at)->tail.load(std::memory_order_acquire);  // sync: queue-append
    return true;
  }
  // The sender says how many it has appended, modulo 2^32. It may have said more before.
  void told(std::uint32_t appended) {
    const auto more = static_cast<std::int32_t>(appended - static_cast<std::uint32_t>(seen_));
    if (more > 0) seen_ += static_cast<std::uint32_t>(more);
  }
  bool checked() const { return checks_ != nullptr; }
  bool fresh() const { return offered_.number != seen_; }  // entries observed and not yet offered
  bool holds() const { return head_.number != seen_; }     // entries observed and not consumed

  // Does the sender wait for memory, until something is consumed here? (Not known with integrity.)
  bool wanted(peer_memory& memory) {
    if (checks_ != nullptr) return false;
    auto h = header(memory);
    return h && reinterpret_cast<queue_header*>(h->at)->wanted.load(std::memory_order_acquire) !=
                    0;  // sync: queue-wanted
  }

  static bool always(const slot&) { return true; }
  // Offers up to `most` fresh entries: take(slot&, fresh = true) → consumed? Returns how many were
  // offered. Wake: the sender waits for memory and shall be rung. Ends before a fresh entry that
  // due(slot&) is false for: something of its sequence has to come first.
  template <class Take, class Due = bool (*)(const slot&)>
  std::uint32_t pull(peer_memory& memory, std::uint32_t most, Take&& take, bool* wake, Due&& due = always) {
    return walk(memory, offered_, most, take, wake, due);
  }
  // Offers every entry that is still there, from the oldest; take() ends it by setting *stop.
  template <class Take, class Due = bool (*)(const slot&)>
  void search(peer_memory& memory, Take&& take, const bool* stop, bool* wake, Due&& due = always) {
    cursor at = head_;
    while (!*stop && at.number != seen_ && walk(memory, at, 1, take, wake, due) != 0) {
      // Behind head, blocks are the sender's again: what follows may have been taken from the
      // middle before.
      if (at.number < head_.number) at = head_;
    }
  }

 private:
  struct cursor {
    std::uint64_t number;       // of the entry
    std::uint64_t block_begin;  // number of the first entry in `block`
    local_address block;
  };
  // The current block, pinned while a walk is in it.
  struct place {
    reached memory;
    std::uint64_t bits = 0;
    queue_block* block() const { return reinterpret_cast<queue_block*>(memory.at); }
  };

  base::result<reached> header(peer_memory& memory) { return memory.insist(header_.in(source_)); }

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
  local_address next_block(queue_block& block, std::uint64_t end) {
    if (checks_ == nullptr) return {block.next.load(std::memory_order_acquire)};  // sync: queue-append
    std::uint64_t words[2] = {};                                                  // next, check
    checks_->insist(source_, "a queue", [&] {
      checks_->load(source_, words, &block, sizeof words);
      return words[1] == check_of_next(words[0], end);
    });
    return {words[0]};
  }
  // What is there for certain: its sender has said so.
  void read_checked(const slot& there, std::uint64_t number, slot& copy) {
    checks_->insist(source_, "a queued message",
                    [&] { return checks_->read(source_, there, number, entry_present, copy); });
  }
  bool is_consumed(const slot& e, std::uint64_t number) const {
    // Relaxed: tail published the entry, and after that only we write this word.
    if (checks_ == nullptr) return e.identity.load(std::memory_order_relaxed) == entry_consumed;
    return number - head_.number < consumed_.size() && consumed_[number - head_.number];
  }
  void mark_consumed(slot& e, std::uint64_t number) {
    if (checks_ == nullptr) return e.identity.store(entry_consumed, std::memory_order_relaxed);
    const std::uint64_t i = number - head_.number;
    if (consumed_.size() <= i) consumed_.resize(i + 1);
    consumed_[i] = true;
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
  template <class Take, class Due>
  [[gnu::noinline]] std::uint32_t walk(peer_memory& memory, cursor& at, std::uint32_t most, Take&& take,
                                       bool* wake, Due&& due) {
    std::uint32_t done = 0;
    bool consumed_any = false;
    slot copy{};
    {
      place here;
      while (done < most && at.number != seen_) {
        slot* e = entry(memory, at, here);
        if (e == nullptr) break;
        const std::uint64_t number = at.number;
        const bool is_fresh = number == offered_.number, consumed = is_consumed(*e, number);
        if (checks_ != nullptr && !consumed) {
          read_checked(*e, number, copy);
          e = &copy;
        }
        if (is_fresh && !due(std::as_const(*e))) break;
        ++at.number;
        if (is_fresh && &at != &offered_) offered_ = at;
        ++done;
        if (consumed) continue;
        if (take(*e, is_fresh)) {
          mark_consumed(*e, number);
          consumed_any = true;
        }
      }
    }
    if (consumed_any) advance(memory, wake);
    return done;
  }

  // Moves head over everything consumed and tells the sender.
  void advance(peer_memory& memory, bool* wake) {
    std::uint64_t before = head_.number;
    {
      place here;
      while (head_.number != offered_.number) {
        slot* e = entry(memory, head_, here);
        if (e == nullptr || !is_consumed(*e, head_.number)) break;
        ++head_.number;
        if (checks_ != nullptr) consumed_.pop_front();
      }
    }
    if (head_.number == before) return;
    if (checks_ != nullptr)
      return taken_->store(head_.number, std::memory_order_release);  // sync: queue-consume
    auto h = header(memory);
    if (!h) return;
    auto* words = reinterpret_cast<queue_header*>(h->at);
    LOADSTONE_FAULT_POINT("queue.taken");
    words->head.store(head_.number, std::memory_order_seq_cst);  // sync: queue-consume
    // Either the sender's next look at head sees this store, or we see that it waits (sync:
    // queue-wanted).
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (words->wanted.load(std::memory_order_seq_cst) != 0) {
      words->wanted.store(
          0, std::memory_order_relaxed);  // relaxed: the sender stores it again before it sleeps again
      *wake = true;
    }
  }

  std::uint32_t source_ = 0;
  std::uint8_t kind_ = 0;
  local_address header_;
  cursor head_{}, offered_{};
  std::uint64_t seen_ = 0;  // tail as observed
  // With integrity.
  integrity* checks_ = nullptr;
  std::atomic<std::uint64_t>* taken_ = nullptr;
  std::deque<bool> consumed_;  // from the middle, by number, from head_ on
};

}  // namespace loadstone::transport
