// Cancelling. A receive can be cancelled until it matches. A send can be cancelled while somebody still has
// to answer it: its record decides, by compare-and-swap, between the receiver that matches and the sender
// that cancels; neither has to ask the other, and the status tells the truth. The envelope that stays behind
// is void: whoever meets it next throws it away.
#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

void engine::cancel(request* base) {
  auto* r = static_cast<message_request*>(base);
  state& s = *state_;
  if (r->step == phase::posted) {
    if (!s.withdraw(r)) return;  // a message is being deposited
    s.posted.remove(r);
    r->result.cancelled = true;
    return s.finish(r);
  }
  if (r->kind != request_kind::send || r->step != phase::offered) return;
  if (r->message != nullptr) {  // to ourselves
    arrival* a = r->message;
    r->message = nullptr;
    s.drop(a);
    r->result.cancelled = true;
    return s.finish(r);
  }
  // Where the receiver cannot map the record it cannot claim it either: the message may be matched without
  // our knowing.
  if (r->own == nullptr || !s.endpoint.way_to(r->process).mapped) return;
  std::uint64_t expected = state_word(r->generation, record_pending);
  // sync: record-claim
  if (!r->own->state.compare_exchange_strong(expected, state_word(r->generation, record_cancelled),
                                             std::memory_order_acq_rel, std::memory_order_acquire)) {
    return;
  }
  LOADSTONE_FAULT_POINT("p2p.cancelled");
  s.give_record(r);
  r->result.cancelled = true;
  s.finish(r);
}

}  // namespace loadstone::p2p
