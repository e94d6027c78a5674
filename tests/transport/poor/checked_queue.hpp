// The consumer's side of a queue in memory that may lose lines: what is read is checked, and read
// again until it is right; the sender says how far it has got (told()); nothing is stored into its
// memory.
#pragma once

#include <deque>

#include "transport/in_queue.hpp"
#include "transport/poor/integrity.hpp"
#include "transport/unmapped.hpp"

namespace loadstone::transport {

class checked_queue final : public in_queue {
 public:
  // What all of a process have in common.
  struct reading {
    integrity* checks;                // not null where there is such a queue
    const any_taker* take = nullptr;  // whoever is given messages now
    bool check_soon = false;          // something may have been lost
  };
  // `taken`: where the sender looks how many entries are consumed.
  checked_queue(std::uint32_t source, std::uint8_t kind, local_address first_block, reading& by,
                std::atomic<std::uint64_t>& taken)
      : in_queue(source, kind, local_address{}, first_block), by_(by), taken_(taken) {}

  // How many it has appended, modulo 2^32. It may have said more before.
  void told(std::uint32_t appended) {
    const auto more = static_cast<std::int32_t>(appended - static_cast<std::uint32_t>(seen_));
    if (more > 0) seen_ += static_cast<std::uint32_t>(more);
  }
  bool observe(peer_memory&) override { return true; }
  bool wanted(peer_memory&) override { return false; }  // that is not known here
  bool may_be_due_later() const override { return true; }

 private:
  local_address next_block(queue_block& block, std::uint64_t end) override {
    std::uint64_t words[2] = {};  // next, check
    by_.checks->insist(source_, "a queue", [&] {
      by_.checks->load(source_, words, &block, sizeof words);
      return words[1] == check_of_next(words[0], end);
    });
    return {words[0]};
  }
  slot* offer(slot& there, std::uint64_t number, bool fresh) override {
    // It is there for certain: its sender has said so.
    by_.checks->insist(source_, "a queued message",
                       [&] { return by_.checks->read(source_, there, number, entry_present, copy_); });
    // What its sender put into our ring before may have been lost.
    if (!fresh || copy_.sequence == by_.take->due(source_, copy_.kind)) return &copy_;
    by_.check_soon = true;
    return nullptr;
  }
  bool is_consumed(const slot&, std::uint64_t number) const override {
    return number - first_ < consumed_.size() && consumed_[number - first_];
  }
  void mark_consumed(slot&, std::uint64_t number) override {
    const std::uint64_t i = number - first_;
    if (consumed_.size() <= i) consumed_.resize(i + 1);
    consumed_[i] = true;
  }
  void tell(peer_memory&) override {
    for (; first_ != head_.number; ++first_) consumed_.pop_front();
    taken_.store(head_.number, std::memory_order_release);  // sync: queue-consume
  }

  reading& by_;
  std::atomic<std::uint64_t>& taken_;
  slot copy_{};
  std::uint64_t first_ = 0;    // of those in `consumed_`
  std::deque<bool> consumed_;  // from the middle, by number
};

}  // namespace loadstone::transport
