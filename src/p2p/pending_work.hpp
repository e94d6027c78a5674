// What handlers leave to be done: steps of requests, callbacks. And whose turn it is to send and to
// move data, for what is done meanwhile must not overtake.
#pragma once

#include <atomic>
#include <vector>

#include "p2p/context.hpp"
#include "p2p/message_request.hpp"
#include "wait/gate.hpp"

namespace loadstone::p2p {

// Below, handing the gate over costs more than others gain.
inline constexpr std::int64_t long_move = 128 * 1024;

// Receives without a request before one that polls for everybody; calls of other kinds
// (poll_is_due).
inline constexpr std::uint32_t full_poll_every = 256;

class pending_work : context {
 public:
  explicit pending_work(const context& c) : context(c) {}

  // Its next step (r->by) is done outside handlers: now, at the end of this poll, or at the next
  // poll.
  void schedule(message_request* r);
  void schedule_next_poll(message_request* r) {
    r->ties |= tie::is_later;
    later_.push_back(r);
    defer();
  }
  void drop(message_request* r);  // no step of it is wanted any more
  // It has completed; its callback has to run, and may not now. False: it may.
  bool call_back_later(message_request* r);
  void defer();  // to the end of this poll, or to the next one
  void run();
  // Takes in what has come. All there is to do is for the next poll: whoever sends or receives now
  // may wait by then.
  void take_in();

  bool poll();
  // Relaxed, and not in one step: of calls that threads make at the same time some may not count.
  bool poll_is_due() {
    const std::uint32_t n = calls_.load(std::memory_order_relaxed) + 1;
    calls_.store(n, std::memory_order_relaxed);
    return n % full_poll_every == 0;
  }

  // Sends a user message. It may have to wait (for the peer's start, for memory) and polls
  // meanwhile: whatever else wants to send in that time comes after it, so that numbers leave in
  // order.
  template <class Send>
  deposit::outcome in_turn(Send&& leave) {
    if (sending_) [[unlikely]]
      await_turn();
    sending_ = true;
    const deposit::outcome o = leave();
    sending_ = false;
    if (!finished_.empty()) [[unlikely]]
      defer();
    return o;
  }
  bool sending() const { return sending_; }  // no other may overtake it

  // Moves data of matched requests, which nobody else touches: a long move lets other threads in
  // meanwhile.
  template <class Move>
  void move_apart(std::int64_t bytes, Move&& move) {
    if (bytes < long_move || !endpoint.gate().threads()) return move();
    const bool outer = running_;
    running_ = false;  // what others leave to do meanwhile they do themselves
    {
      wait::gate::recess others_in(endpoint.gate());
      move();
    }
    running_ = outer;
  }

 private:
  bool is_idle() const;  // run() would do nothing
  void take_from_later(message_request* r);
  void take_up_later();
  void await_turn();
  static void run_deferred(void* self);

  bool running_ = false;   // run() is on the stack
  bool deferred_ = false;  // it has been handed to the endpoint
  bool sending_ = false;
  std::atomic<std::uint32_t> calls_{0};             // as poll_is_due() counts them
  std::size_t steps_next_ = 0, finished_next_ = 0;  // done up to there: kept here, for threads take turns
  std::vector<message_request*> steps_;             // whose next step cannot be done in a handler
  std::vector<message_request*> finished_;          // completed in a handler, callback still to run
  std::vector<message_request*> later_;
};

}  // namespace loadstone::p2p
