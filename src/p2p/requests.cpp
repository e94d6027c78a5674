#include "p2p/requests.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "memory/liveness.hpp"
#include "p2p/peer_costs.hpp"

namespace loadstone::p2p {

namespace {

// Whether a peer is alive is asked of the system: one question in so many polls, which a sleeping
// waiter makes seldom.
constexpr std::uint32_t death_check_every = 32;

}  // namespace

requests::requests(const context& c)
    : context(c),
      background_(c.endpoint.background().is_for_all()),
      alone_(c.job.header().launcher == 0),
      lost_(c.job.header().capacity) {}

bool requests::withdraw(message_request* r) {
  if (!record_store::withdraw(r)) return false;
  LOADSTONE_FAULT_POINT("advert.withdrawn");
  records.give(r);
  return true;
}

void requests::finish_with_more(message_request* r) {
  if (r->own.at != nullptr) records.give(r);
  if ((endpoint.in_handler() || sending_) && r->on_complete != nullptr) {
    finished_.push_back(r);
    defer();
    return;
  }
  const bool ours =
      r->detached;  // read first: a callback may free the request, and another may get the object
  announce(r);
  if (ours) recycle(r);
}

void requests::note_failure(message_request* r) {
  if (r->kind == request_kind::send) r->result.source = r->peer, r->result.tag = r->tag;
  if (r->result.error == error_peer_aborted) lost_[r->process] = 1;
  if (r->result.error == error_buffer) note_unreachable(r);
}

// By a copy of ours, or by the kernel, which does not say what.
void requests::note_unreachable(message_request* r) {
  const void*& at = r->result.unreachable;
  if (at == nullptr) at = base::take_missing();
  if (at == nullptr && r->data.one_block())
    at = base::first_missing(r->data.block(), static_cast<std::size_t>(r->bytes),
                             r->kind == request_kind::receive);
  if (at == base::elsewhere) at = nullptr;
}

void requests::announce(request* r) {
  auto* call = r->on_complete;
  r->complete.store(true, std::memory_order_release);  // sync: request-complete
  if (call != nullptr) call(*r, r->context);
}

void requests::need(message_request* r) {
  if (!background_ || (r->ties & tie::wants_progress) != 0) [[likely]]
    return;
  r->ties |= tie::wants_progress;
  r->simple = false;
  endpoint.background().want(true);
}

void requests::stop_wanting(message_request* r) {
  r->ties &= static_cast<std::uint8_t>(~tie::wants_progress);
  endpoint.background().want(false);
}

void requests::watch(message_request* r) {
  if (!alone_ || (r->ties & tie::is_watched) != 0) [[likely]]
    return;
  r->ties |= tie::is_watched;
  watched_.push_back(r);
  defer();
}

void requests::unwatch(message_request* r) {
  if ((r->ties & tie::is_watched) == 0) [[likely]]
    return;
  r->ties &= static_cast<std::uint8_t>(~(tie::is_watched | tie::seemed_dead));
  std::erase(watched_, r);
}

void requests::untie(message_request* r) {
  rest(r);
  if ((r->ties & tie::may_wait_later) != 0) close(r);
  if ((r->ties & tie::is_timed) != 0) costs.ends(r);
  unschedule(r);  // something else has finished it
  if (r->ties != 0) std::erase(watched_, r);
  r->ties = 0;
}

void requests::check_watched() {
  if (++asked_ % death_check_every != 0) return;
  // What it sent before it died may still be unread: the next poll takes that in, and then it is
  // decided. Callbacks may change the list: what one pass leaves out the next one sees.
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    message_request* r = watched_[i];
    if (memory::is_alive(job, r->process)) continue;
    if ((r->ties & tie::seemed_dead) == 0) {
      r->ties |= tie::seemed_dead;
      asked_ = death_check_every - 1;
      continue;
    }
    finish(r, error_peer_aborted);
  }
}

void requests::await_turn() {
  const wait::reason why{.detail = "another thread's send"};
  (void)endpoint.wait_until([&] { return !sending_; }, why);
}

void requests::schedule(message_request* r) {
  if (r->scheduled) return;
  r->scheduled = true;
  work_.push_back(r);
  if (endpoint.in_handler()) defer();
}

void requests::take_from_later(message_request* r) {
  if ((r->ties & tie::is_later) == 0) [[likely]]
    return;
  r->ties &= static_cast<std::uint8_t>(~tie::is_later);
  std::erase(later_, r);
}

void requests::unschedule(message_request* r) {
  take_from_later(r);
  if (!r->scheduled) return;
  r->scheduled = false;
  for (std::size_t i = work_next_; i < work_.size(); ++i)
    if (work_[i] == r) work_[i] = nullptr;
}

void requests::defer() {
  if (deferred_ || running_) return;
  deferred_ = true;
  endpoint.defer(run_deferred, this);
}

void requests::run_deferred(void* self) {
  auto* s = static_cast<requests*>(self);
  s->deferred_ = false;
  if (!s->running_) {  // otherwise at the next poll of all
    for (message_request* r : s->later_) {
      r->ties &= static_cast<std::uint8_t>(~tie::is_later);
      s->schedule(r);
    }
    s->later_.clear();
  }
  if (!s->watched_.empty()) [[unlikely]]
    s->check_watched();
  s->run_work();
}

// Everything a handler left to do. Callbacks may start operations, which may leave more to do: the
// loop sees it. While a user message waits to leave, transfers go on but callbacks wait: they could
// send.
void requests::run_work() {
  if (running_ || endpoint.in_handler()) return;
  running_ = true;
  for (;;) {
    if (finished_next_ < finished_.size() && !sending_) {
      message_request* r = finished_[finished_next_++];
      const bool ours = r->detached;
      announce(r);
      if (ours) recycle(r);
    } else if (work_next_ < work_.size()) {
      message_request* r = work_[work_next_++];
      if (r == nullptr) continue;
      r->scheduled = false;
      take_from_later(r);  // this is it
      r->by->step(r);
    } else {
      work_.clear();
      finished_.erase(finished_.begin(), finished_.begin() + static_cast<std::ptrdiff_t>(finished_next_));
      work_next_ = finished_next_ = 0;
      if (unexpected.kept_by_senders()) [[unlikely]]
        unexpected.take_in();
      if (work_.empty() && (finished_.empty() || sending_)) break;
    }
  }
  running_ = false;
  if (!later_.empty() || !watched_.empty()) [[unlikely]]
    defer();  // at the next poll
}

void requests::take_in() {
  if (running_) return;
  running_ = true;
  endpoint.poll();
  running_ = false;
  if (!work_.empty() || !finished_.empty() || !later_.empty() || !watched_.empty()) defer();
}

// Out of line: most callers are on their way to something quick.
[[gnu::noinline]] bool requests::poll() {
  const bool any = endpoint.poll();
  run_work();
  return any;
}

}  // namespace loadstone::p2p
