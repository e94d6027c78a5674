// Pipelined: the sender packs blocks into its cells, the receiver unpacks them; a bounded number is on its
// way.
//
// Condition: none; what is left when nothing else is allowed (process_vm_* refused, layouts too fine,
//            transports that do not map).
// Copies:    2, overlapped: while the receiver unpacks one block the sender packs the next.
// Cost:      window x block of the sender's cells; an ack for every half window. Both sides have to be in the
//            library.
//
// The sender never waits for a cell: when there is none and nothing of this transfer is on its way that would
// bring an ack, it sends as much as fits a slot (which cannot be refused) and tries again when that has been
// acknowledged.
#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

struct block_filler {
  message_request* r;
  static void fill(void* c, std::size_t from, std::byte* destination, std::size_t bytes) {
    const auto* r = static_cast<block_filler*>(c)->r;
    datatype::pack(r->data.address, r->data.count, *r->data.type, r->moved + static_cast<std::int64_t>(from),
                   static_cast<std::int64_t>(bytes), destination);
  }
};

constexpr std::int64_t slot_payload = deposit::max_inline - sizeof(data_header);

}  // namespace

void engine::state::ask_pipeline(message_request* r) {
  const clearance header{r->record, reinterpret_cast<std::uint64_t>(r), r->moved, r->until};
  if (endpoint.send_active(r->process, deposit::handler_p2p_clear, deposit::traffic::control, &header,
                           sizeof header, nullptr, 0) == deposit::outcome::gone) {
    return finish(r, error_peer_aborted);
  }
  need(r);
  LOADSTONE_FAULT_POINT("pipelined.cleared");
}

// The sender's part: called when cleared and at each ack. Ends with `done` from the receiver.
void engine::state::pump(message_request* r) {
  const auto block = static_cast<std::int64_t>(config.pipeline_block);
  const std::int64_t window = block * config.pipeline_window;
  while (r->moved < r->until && r->moved - r->acknowledged < window) {
    std::int64_t bytes = r->until - r->moved < block ? r->until - r->moved : block;
    // Asked for at each half window, so that the next blocks leave before the window is used up.
    bool ask = r->moved + bytes - r->asked >= window / 2;
    data_header header{r->peer_token, r->moved, ask ? 1u : 0u};
    block_filler filler{r};
    auto sent =
        endpoint.send_active(r->process, deposit::handler_p2p_data, deposit::traffic::control, &header,
                             sizeof header, block_filler::fill, &filler, static_cast<std::size_t>(bytes));
    if (sent == deposit::outcome::again) {
      if (r->asked > r->acknowledged) return;  // the ack under way calls us again
      bytes = bytes < slot_payload ? bytes : slot_payload;
      ask = true;
      header.acknowledge = 1;
      sent =
          endpoint.send_active(r->process, deposit::handler_p2p_data, deposit::traffic::control, &header,
                               sizeof header, block_filler::fill, &filler, static_cast<std::size_t>(bytes));
    }
    if (sent != deposit::outcome::sent) {
      give_record(r);
      return finish(r, error_peer_aborted);
    }
    r->moved += bytes;
    if (ask) r->asked = r->moved;
    LOADSTONE_FAULT_POINT("pipelined.half_sent");
  }
}

deposit::verdict engine::state::on_data(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const handler_guard guard(s);
  const auto& header = *reinterpret_cast<const data_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  if (header.offset != r->moved || r->moved + bytes > r->until)
    broken("a block of a pipelined message is out of place");
  datatype::unpack(const_cast<void*>(r->data.address), r->data.count, *r->data.type, r->moved, bytes,
                   message.payload());
  r->moved += bytes;
  LOADSTONE_FAULT_POINT("pipelined.half_received");
  if (r->moved == r->until) {
    if (r->step == phase::sharing)
      s.block_arrived(r);
    else
      s.end_receive(r, 0);
  } else if (header.acknowledge != 0) {
    const ack_header ack{r->record, r->moved};
    s.send_control(r->process, deposit::handler_p2p_ack, &ack, sizeof ack);
  }
  return deposit::verdict::consumed;
}

deposit::verdict engine::state::on_ack(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const handler_guard guard(s);
  const auto& header = *reinterpret_cast<const ack_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(s.record_at(header.record)->request);
  r->acknowledged = header.taken;
  s.schedule(r);
  return deposit::verdict::consumed;
}

}  // namespace loadstone::p2p
