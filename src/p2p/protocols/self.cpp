#include "p2p/protocols/self.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/fault.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/payload.hpp"

namespace loadstone::p2p {

bool self_messages::send_now(scope& where, const message_data& data, std::int64_t bytes, std::int32_t tag) {
  const match_key key{where.context, self, tag};
  if (bytes > config.short_message || !unexpected.has_capacity()) return false;
  sent.count(bytes);
  if (posted_receive* const first = matching.find(key, matching.senders.at(key.context, self))) {
    message_request* const to = request_of(first);
    const bool simple = to->simple;
    live.match(to, key, bytes);
    LOADSTONE_FAULT_POINT("self.matched_now");
    to->data.take_all_from(data);
    to->stays_simple(simple);
    live.finish(to);
    return true;
  }
  arrival* const a = unexpected.make(key, bytes);
  data.pack(0, bytes, a->stored);
  a->payload = a->stored;
  unexpected.add(a);
  return true;
}

void self_messages::send(message_request* r, send_mode mode) {
  if (mode != send_mode::synchronous && send_now(*r->where, r->data, r->bytes, r->tag)) return live.finish(r);
  const match_key key{r->where->context, self, r->tag};
  sent.count(r->bytes);
  if (posted_receive* const first = matching.find(key, matching.senders.at(key.context, self))) {
    message_request* to = request_of(first);
    live.match(to, key, r->bytes);
    LOADSTONE_FAULT_POINT("self.matched");
    live.hold(r);
    return receive(to, r);
  }
  arrival* a = unexpected.make(key, r->bytes);
  const auto n = static_cast<std::size_t>(r->bytes);
  const bool leaves = mode != send_mode::synchronous && n <= config.eager_limit && unexpected.has_capacity();
  auto* const space = leaves ? static_cast<std::byte*>(std::malloc(n)) : nullptr;
  if (space == nullptr) {
    a->kind = arrival::form::self;
    a->sender = r;
    r->state.unreceived = a;
    r->step = phase::offered;
    live.hold(r);
    return unexpected.add(a);
  }
  a->kind = arrival::form::heap;
  a->payload = space;
  const std::int32_t error = copy_guarded(r, r->bytes, [&] { r->data.pack(0, r->bytes, space); });
  if (error != 0) {
    unexpected.recycle(a);
    return live.finish(r, error);
  }
  unexpected.add(a);
  live.finish(r);
}

void self_messages::receive(message_request* r, message_request* sender) {
  sender->state.unreceived = nullptr;  // from here on it cannot be cancelled
  sender->step = phase::moving;
  if (sender->bytes > 0 && r->bytes > 0) {
    if (!r->holds) live.hold(r);
    const std::int64_t bytes = std::min(sender->bytes, r->bytes);
    std::int32_t error = 0;
    work.move_apart(bytes,
                    [&] { error = copy_guarded(r, bytes, [&] { r->data.take_all_from(sender->data); }); });
    if (error != 0) {
      sender->result.unreachable = r->result.unreachable;
      live.finish(sender, error);
      return live.finish(r, error);
    }
  }
  live.finish(sender);
  live.finish(r);
}

}  // namespace loadstone::p2p
