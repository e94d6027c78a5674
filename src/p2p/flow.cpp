// What unexpected messages occupy here, and what is done when it is too much: the endpoint refuses user
// traffic, senders keep their messages in queues of their own, and receives and probes look there. Below half
// the limit messages are taken in again, in order.
//
// A message in a queue is offered once when it appears, and again whenever we look. It is left there when it
// matches nothing and there is no room, or when an older one of its sender was left: then that sender is a
// keeper. The limit is passed by what one poll can bring at most, from the inbox and from rings. Payload kept in a sender's cell is the
// sender's memory and not counted.
#include <cstdlib>
#include <cstring>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

arrival* engine::state::new_arrival(const match_key& key, std::int64_t bytes) {
  arrival* a = arrivals.take();
  a->key = key;
  a->bytes = bytes;
  a->kind = arrival::form::held;
  a->listed = false;
  a->answered = false;
  a->payload = nullptr;
  a->token = nullptr;
  a->sender = nullptr;
  a->where = nullptr;
  return a;
}

arrival* engine::state::keep(const match_key& key, deposit::incoming& message,
                             const answered_envelope* answered, deposit::verdict* what) {
  arrival* a = new_arrival(key, static_cast<std::int64_t>(message.payload_bytes()));
  if (answered != nullptr) {
    a->answered = true;
    a->record = answered->record;
    a->generation = answered->generation;
  }
  store_payload(a, message, what);
  return a;
}

void engine::state::store_payload(arrival* a, deposit::incoming& message, deposit::verdict* what) {
  const std::size_t n = message.payload_bytes();
  *what = deposit::verdict::consumed;
  if (n <= inline_payload) {
    if (n > 0) std::memcpy(a->stored, message.payload(), n);
    a->kind = arrival::form::held;
    a->payload = a->stored;
  } else if (message.can_keep()) {
    a->kind = arrival::form::kept;
    a->payload = message.payload();
    a->token = message.token();
    *what = deposit::verdict::kept;
    LOADSTONE_FAULT_POINT("p2p.kept");
  } else {
    auto* copy = static_cast<std::byte*>(std::malloc(n));
    if (copy == nullptr) broken("out of memory for an unexpected message");
    std::memcpy(copy, message.payload(), n);
    a->kind = arrival::form::heap;
    a->payload = copy;
  }
}

std::size_t engine::state::footprint(const arrival* a) const {
  return sizeof(arrival) + (a->kind == arrival::form::heap ? static_cast<std::size_t>(a->bytes) : 0);
}

void engine::state::add_unexpected(arrival* a) {
  unexpected.append(a);
  if (config.events != nullptr) {
    config.events->raise(base::event_kind::unexpected_message, a->key.process, a->key.tag, a->bytes);
  }
  counts.unexpected_bytes += footprint(a);
  if (counts.unexpected_bytes > counts.unexpected_bytes_peak)
    counts.unexpected_bytes_peak = counts.unexpected_bytes;
  if (!refusing && counts.unexpected_bytes > config.unexpected_limit) {
    refusing = true;
    endpoint.refuse_user_traffic(true);
    LOADSTONE_FAULT_POINT("p2p.refusing");
  }
}

void engine::state::take_unexpected(arrival* a) {
  unexpected.remove(a);
  counts.unexpected_bytes -= footprint(a);
  if (refusing && counts.unexpected_bytes <= config.unexpected_limit / 2) {
    refusing = false;
    endpoint.refuse_user_traffic(false);
  }
}

void engine::state::recycle(arrival* a) {
  if (a->kind == arrival::form::kept) endpoint.release(a->token);
  if (a->kind == arrival::form::heap) std::free(const_cast<std::byte*>(a->payload));
  arrivals.give(static_cast<matched_message*>(a));
}

void engine::set_unexpected_limit(std::size_t bytes) {
  state_->config.unexpected_limit = bytes;
  const bool refuse = state_->counts.unexpected_bytes > bytes;
  if (refuse == state_->refusing) return;
  state_->refusing = refuse;
  state_->endpoint.refuse_user_traffic(refuse);
}

// A message in a queue matched nothing: may it become an ordinary unexpected message?
bool engine::state::accept_from_queue(channel& from, const match_key& key, std::uint32_t sequence) {
  if (key.process >= keeps_messages.size()) keeps_messages.resize(key.process + 1);
  std::uint8_t& keeps = keeps_messages[key.process];
  if (keeps == 0 && !looking && (relieving || counts.unexpected_bytes < config.unexpected_limit)) return true;
  if (keeps == 0) {
    keeps = 1;
    keepers.push_back(key.process);
  }
  if (from.order.leave(sequence)) kept.add(key);
  if (taking_in) endpoint.stop_looking();
  LOADSTONE_FAULT_POINT("p2p.left_in_queue");
  return false;
}

// Offers what senders keep to the receive just posted (looking_for) or to the hunt, until it is satisfied.
void engine::state::look_into_queues(const match_key& wanted) {
  const bool outer = looking;
  looking = true;
  // A look may add keepers; they have been looked at in vain already if their messages could match.
  const std::size_t most = keepers.size();
  for (std::size_t i = 0; i < most; ++i) {
    const std::uint32_t process = keepers[i];
    if (wanted.process != any_process && wanted.process != process) continue;
    if (!kept.may_hold({wanted.context, process, wanted.tag})) continue;
    endpoint.look_into_queues(process);
    if (hunting != nullptr ? hunting->found : looking_for->step != phase::posted) break;
  }
  looking = outer;
  looking_for = nullptr;
  run_work();
}

// Takes in what senders keep, each sender's from the oldest, as far as there is room.
void engine::state::take_in() {
  if (taking_in || looking || counts.unexpected_bytes > config.unexpected_limit / 2) return;
  taking_in = true;
  for (std::size_t n = keepers.size(); n > 0 && counts.unexpected_bytes < config.unexpected_limit; --n) {
    // Whoever still keeps something goes to the end of the list: a sender cannot shut out the others.
    const std::uint32_t process = keepers.front();
    keepers.erase(keepers.begin());
    keeps_messages[process] = 0;
    endpoint.look_into_queues(process);
  }
  taking_in = false;
}

// All that this sender keeps, whatever the limit: it has no memory for more, and we may be waiting for what it would send next.
void engine::state::relieve(std::uint32_t process) {
  if (taking_in || looking || process >= keeps_messages.size()) return;
  taking_in = relieving = true;
  std::erase(keepers, process);
  keeps_messages[process] = 0;
  endpoint.look_into_queues(process);
  taking_in = relieving = false;
  run_work();
}

bool engine::state::hunted(const match_key& key, std::int64_t bytes, const answered_envelope* answered) {
  hunt& h = *hunting;
  if (h.found || !matches(h.key, key)) return false;
  if (answered != nullptr) {
    if (h.take ? !claim(key.process, answered->record, answered->generation)
               : cancelled(key.process, answered->record, answered->generation)) {
      return false;  // left where it is; the receive that meets it will drop it
    }
  }
  h.found = true;
  if (looking) endpoint.stop_looking();
  h.process = key.process;
  h.tag = key.tag;
  h.bytes = bytes;
  return h.take;
}

}  // namespace loadstone::p2p
