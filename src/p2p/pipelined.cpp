// Pipelined: the sender packs blocks into its cells, the receiver unpacks them; a bounded number is on its
// way.
//
// Condition: none; what is left when nothing else is allowed (process_vm_* refused, layouts too fine,
//            transports that do not map). And the way of choice (pass_through_cells) up to stream_limit, when both
//            ends are in the library until the message is through (MPI_Send, MPI_Recv, MPI_Sendrecv), and as
//            long as the sender finds it quicker (copy_costs.hpp).
//            Then the first block comes with the offer, if the receiver wanted the message before so; and what is no longer than
//            one block needs no offer (streams_at_once): it goes as an eager message does.
// Copies:    2, overlapped: while the receiver unpacks one block the sender packs the next. A receiver with one
//            thread follows within a block, too (transport/cell_layout.hpp).
// Cost:      window x block of the sender's cells; an ack for every half window. Both sides have to be in the
//            library. Nothing of the kernel's cost for a page, which is why two copies can be quicker than one.
//
// The sender never waits for a cell: when there is none and nothing of this transfer is on its way that would
// bring an ack, it sends as much as fits a slot (which cannot be refused) and tries again when that has been
// acknowledged.
//
// Source: docs/decisions/005.
#include <algorithm>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

struct block_filler {
  message_request* r;
  static void fill(void* c, std::size_t from, std::byte* destination, std::size_t bytes) {
    const auto* r = static_cast<block_filler*>(c)->r;
    r->data.pack(r->moved + static_cast<std::int64_t>(from), static_cast<std::int64_t>(bytes), destination);
  }
};

constexpr std::int64_t slot_payload = deposit::max_inline - sizeof(data_header);

// Where many transfers want cells at once, the longest have gone first.
constexpr std::int64_t usual_block = 64 * 1024;

// Enough of one transfer to follow a change at once.
constexpr std::int64_t timed_blocks = 4;
// Shorter ones are copied in little more time than it takes to announce them.
constexpr std::int64_t least_timed = 32 * 1024;

}  // namespace

// What a sender wishes for its message.
std::uint32_t engine::state::stream_of(const message_request* r) {
  if (!r->waits) return stream_nothing;
  if (r->bytes > static_cast<std::int64_t>(config.stream_limit)) return stream_waits;
  if (!endpoint.user().reaches(r->process)) return stream_all;
  switch (costs[r->process].choose(config.stream_rules)) {
    case copy_costs::way::cells:
      return stream_all;
    case copy_costs::way::look:
      return stream_one_block;
    case copy_costs::way::kernel:
      break;
  }
  return stream_waits;
}

// The way of choice for a message that is in nobody's arena, when both ends are in the library and will be, and the
// sender has found cells to be quicker.
bool engine::state::may_pass_through_cells(const message_request* r) {
  if (!r->waits || r->offered.stream != stream_all || r->offered.arena_offset != not_in_arena) return false;
  const std::int64_t bytes = shared_total(r);
  if (bytes > static_cast<std::int64_t>(config.stream_limit)) return false;
  memory::address where;  // in our arena the sender can copy into it
  return !r->data.one_block() || !arena.find(r->data.block(), static_cast<std::size_t>(bytes), &where);
}

bool engine::state::pass_through_cells(message_request* r) {
  if (!may_pass_through_cells(r)) return false;
  count(pipelined, r->until);
  ask_pipeline(r);
  return true;
}

// The first block has come with the offer, or is coming. The rest is asked for before we follow, so that the
// sender goes on at once.
bool engine::state::take_first_block(message_request* r, deposit::incoming& message) {
  // With several threads nobody may wait in a handler.
  if (endpoint.gate().threads() || !may_pass_through_cells(r)) return false;
  begin_transfer(r);
  count(pipelined, r->until);
  const std::int64_t n = std::min(r->until, static_cast<std::int64_t>(message.payload_bytes()));
  r->moved = n;
  if (n < r->until) ask_pipeline(r);
  if (r->step == phase::finished) return true;
  if (!copy_as_it_comes(r, 0, message.payload(), n, message.token()))
    finish(r, error_peer_aborted);
  else if (n == r->until)
    end_receive(r, 0);
  return true;
}

void engine::state::ask_pipeline(message_request* r) {
  const clearance header{r->record, reinterpret_cast<std::uint64_t>(r), r->moved, r->until};
  // With several threads nobody may wait in a handler for the rest of a block.
  const stream_order parts{};
  if (endpoint.send_active(r->process, deposit::handler_p2p_clear, deposit::traffic::control, &header,
                           sizeof header, &parts,
                           endpoint.gate().threads() ? 0 : sizeof parts) == deposit::outcome::gone) {
    return finish(r, error_peer_aborted);
  }
  need(r);
  expect_block(r);
  LOADSTONE_FAULT_POINT("pipelined.cleared");
}

// The next one is being copied in, and has to be copied out.
void engine::state::expect_block(const message_request* r) {
  expect_copy(r->process,
              2 * std::min(r->until - r->moved, static_cast<std::int64_t>(config.pipeline_block)));
}

// One block of at most `bytes` leaves.
deposit::outcome engine::state::send_block(message_request* r, std::int64_t bytes, bool acknowledge) {
  const auto handler = r->parts ? deposit::handler_p2p_part : deposit::handler_p2p_data;
  const data_header header{r->peer_token, r->moved, acknowledge ? 1u : 0u};
  return leave_block(r, handler, deposit::traffic::control, &header, sizeof header, bytes);
}

