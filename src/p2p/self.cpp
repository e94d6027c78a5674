// Messages of a process to itself.
//
// Condition: sender and receiver are the same process.
// Copies:    1, layout to layout, when the receive is posted or the message is too large to buffer; 2 (packed
//            into memory of ours) for standard sends up to eager_limit that come before their receive, as
//            long as unexpected messages have room.
// Cost:      no active message.
//
// A send that is not buffered completes when it is received: a blocking one without a posted receive waits,
// as MPI allows.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

void engine::state::send_to_self(message_request* r, send_mode mode) {
  const match_key key{r->where->context, self, r->tag};
  count(self_message, r->bytes);
  if (message_request* to = posted.find(key, incoming.at(key.context, self))) {
    posted.remove(to);
    LOADSTONE_FAULT_POINT("self.matched");
    set_source(to, self, r->tag, r->bytes);
    hold(r);
    return receive_from_self(to, r);
  }
  arrival* a = new_arrival(key, r->bytes);
  const auto n = static_cast<std::size_t>(r->bytes);
  std::byte* space = nullptr;
  if (mode != send_mode::synchronous && n <= config.eager_limit &&
      counts.unexpected_bytes <= config.unexpected_limit) {
    space = n <= inline_payload ? a->stored : static_cast<std::byte*>(std::malloc(n));
  }
  if (space == nullptr) {
    a->kind = arrival::form::self;
    a->sender = r;
    r->message = a;
    r->step = phase::offered;
    hold(r);
    return add_unexpected(a);
  }
  a->kind = n <= inline_payload ? arrival::form::held : arrival::form::heap;
  a->payload = space;
  if (n > 0) r->data.pack(0, r->bytes, space);
  add_unexpected(a);
  finish(r);
}

// Both requests are at hand: one pass over the two layouts.
void engine::state::receive_from_self(message_request* r, message_request* sender) {
  sender->message = nullptr;  // from here on it cannot be cancelled
  sender->step = phase::incoming;
  if (sender->bytes > 0 && r->bytes > 0) {
    if (!r->holds) hold(r);
    move_apart(std::min(sender->bytes, r->bytes), [&] { r->data.take_all_from(sender->data); });
  }
  finish(sender);
  finish(r);
}

}  // namespace loadstone::p2p
