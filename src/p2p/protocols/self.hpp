// Messages of a process to itself.
//
// Copies:    1, layout to layout, when the receive is posted or the message is too large to buffer;
//            2 (packed into memory of ours) for standard sends up to eager_limit that come before
//            their receive, as long as there is capacity for unexpected messages.
// Cost:      no active message. A send that is not buffered completes when it is received.
// Model:     none: a copy within one process is not modelled.
#pragma once

#include "p2p/requests.hpp"

namespace loadstone::p2p {

class self_messages final : context {
 public:
  explicit self_messages(const context& c) : context(c) {}
  void send(message_request* r, send_mode mode);
  // A short one, without a request. False: nothing has been done.
  bool send_now(scope& where, const message_data& data, std::int64_t bytes, std::int32_t tag);
  // Both requests are at hand: one pass over the two layouts.
  void receive(message_request* r, message_request* sender);

  tally sent;
};

}  // namespace loadstone::p2p
