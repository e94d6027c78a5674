#include "p2p/pending_work.hpp"

#include <algorithm>
#include <utility>

#include "p2p/requests.hpp"
#include "p2p/unexpected_store.hpp"

namespace loadstone::p2p {

void pending_work::schedule(message_request* r) {
  if (r->scheduled) return;
  r->scheduled = true;
  steps_.push_back(r);
  if (endpoint.in_handler()) defer();
}

void pending_work::take_from_later(message_request* r) {
  if ((r->ties & tie::is_later) == 0) [[likely]]
    return;
  r->ties &= static_cast<std::uint8_t>(~tie::is_later);
  std::erase(later_, r);
}

void pending_work::drop(message_request* r) {
  take_from_later(r);
  if (!r->scheduled) return;
  r->scheduled = false;
  for (std::size_t i = steps_next_; i < steps_.size(); ++i)
    if (steps_[i] == r) steps_[i] = nullptr;
}

bool pending_work::call_back_later(message_request* r) {
  if ((!endpoint.in_handler() && !sending_) || r->on_complete == nullptr) return false;
  finished_.push_back(r);
  defer();
  return true;
}

void pending_work::await_turn() {
  const wait::reason why{.detail = "another thread's send"};
  (void)endpoint.wait_until([&] { return !sending_; }, why);
}

void pending_work::defer() {
  if (deferred_ || running_) return;
  deferred_ = true;
  endpoint.defer(run_deferred, this);
}

void pending_work::run_deferred(void* self) {
  auto* s = static_cast<pending_work*>(self);
  s->deferred_ = false;
  if (!s->running_) s->take_up_later();  // otherwise at the next poll of all
  if (s->live.any_watched()) [[unlikely]]
    s->live.check_watched();
  s->run();
}

// Before what has come since: that may be a long copy, and these may ask a peer for something.
void pending_work::take_up_later() {
  for (message_request* r : later_) r->ties &= static_cast<std::uint8_t>(~tie::is_later);
  std::erase_if(later_, [](message_request* r) { return std::exchange(r->scheduled, true); });
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(steps_next_), later_.begin(), later_.end());
  later_.clear();
}

// Everything a handler left to do. Callbacks may start operations, which may leave more to do: the
// loop sees it. While a user message waits to leave, transfers go on but callbacks wait: they could
// send.
void pending_work::run() {
  if (is_idle() || running_ || endpoint.in_handler()) return;
  running_ = true;
  for (;;) {
    if (finished_next_ < finished_.size() && !sending_) {
      live.call_back(finished_[finished_next_++]);
    } else if (steps_next_ < steps_.size()) {
      message_request* r = steps_[steps_next_++];
      if (r == nullptr) continue;
      r->scheduled = false;
      take_from_later(r);  // this is it
      r->by->step(r);
    } else {
      steps_.clear();
      finished_.erase(finished_.begin(), finished_.begin() + static_cast<std::ptrdiff_t>(finished_next_));
      steps_next_ = finished_next_ = 0;
      if (unexpected.kept_by_senders()) [[unlikely]]
        unexpected.take_in();
      if (steps_.empty() && (finished_.empty() || sending_)) break;
    }
  }
  running_ = false;
  if (!later_.empty() || live.any_watched()) [[unlikely]]
    defer();  // at the next poll
}

bool pending_work::is_idle() const {
  return steps_.empty() && finished_.empty() && later_.empty() && !unexpected.kept_by_senders() &&
         !live.any_watched();
}

void pending_work::take_in() {
  if (running_) return;
  running_ = true;
  endpoint.poll();
  running_ = false;
  if (!steps_.empty() || !finished_.empty() || !later_.empty() || live.any_watched()) defer();
}

// Out of line: most callers are on their way to something quick.
[[gnu::noinline]] bool pending_work::poll() {
  const bool any = endpoint.poll();
  run();
  return any;
}

}  // namespace loadstone::p2p
