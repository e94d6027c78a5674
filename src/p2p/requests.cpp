#include "p2p/requests.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "memory/liveness.hpp"
#include "p2p/peer_costs.hpp"
#include "p2p/pending_work.hpp"

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
  if (!work.call_back_later(r)) call_back(r);
}

void requests::call_back(message_request* r) {
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
  work.defer();
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
  work.drop(r);  // something else has finished it
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

}  // namespace loadstone::p2p