// May it leave as one block, which nobody answers? What both ends wait for and is quicker through cells: then it is so
// for a receiver that comes later, too. An advert goes before: its receiver is elsewhere.
bool engine::state::streams_at_once(const message_request* r) {
  if (!r->waits || r->bytes > at_once_limit) return false;
  if (!adverts.empty() && adverts.find({r->where->context, r->process}) != adverts.end()) return false;
  if (endpoint.user().reaches(r->process) &&
      costs[r->process].next(config.stream_rules) != copy_costs::way::cells)
    return false;
  memory::address where;
  return !r->data.one_block() || !arena.find(r->data.block(), static_cast<std::size_t>(r->bytes), &where);
}

deposit::outcome engine::state::stream_at_once(message_request* r) {
  const deposit::outcome sent = leave_timed(r->process, r->bytes, true, [&] {
    return send_eager(*r->where, r->data, r->bytes, r->peer, r->process, r->tag, nullptr);
  });
  if (sent == deposit::outcome::sent) (void)costs[r->process].choose(config.stream_rules);
  return sent;
}

// Runs `leave`, which copies that many bytes into cells; what it costs is remembered, and measured if `timed`.
template <class Leave>
deposit::outcome engine::state::leave_timed(std::uint32_t process, std::int64_t bytes, bool timed,
                                            Leave&& leave) {
  if (config.stream_limit == 0) return leave();
  copy_costs& known = costs[process];
  deposit::outcome sent{};
  if (bytes < least_timed || !timed || !known.settled(config.stream_rules)) {
    sent = leave();
  } else if (const double ns = time_of([&] { sent = leave(); }); sent == deposit::outcome::sent) {
    known.through_cells(config.stream_rules, bytes, ns);
  }
  if (sent == deposit::outcome::sent) known.settle(bytes);
  return sent;
}

// A message with `bytes` of the data, from r->moved on.
deposit::outcome engine::state::leave_block(message_request* r, std::uint8_t handler, deposit::traffic kind,
                                            const void* header, std::size_t header_bytes,
                                            std::int64_t bytes) {
  const auto n = static_cast<std::size_t>(bytes);
  check_moves(r, r->moved, bytes);
  if (!r->data.one_block()) {
    block_filler filler{r};
    return endpoint.send_active(r->process, handler, kind, header, header_bytes, block_filler::fill, &filler,
                                n);
  }
  const std::byte* from = r->data.block() + r->moved;
  const bool timed = r->until - r->moved <= timed_blocks * bytes;
  return leave_timed(r->process, bytes, timed, [&] {
    return endpoint.send_active(r->process, handler, kind, header, header_bytes, from, n);
  });
}

// The sender's part: called when cleared and at each ack. Ends with `done` from the receiver.
void engine::state::pump(message_request* r) {
  const auto block = static_cast<std::int64_t>(config.pipeline_block);
  const std::int64_t window = block * config.pipeline_window;
  while (r->moved < r->until && r->moved - r->acknowledged < window) {
    std::int64_t bytes = r->until - r->moved < block ? r->until - r->moved : block;
    // Asked for at each half window, so that the next blocks leave before the window is used up.
    bool ask = r->moved + bytes - r->asked >= window / 2;
    auto sent = send_block(r, bytes, ask);
    if (sent == deposit::outcome::again && bytes > usual_block) {
      bytes = usual_block;
      sent = send_block(r, bytes, ask);
    }
    if (sent == deposit::outcome::again) {
      if (r->asked > r->acknowledged) return;  // the ack under way calls us again
      bytes = bytes < slot_payload ? bytes : slot_payload;
      ask = true;
      sent = send_block(r, bytes, ask);
    }
    if (sent != deposit::outcome::sent) {
      give_record(r);
      return finish(r, error_peer_aborted);
    }
    r->moved += bytes;
    if (ask) r->asked = r->moved;
    LOADSTONE_FAULT_POINT("pipelined.half_sent");
  }
  expect_copy(r->process, r->moved - r->acknowledged);
}

deposit::verdict engine::state::on_data(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const data_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  if (header.offset != r->moved || r->moved + bytes > r->until)
    broken("a block of a pipelined message is out of place");
  if (!s.copy_as_it_comes(r, r->moved, message.payload(), bytes, message.token())) {
    s.finish(r, error_peer_aborted);
    return deposit::verdict::consumed;
  }
  r->moved += bytes;
  LOADSTONE_FAULT_POINT("pipelined.half_received");
  if (r->moved == r->until) {
    if (r->step == phase::sharing)
      s.block_arrived(r);
    else
      s.end_receive(r, 0);
    return deposit::verdict::consumed;
  }
  s.expect_block(r);
  if (header.acknowledge != 0) {
    const ack_header ack{r->record, r->moved};
    s.send_control(r->process, deposit::handler_p2p_ack, &ack, sizeof ack);
  }
  return deposit::verdict::consumed;
}

deposit::verdict engine::state::on_ack(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const ack_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(s.record_at(header.record)->request);
  r->acknowledged = header.taken;
  s.schedule(r);
  return deposit::verdict::consumed;
}

}  // namespace loadstone::p2p
