#include "p2p/unexpected_store.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/fault.hpp"
#include "copy/kernels.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/record_store.hpp"
#include "p2p/requests.hpp"

namespace loadstone::p2p {

unexpected_store::~unexpected_store() {
  while (unexpected_message* m = matching.unexpected.first()) drop(arrival_of(m));
}

arrival* unexpected_store::make(const match_key& key, std::int64_t bytes) {
  arrival* a = pool_.take();
  a->key = key;
  a->bytes = bytes;
  a->kind = arrival::form::held;
  a->answered = a->unreadable = false;
  a->payload = nullptr;
  a->token = nullptr;
  a->sender = nullptr;
  a->where = nullptr;
  return a;
}

arrival* unexpected_store::keep(const match_key& key, deposit::incoming& message,
                                const answered_envelope* answered, deposit::verdict* what) {
  const std::size_t n = message.payload_bytes();
  arrival* a = make(key, static_cast<std::int64_t>(n));
  if (answered != nullptr) {
    a->answered = true;
    a->record = answered->record;
    a->generation = answered->generation;
  }
  *what = deposit::verdict::consumed;
  if (n <= inline_payload) {
    if (n > 0) copy::ordinary(a->stored, message.payload(), n);
    a->payload = a->stored;
  } else if (message.can_keep()) {
    a->kind = arrival::form::kept;
    a->payload = message.payload();
    a->token = message.token();
    *what = deposit::verdict::kept;
    LOADSTONE_FAULT_POINT("p2p.kept");
  } else {
    auto* kept = static_cast<std::byte*>(std::malloc(n));
    if (kept == nullptr) broken("out of memory for an unexpected message");
    a->unreadable = endpoint.payloads().unreadable(message.token());
    if (!a->unreadable) copy::ordinary(kept, message.payload(), n);
    a->kind = arrival::form::heap;
    a->payload = kept;
  }
  return a;
}

std::size_t unexpected_store::footprint(const arrival* a) {
  return sizeof(arrival) + (a->kind == arrival::form::heap ? static_cast<std::size_t>(a->bytes) : 0);
}

void unexpected_store::refuse(bool yes) {
  if (yes == refusing_) return;
  refusing_ = yes;
  endpoint.refuse_user_traffic(yes);
  if (yes) LOADSTONE_FAULT_POINT("p2p.refusing");
}

void unexpected_store::add(arrival* a) {
  matching.unexpected.append(a);
  if (config.events != nullptr)
    config.events->raise(base::event_kind::unexpected_message, a->key.process, a->key.tag, a->bytes);
  bytes_ += footprint(a);
  if (bytes_ > peak_) peak_ = bytes_;
  if (bytes_ > limit_) refuse(true);
}

void unexpected_store::take(arrival* a) {
  matching.unexpected.remove(a);
  bytes_ -= footprint(a);
  if (bytes_ <= limit_ / 2) refuse(false);
}

void unexpected_store::recycle(arrival* a) {
  if (a->kind == arrival::form::kept) endpoint.payloads().release(a->token);
  if (a->kind == arrival::form::heap) std::free(const_cast<std::byte*>(a->payload));
  pool_.give(a);
}

// Only erroneous programs leave messages behind; what they occupy is given back all the same.
void unexpected_store::drop_all(std::uint64_t context) {
  for (unexpected_message* m = matching.unexpected.first(); m != nullptr;) {
    unexpected_message* const next = m->next;
    if (m->key.context == context) drop(arrival_of(m));
    m = next;
  }
}

arrival* unexpected_store::find(const match_key& key, bool take_it) {
  while (unexpected_message* m = matching.unexpected.find(key)) {
    arrival* a = arrival_of(m);
    const bool is_void =
        a->answered && (take_it ? !records.claim(a->key.process, a->record, a->generation)
                                : records.cancelled(a->key.process, a->record, a->generation));
    if (!is_void) {
      if (take_it) take(a);
      return a;
    }
    drop(a);
  }
  return nullptr;
}

unexpected_store::fate unexpected_store::of_unmatched(channel& from, const match_key& key,
                                                      std::uint32_t sequence, std::int64_t bytes,
                                                      const answered_envelope* answered, bool queued) {
  const bool wanted = searching_ != nullptr && searched(key, bytes, answered);
  if (!wanted && queued && !may_come_in(from, key, sequence)) return fate::left;
  matching.check_order(from, key, sequence, wanted && queued);
  return wanted ? fate::wanted : fate::unexpected;
}

// A message in a queue matched nothing.
bool unexpected_store::may_come_in(channel& from, const match_key& key, std::uint32_t sequence) {
  const bool keeps = std::find(backlogged_.begin(), backlogged_.end(), key.process) != backlogged_.end();
  if (!keeps && !in_queues_ && (relieving_ || bytes_ < limit_)) return true;
  if (!keeps) backlogged_.push_back(key.process);
  matching.leave(from, key, sequence);
  if (taking_in_) endpoint.stop_search();
  LOADSTONE_FAULT_POINT("p2p.left_in_queue");
  return false;
}

void unexpected_store::search_for(message_request* r, const match_key& wanted) {
  wanted_by_ = r;
  search(wanted);
}

void unexpected_store::search_for(queue_search* h) {
  searching_ = h;
  search(h->key);
  searching_ = nullptr;
}

void unexpected_store::search(const match_key& wanted) {
  const bool outer = in_queues_;
  in_queues_ = true;
  // A poll may add processes; they have been searched in vain already if their messages could
  // match.
  const std::size_t most = backlogged_.size();
  for (std::size_t i = 0; i < most; ++i) {
    const std::uint32_t process = backlogged_[i];
    if (wanted.process != any_process && wanted.process != process) continue;
    if (!matching.may_be_left({wanted.context, process, wanted.tag})) continue;
    endpoint.search_queues(process);
    if (searching_ != nullptr ? searching_->found : wanted_by_->step != phase::posted) break;
  }
  in_queues_ = outer;
  wanted_by_ = nullptr;
  work.run();
}

void unexpected_store::take_in() {
  if (taking_in_ || in_queues_ || bytes_ > limit_ / 2) return;
  taking_in_ = true;
  for (std::size_t n = backlogged_.size(); n > 0 && bytes_ < limit_; --n) {
    // Whoever still keeps something goes to the end of the list: a sender cannot shut out the
    // others.
    const std::uint32_t process = backlogged_.front();
    backlogged_.erase(backlogged_.begin());
    endpoint.search_queues(process);
  }
  taking_in_ = false;
}

void unexpected_store::relieve(std::uint32_t process) {
  if (taking_in_ || in_queues_) return;
  taking_in_ = relieving_ = true;
  std::erase(backlogged_, process);
  endpoint.search_queues(process);
  taking_in_ = relieving_ = false;
  work.run();
}

// Is this what is searched for? Then it is recorded. True if it shall be taken (and, if its
// sender waits, it is claimed).
bool unexpected_store::searched(const match_key& key, std::int64_t bytes, const answered_envelope* answered) {
  queue_search& h = *searching_;
  if (h.found || !h.key.accepts(key)) return false;
  if (answered != nullptr) {
    if (h.take ? !records.claim(key.process, answered->record, answered->generation)
               : records.cancelled(key.process, answered->record, answered->generation)) {
      return false;  // left where it is; the receive that meets it will drop it
    }
  }
  h.found = true;
  if (in_queues_) endpoint.stop_search();
  h.process = key.process;
  h.tag = key.tag;
  h.bytes = bytes;
  return h.take;
}

}  // namespace loadstone::p2p
