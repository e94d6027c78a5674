#include "coll/schedule.hpp"

#include <utility>

#include "base/fault.hpp"
#include "coll/areas_inl.hpp"
#include "datatype/type.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

// From the first step on.
void schedule::rewind(waited how) {
  error_ = 0;
  given_up_ = false;
  cursor_ = 0;
  waited_ = how;
}

// As others see it.
void schedule::be_active() {
  // relaxed: other threads learn of this request only from this thread, or under the gate
  complete.store(false, std::memory_order_relaxed);
  result = {};
  pending_ = 0;
  active_ = true;
}

void schedule::join_line() {
  there_.in_line = true;
  areas_->line().join(*this);
}

void schedule::start(bool in_background) {
  rewind(in_background ? waited::not_yet : waited::from_start);
  be_active();
  if (in_background) {
    hold_scopes();
    messages_.want_progress(true);
  }
  LOADSTONE_FAULT_POINT("coll.started");
  if (areas_ != nullptr) return join_line();
  advance();
}

// Nobody sees it, and no completion comes back into it, before it has posted a message or waits: so
// most of what start() and finish() do is left out until then. The line is empty, unless one has
// been abandoned there.
bool schedule::run_at_once() {
  if (!areas_->line().is_empty()) [[unlikely]] {
    start(false);
    return false;
  }
  rewind(waited::from_start);
  if (go_on_without_messages() && cursor_ == steps_.size()) [[likely]] {
    LOADSTONE_FAULT_POINT("coll.done_at_once");
    if (std::exchange(there_.begun, false)) areas_->finish(there_.uses_slots);
    return true;
  }
  be_active();
  join_line();
  return false;
}

void schedule::hold_scopes() {
  for (p2p::scope* s : scopes_)
    if (s) ++s->users;
}

void schedule::abandon() {
  abandoned_ = true;
  if (waited_ == waited::from_start) hold_scopes();
}

void schedule::leave_background() {
  if (std::exchange(there_.looking, false)) lookers_->remove(*this);
  if (waited_ != waited::from_start) messages_.want_progress(false);
  for (p2p::scope* s : scopes_)
    if (s) --s->users;
}

void schedule::be_collective(std::uint32_t number) {
  number_ = number;
  on_complete = nullptr;
  context = nullptr;
}

void schedule::post(step& s) {
  const std::int32_t tag = first_tag(number_, does_) + s.phase;
  p2p::request* r = s.what == action::send ? messages_.send(*s.where, s.data, s.peer, tag)
                                           : messages_.receive(*s.where, s.data, s.peer, tag);
  // relaxed: completions of our messages happen under the gate, which this thread holds
  if (r->complete.load(std::memory_order_relaxed)) {
    absorb(*r);
    const bool unsent = r->result.error == p2p::error_no_memory;
    messages_.free(r);
    // Whoever waits for it cannot go on, and neither can we.
    if (unsent) give_up(p2p::error_no_memory);
    return;
  }
  s.request = r;
  r->context = &s;
  r->on_complete = &schedule::on_message;
  ++pending_;
  if (waited_ != waited::not_yet) messages_.wait_begins(*r);
}

void schedule::absorb(p2p::request& r) {
  if (r.result.error != 0 && error_ == 0) error_ = r.result.error;
}

void schedule::on_message(p2p::request& r, void* context) {
  step& s = *static_cast<step*>(context);
  schedule& self = *s.owner;
  self.absorb(r);
  s.request = nullptr;
  --self.pending_;
  if (p2p::request* previous = std::exchange(self.spent_, &r)) self.messages_.free(previous);
  self.advance();
}

void schedule::resume(void* self) {
  auto& s = *static_cast<schedule*>(self);
  s.left_ = false;
  s.advance();
}

void schedule::give_up(std::int32_t error) {
  if (error_ == 0) error_ = error;
  given_up_ = true;
  cursor_ = steps_.size();
  // A message may be cancelled at once, or complete by another's completion.
  const bool outer = std::exchange(advancing_, true);
  for (step& s : steps_)
    if (s.request != nullptr) messages_.cancel(s.request);
  advancing_ = outer;
  advance();
}

void schedule::finish() {
  LOADSTONE_FAULT_POINT("coll.finished");
  active_ = false;
  if (std::exchange(there_.begun, false)) {
    if (given_up_) staying_.withdraw(*areas_);
    areas_->finish(there_.uses_slots);
  }
  if (waited_ != waited::from_start || abandoned_) leave_background();
  result.error = error_;
  // Whoever is next in line keeps the areas.
  schedule_line* const line =
      std::exchange(there_.in_line, false) && areas_->line().leave(*this) ? &areas_->line() : nullptr;
  if (abandoned_) {
    release_parts();
    // Cleared when it is taken out again, as `spent_` is still in use up the stack.
    reuse_.idle->push_back(this);
  } else {
    messages_.complete(*this);
  }
  if (line != nullptr) line->go_on();
}

void schedule::release_parts() {
  definitions_.release();
  own_areas_.reset();
  areas_ = nullptr;
  staying_.give_back();
  scratch_.recycle();
}

void schedule::clear() {
  if (spent_) messages_.free(std::exchange(spent_, nullptr));
  release_parts();
  steps_.clear();
  scopes_[0] = scopes_[1] = nullptr;
  on_complete = nullptr;
  context = nullptr;
  abandoned_ = false;
  there_.uses_slots = false;
  staying_.clear();
}

}  // namespace loadstone::coll
