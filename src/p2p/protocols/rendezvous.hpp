// Rendezvous: the envelope says where the data lies; whoever comes second moves it. Offers and
// answers, which all ways of large messages share; which of them moves the data says choice.hpp.
#pragma once

#include <vector>

#include "p2p/peer_costs.hpp"
#include "p2p/requests.hpp"

namespace loadstone::p2p {

class rendezvous : context {
 public:
  explicit rendezvous(const context& c);

  // --- sender ---
  void start(message_request* r, std::uint32_t wish);  // offers it, with what the sender wishes
  answered_envelope envelope_of(const message_request* r, const scope::sequences::member& to) const {
    return {envelope::of(r->where->context, to.sent, r->tag), records.address_of(r), r->own.generation, 0};
  }
  // Where its data lies, into r->offered.
  void describe(message_request* r);
  // With fault points compiled in: packed bytes [from, from + bytes) lie where the offer says.
#ifdef LOADSTONE_FAULTS
  void check_moves(const message_request* r, std::int64_t from, std::int64_t bytes);
#else
  void check_moves(const message_request*, std::int64_t, std::int64_t) {}
#endif

  // --- receiver ---
  void receive(message_request* r, const arrival* a);        // matched: an offer that has arrived
  void end_receive(message_request* r, std::int32_t error);  // completes it and answers the sender
  void send_done(std::uint32_t process, local_address record, std::uint32_t generation, std::int32_t error);
  // Would keeping it, or dropping it, wait for a sender that is writing it?
  static bool being_written(const deposit::endpoint& endpoint, const deposit::incoming& message) {
    return message.token() != nullptr && !message.can_keep() &&
           endpoint.payloads().written(message.token()) < message.payload_bytes();
  }
  // Nobody will receive it. It answers nothing: whoever waits for an answer has cancelled its
  // message, or errs.
  deposit::verdict drop_late(const match_key& key, std::uint32_t sequence, const deposit::incoming& message) {
    if (being_written(endpoint, message)) return deposit::verdict::left;
    matching.drop_late(key, sequence);
    return deposit::verdict::consumed;
  }

 private:
  deposit::verdict on_offer(deposit::incoming& message, bool queued);
  deposit::verdict on_done(deposit::incoming& message, bool queued);

  std::vector<offered_block> blocks_;  // scratch of describe()
};

}  // namespace loadstone::p2p
