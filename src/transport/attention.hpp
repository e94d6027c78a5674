// Waking, sleeping and attention of the mapped transport (front_layout.hpp): a sender that has
// stored into a lane reads here whether the reader may be asleep; a reader says here that it polls,
// that it refuses user messages, or that it sleeps. Cost: a sender reads one word in the inbox's
// line. Models: models/sleep.pml, models/pair_line.pml, models/ring.pml.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/front_layout.hpp"

namespace loadstone::transport {

class attention {
 public:
  // `may_attend`: stores to us need no fence while we are awake. `threads`: several are here.
  attention(bool may_attend, bool threads) : may_attend_(may_attend), threads_(threads) {}
  void set_own(front* own) {
    own_ = own;
    say();
  }
  // From here on stores to us need a fence; what was promised holds until the next give_up().
  void admit_threads() {
    may_attend_ = false;
    threads_ = true;
    say();
  }

  // --- as a reader ---
  std::atomic<std::uint32_t>& bell() { return own_->bell; }
  // When somebody rang last. Relaxed: whoever has seen the bell move (sync: bell) sees at least
  // that ring's.
  std::uint64_t rang_at() const { return own_->rang_at.load(std::memory_order_relaxed); }
  // Messages have come through a lane whose stores need no fence: after some, we attend.
  void came(std::uint32_t messages) {
    if (came_ >= attend_after) [[likely]]
      return;
    came_ += messages;
    if (came_ >= attend_after) attend();
  }
  void refuse(bool yes) {
    refuses_ = yes;
    say();
  }
  // A word has just been stored that asks a peer to wake us, which it reads behind a plain store of
  // its own: until `settle_time` is over that store may not be here, and nobody rings for it.
  void settle();
  // Before a sleep: is that to be short, as such a time has not passed? By any thread.
  bool settles() const;
  // Before a sleep: what was stored before may not be here yet. True until `settle_time` is over.
  bool give_up();
  // After a sleep.
  void disarm() {
    // Relaxed: only our own bit, and a ring that comes late costs one poll.
    if ((own_->inbox.tail.load(std::memory_order_relaxed) & sleep_bit) != 0)
      own_->inbox.tail.fetch_and(~sleep_bit, std::memory_order_relaxed);
  }

  // --- as a sender, after a store that the reader shall see ---
  // Relaxed: the refusal of user messages is a wish.
  static bool takes(const front& f, std::uint8_t kind) {
    return kind != user_class || (f.inbox.attention.load(std::memory_order_relaxed) & refuses) == 0;
  }
  // Relaxed: what it has got in parts all the same it waits for.
  static bool takes_parts(const front& f) {
    return (f.inbox.attention.load(std::memory_order_relaxed) & takes_whole) == 0;
  }
  // Into a lane whose stores are not fenced while their reader attends.
  void announce(front& f) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // Relaxed, and perhaps before the store can be seen: front_layout.hpp (sync: attention).
    if ((f.inbox.attention.load(std::memory_order_relaxed) & attends) == 0) [[unlikely]]
      announce_to_sleeper(f);
  }
  // A sequentially consistent store.
  void wake(front& f) {
    // Sequentially consistent, after the store it announces: either we see the sleep bit, or its
    // setter sees that store.
    if ((f.inbox.tail.load(std::memory_order_seq_cst) & sleep_bit) != 0) [[unlikely]]
      ring(f);
  }
  // Relaxed: a hint.
  static bool asleep(const front& f) {
    return (f.inbox.tail.load(std::memory_order_relaxed) & sleep_bit) != 0;
  }
  // A plain store.
  void announce_to_sleeper(front& f) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    wake(f);
  }
  std::uint64_t rings() const { return rings_; }

 private:
  static constexpr std::uint32_t attend_after = 16;  // messages since the last sleep

  void attend();
  void ring(front& f);
  void say() {
    own_->inbox.attention.store(
        (attends_ ? attends : 0u) | (refuses_ ? refuses : 0u) | (threads_ ? takes_whole : 0u),
        std::memory_order_release);  // sync: attention
  }

  front* own_ = nullptr;
  bool may_attend_, threads_;
  bool attends_ = false, refuses_ = false;
  // When we gave up attending, or asked to be woken, last. Relaxed: read by other threads before
  // they sleep, which learn the rest by the gate.
  std::atomic<std::uint64_t> gave_up_at_ = 0;
  std::uint32_t came_ = 0;
  std::uint64_t rings_ = 0;
};

}  // namespace loadstone::transport
