// The numbers of all active-message handlers, in one place so that they cannot collide.
#pragma once

#include <cstdint>

namespace loadstone::deposit {

enum handler_number : std::uint8_t {
  handler_deposit_atomic = 0,  // 0–7: deposit itself
  handler_deposit_atomic_done = 1,
  handler_deposit_signal = 2,
  handler_deposit_offer = 3,
  handler_p2p_eager = 8,
  handler_p2p_rendezvous = 9,
  handler_p2p_clear = 10,
  handler_p2p_done = 11,
  handler_p2p_data = 12,
  handler_p2p_ack = 13,
  handler_p2p_pushed = 14,
  handler_p2p_help = 15,
  handler_p2p_given_back = 16,
  handler_p2p_advert = 17,
  handler_p2p_taken = 18,
  handler_coll_note = 20,
  handler_rma_request = 30,  // 30–39
  handler_rma_answer = 31,
  handler_rma_handed = 32,
  // from 40 on: tests
};

}  // namespace loadstone::deposit
