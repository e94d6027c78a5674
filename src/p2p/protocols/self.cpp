#include "p2p/protocols/self.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/fault.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/payload.hpp"

namespace loadstone::p2p {

void self_messages::send(message_request* r, send_mode mode) {
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
  std::byte* space = nullptr;
  if (mode != send_mode::synchronous && n <= config.eager_limit && unexpected.has_capacity())
    space = n <= inline_payload ? a->stored : static_cast<std::byte*>(std::malloc(n));
  if (space == nullptr) {
    a->kind = arrival::form::self;
    a->sender = r;
    r->state.unreceived = a;
    r->step = phase::offered;
    live.hold(r);
    return unexpected.add(a);
  }
  a->kind = n <= inline_payload ? arrival::form::held : arrival::form::heap;
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
