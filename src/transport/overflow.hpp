// Both ends of the queues of one process: those it keeps for peers that did not take its messages,
// and those that peers keep for it. Cost: nothing until an inbox is full or refuses; then memory
// grows with the messages refused, in the sender's arena.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "transport/front_layout.hpp"
#include "transport/in_queue.hpp"
#include "transport/lane.hpp"
#include "transport/out_queue.hpp"

namespace loadstone::transport {

class overflow {
 public:
  // `check`: as of an out_queue.
  overflow(peer_memory& memory, front& own, std::uint32_t capacity, out_queue::check check = nullptr)
      : memory_(memory), own_(own), check_(check), out_(capacity), in_(capacity) {}

  // --- sender ---
  // The queue for that sequence if messages stand in it.
  out_queue* open_queue(std::uint32_t peer, std::uint8_t kind) {
    auto& pair = out_[peer];
    if (!pair || !(*pair)[kind] || (*pair)[kind]->empty()) return nullptr;
    return (*pair)[kind].get();
  }
  out_queue* any_queue(std::uint32_t peer, std::uint8_t kind) {  // made if there is none; nullptr: no memory
    auto& pair = out_[peer];
    if (!pair) pair = std::make_unique<std::array<std::unique_ptr<out_queue>, classes>>();
    auto& q = (*pair)[kind];
    if (!q) {
      auto made = out_queue::create(memory_.arena(), own_.queues, peer, kind, check_);
      if (!made) return nullptr;
      q = std::move(*made);
    }
    return q.get();
  }

  // Its receiver has consumed so many, as it says in its own memory.
  void consumed(std::uint32_t peer, std::uint8_t kind, std::uint64_t head) {
    auto& pair = out_[peer];
    if (pair && (*pair)[kind]) (*pair)[kind]->consumed(head);
  }

  // There is no memory: gives back what queues have no more use for, and tells the receivers of all
  // others that we wait for it: wake(receiver). False: there is nobody to tell. (Who checks what it
  // reads would not see it.)
  template <class Wake>
  bool ask_for_memory(Wake&& wake) {
    bool asked = false;
    for (std::size_t peer = 0; peer < out_.size(); ++peer) {
      for (std::size_t kind = 0; out_[peer] && kind < classes; ++kind) {
        out_queue* q = (*out_[peer])[kind].get();
        if (q == nullptr) continue;
        q->shed();
        if (q->empty() || check_ != nullptr) continue;
        q->want();
        wake(static_cast<std::uint32_t>(peer));
        asked = true;
      }
    }
    return asked;
  }

  // Where the receiver's memory takes remote atomics: makes a queue of ours known there, in a
  // bitmap. The caller wakes it.
  void announce(front& receiver, std::uint8_t kind);

  // --- receiver ---
  // Has a sender made itself known in our bitmaps? Relaxed: a hint, seen now or at the next poll.
  bool announced() const { return own_.rung.load(std::memory_order_relaxed) != 0; }
  bool may_have_work() const { return announced() || work(); }
  void collect();  // takes in what the bitmaps say
  // The source has made itself known: it has appended since the last time.
  void registered(std::uint32_t source, std::uint8_t kind);
  // The same of a queue that is read in another way: make() makes it when it is new.
  template <class Make>
  in_queue& registered(std::uint32_t source, std::uint8_t kind, Make&& make) {
    auto& q = place_of(source, kind);
    if (!q) q = make();
    has_fresh(q.get());
    return *q;
  }
  bool work() const { return !fresh_.empty(); }
  // A sender that waits for memory while messages of its are left in its queue here.
  std::optional<std::uint32_t> starved() { return live_.empty() ? std::nullopt : first_starved(); }
  bool exist() const { return !live_.empty() || !fresh_.empty(); }

  // In three steps, because of order: observe, let the caller drain what came by inbox, then offer.
  void observe() {
    for (in_queue* q : fresh_) {
      q->observe(memory_);
      settle(q);
    }
  }
  // take(slot&, source, fresh) → consumed.
  template <class Take>
  bool pull(Take&& take);
  // All messages still there from `source` (UINT32_MAX: everybody), oldest first, until *stop.
  template <class Take>
  void search(std::uint32_t source, std::uint8_t kind, Take&& take, const bool* stop);

 private:
  std::unique_ptr<in_queue>& place_of(std::uint32_t source, std::uint8_t kind);
  in_queue* find(std::uint32_t source, std::uint8_t kind);
  void has_fresh(in_queue* q);
  void settle(in_queue* q);  // keeps live_ right
  std::optional<std::uint32_t> first_starved();

  peer_memory& memory_;
  front& own_;
  const out_queue::check check_;
  std::vector<std::unique_ptr<std::array<std::unique_ptr<out_queue>, classes>>> out_;
  std::vector<std::unique_ptr<std::array<std::unique_ptr<in_queue>, classes>>> in_;
  std::vector<in_queue*> fresh_;  // have, or may have, entries not yet offered
  std::vector<in_queue*> live_;   // hold messages that were left there
};

template <class Take>
bool overflow::pull(Take&& take) {
  bool any = false;
  for (std::size_t i = 0; i < fresh_.size();) {
    in_queue* q = fresh_[i];
    const std::uint32_t offered =
        q->pull(memory_, told_after, [&](slot& s, bool fresh) { return take(s, q->source(), fresh); });
    any |= offered != 0;
    settle(q);
    // Nothing offered: unreachable, or not their turn yet.
    if (q->fresh() && (offered != 0 || q->may_be_due_later())) {
      ++i;
    } else {
      fresh_[i] = fresh_.back();
      fresh_.pop_back();
    }
  }
  return any;
}

template <class Take>
void overflow::search(std::uint32_t source, std::uint8_t kind, Take&& take, const bool* stop) {
  for (std::size_t i = 0; i < live_.size() && !*stop;) {
    in_queue* q = live_[i];
    if (q->kind() != kind || (source != UINT32_MAX && q->source() != source)) {
      ++i;
      continue;
    }
    q->search(memory_, [&](slot& s, bool fresh) { return take(s, q->source(), fresh); }, stop);
    if (q->holds())
      ++i;
    else
      settle(q);  // takes it out of live_: the next one is at i now
  }
  // What was fresh has been offered, unless the search was stopped.
  std::erase_if(fresh_, [](const in_queue* q) { return !q->fresh(); });
}

}  // namespace loadstone::transport
