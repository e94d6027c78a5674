// The life of a request: made, held while it is not complete, finished, announced, given back.
#pragma once

#include <vector>

#include "base/guarded.hpp"
#include "base/pool.hpp"
#include "p2p/context.hpp"
#include "p2p/error_class.hpp"
#include "p2p/message_request.hpp"
#include "p2p/record_store.hpp"
#include "p2p/sequences.hpp"
#include "p2p/unexpected_store.hpp"

namespace loadstone::p2p {

class requests : context {
 public:
  explicit requests(const context& c);

  // `spent`: one of ours that is done with, or null.
  message_request* make(request_kind kind, scope& where, const buffer& data, std::int32_t peer,
                        std::int32_t tag, request* spent) {
    auto* r = spent != nullptr ? static_cast<message_request*>(spent) : pool_.take();
    r->reset(kind);
    r->where = &where;
    r->data = message_data(data);
    r->bytes = r->data.bytes();
    r->peer = peer;
    r->tag = tag;
    return r;
  }
  // From now on it is not complete: keep type and scope.
  void hold(message_request* r) {
    r->holds = true;
    ++r->where->users;
    if (!r->data.predefined()) r->data.acquire_type();
  }
  // The same of a large message. How it goes is open while its owner does not wait for it.
  void hold_open(message_request* r) {
    hold(r);
    leave_open(r);
  }
  void leave_open(message_request* r) {
    if (r->waits || (r->ties & tie::may_wait_later) != 0) return;
    r->ties |= tie::may_wait_later;
    r->simple = false;
    open_.push_back(r);
  }
  const std::vector<message_request*>& open() const { return open_; }
  // Its owner stays in the library from now on until it is complete. False: that is known, or does
  // not matter.
  bool begins_to_wait(message_request* r) {
    if ((r->ties & tie::may_wait_later) == 0) return false;
    close(r);
    r->waits = true;
    return true;
  }
  // Completes, and gives its record back; callbacks run outside handlers.
  void finish(message_request* r) {
    r->step = phase::finished;
    if (r->holds) {
      r->holds = false;
      if (r->ties != 0 || r->scheduled) [[unlikely]]
        untie(r);
      --r->where->users;
      if (!r->data.predefined()) r->data.release_type();
    }
    if (r->own.at == nullptr && r->on_complete == nullptr && !r->detached) [[likely]]
      r->complete.store(true, std::memory_order_release);  // sync: request-complete
    else
      finish_with_more(r);
  }
  void finish(message_request* r, std::int32_t error) {
    r->result.error = error;
    if (error != 0) [[unlikely]]
      note_failure(r);
    finish(r);
  }
  // A send that needs no answer: it has left, or it has left and could not be read.
  void finish_sent(message_request* r) { finish(r, base::missing() ? error_buffer : 0); }
  // What a receive has come to, as its sender is told: truncation is the receiver's error alone.
  static std::int32_t shared_error(const message_request* r) {
    return r->result.error == error_buffer ? error_buffer : 0;
  }
  void announce(request* r);           // sets complete and calls back
  void call_back(message_request* r);  // the same, at the end of one of ours
  void recycle(message_request* r) { pool_.give(r); }
  // Its sender shall not claim it any more. False: it has.
  bool withdraw(message_request* r);
  // A message matches this posted receive: no other will.
  void match(message_request* r, const match_key& key, std::int64_t bytes) {
    unpost(r);
    if (r->own.at != nullptr && !withdraw(r)) [[unlikely]]
      broken("a message matches a receive that another one is deposited into");
    unexpected.matched(r);
    set_source(r, key.process, key.tag, bytes);
  }
  void unpost(message_request* r) {
    matching.posted.remove(r);
    r->simple = false;
    r->step = phase::idle;
  }
  void set_source(message_request* r, std::uint32_t process, std::int32_t tag, std::int64_t bytes) {
    if (r->peer == any_source) r->peer = rank_of(*r->where, process);
    r->process = process;
    r->result.source = r->peer;
    r->result.tag = tag;
    r->result.bytes = bytes;
    if (bytes > r->bytes) r->result.error = error_truncate;
  }
  // A transfer with it was given up because it is dead, or the job is ending: what comes from it
  // and names such a transfer names a request that is no more.
  bool lost(std::uint32_t process) const { return lost_[process] != 0; }

  // A held request stands still until somebody here polls; or no longer.
  void need(message_request* r);
  void rest(message_request* r) {
    if ((r->ties & tie::wants_progress) != 0) [[unlikely]]
      stop_wanting(r);
  }
  // Its peer has to do the next step, and does not say so when it dies: in a job without launcher
  // somebody has to poll.
  void watch(message_request* r);
  void unwatch(message_request* r);  // the next step is ours
  bool any_watched() const { return !watched_.empty(); }
  void check_watched();  // at each poll while there are any

 private:
  void finish_with_more(message_request* r);
  void note_failure(message_request* r);
  static void note_unreachable(message_request* r);
  void stop_wanting(message_request* r);
  void close(message_request* r) {
    r->ties &= static_cast<std::uint8_t>(~tie::may_wait_later);
    std::erase(open_, r);
  }
  void untie(message_request* r);

  const bool background_;               // there is a progress thread for requests that need this process
  const bool alone_;                    // no launcher sees who dies
  std::uint32_t asked_ = 0;             // at what is watched
  std::vector<message_request*> open_;  // that may be waited for later
  std::vector<message_request*> watched_;
  std::vector<std::uint8_t> lost_;  // by process
  base::pool<message_request> pool_;
};

}  // namespace loadstone::p2p
