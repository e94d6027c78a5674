#include "p2p/receives.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/adverts.hpp"
#include "p2p/protocols/eager.hpp"
#include "p2p/protocols/rendezvous.hpp"
#include "p2p/protocols/self.hpp"

namespace loadstone::p2p {

// An unexpected message for a receive that is about to be posted, if there is one.
bool receives::take_unexpected(message_request* r, const match_key& key) {
  arrival* const a = unexpected.find(key, true);
  if (a == nullptr) return false;
  from(r, a);
  work.run();
  return true;
}

// A receive that others are told of, or whose message may stand in a queue.
void receives::post_and_search(message_request* r, const match_key& key, channel* from) {
  // Its owner computes meanwhile, or the message is too long for both ends to copy through cells.
  const bool apart = !r->waits || r->bytes > static_cast<std::int64_t>(config.pipeline_limit);
  const bool advertised = r->bytes >= config.least_advertised && apart && matching.posted.may_advertise(key);
  live.leave_open(r);
  matching.post(r, key, from);
  if (matching.may_be_left(key))
    unexpected.search_for(r, key);
  else if (advertised)
    told.advertise(r, key);
  // A large message would only say where it is. What the sender can fill alone does not need us.
  if (r->bytes > static_cast<std::int64_t>(config.eager_limit) && r->step == phase::posted &&
      r->own.at == nullptr)
    live.need(r);
}

void receives::from(message_request* r, arrival* a) {
  LOADSTONE_FAULT_POINT("unexpected.matched");
  live.set_source(r, a->key.process, a->key.tag, a->bytes);
  switch (a->kind) {
    case arrival::form::kept:
    case arrival::form::held:
    case arrival::form::heap:
      return small.receive(r, a);
    case arrival::form::self:
      to_self.receive(r, a->sender);
      break;
    case arrival::form::rendezvous:
      offers.receive(r, a);
      break;
  }
  unexpected.recycle(a);
}

}  // namespace loadstone::p2p
