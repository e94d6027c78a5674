#include "p2p/protocols/pipeline.hpp"

#include <algorithm>
#include <cstring>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "copy/kernels.hpp"
#include "memory/liveness.hpp"
#include "p2p/peer_costs.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/eager.hpp"
#include "p2p/protocols/payload.hpp"
#include "p2p/protocols/rendezvous.hpp"

namespace loadstone::p2p {

namespace {

void fill(void* c, std::size_t from, std::byte* destination, std::size_t bytes) {
  const auto* r = static_cast<message_request*>(c);
  const std::int64_t at = r->moved + static_cast<std::int64_t>(from);
  if (r->data.one_block())
    copy::ordinary(destination, r->data.block() + at, bytes);
  else
    r->data.pack(at, static_cast<std::int64_t>(bytes), destination);
}

constexpr std::int64_t slot_payload = deposit::max_inline - sizeof(data_header);

// Where many transfers want cells at once, the longest have gone first.
constexpr std::int64_t least_block = 1024;

}  // namespace

pipeline::pipeline(const context& c)
    : context(c),
      block_(static_cast<std::int64_t>(c.config.pipeline_block)),
      coming_(c.job.header().capacity) {
  listen_to<&pipeline::on_clear, clearance>(endpoint, deposit::handler_p2p_clear, this);
  listen_to<&pipeline::on_data, data_header>(endpoint, deposit::handler_p2p_data, this,
                                             deposit::reading::checked);
  listen_to<&pipeline::on_ack, ack_header>(endpoint, deposit::handler_p2p_ack, this);
}

// --- sender ---

bool pipeline::start_at_once(message_request* r) {
  const deposit::outcome sent =
      small.send(*r->where, r->data, r->bytes, r->peer, r->process, r->tag, nullptr, &at_once);
  if (sent == deposit::outcome::again) return false;
  if (sent != deposit::outcome::sent) {
    live.finish(r, error_peer_aborted);
    return true;
  }
  live.finish_sent(r);
  return true;
}

void pipeline::on_clear(const clearance& header, deposit::incoming&) {
  message_request* r = records.request_at(header.record);
  r->moved = header.from;
  r->until = header.until;
  r->state.blocks = {header.from, header.from, header.receiver};
  r->step = phase::moving;
  r->by = this;
  costs.begins(r, copy_costs::way::cells);
  live.need(r);
  work.schedule(r);
}

// One block of at most `bytes` leaves. What cannot be read of it its receiver finds missing, and
// ends the message.
deposit::outcome pipeline::send_block(message_request* r, std::int64_t bytes, bool acknowledge) {
  constexpr auto handler = deposit::handler_p2p_data;
  data_header header{r->state.blocks.receiver, r->moved, acknowledge ? std::uint64_t{data_asks} : 0};
  constexpr auto kind = deposit::traffic::control;
  const auto n = static_cast<std::size_t>(bytes);
  offers.check_moves(r, r->moved, bytes);
  auto sent = deposit::outcome::sent;
  if (n <= deposit::max_inline) {  // so short a payload is not checked on its way
    std::byte few[deposit::max_inline];
    if (!base::guarded([&] { fill(r, 0, few, n); })) header.flags |= data_missing;
    sent = endpoint.send_active(r->process, handler, kind, &header, sizeof header, few, n);
  } else if (r->data.one_block()) {
    sent = endpoint.send_active(r->process, handler, kind, &header, sizeof header, r->data.block() + r->moved,
                                n);
  } else {
    sent = endpoint.send_active(r->process, handler, kind, &header, sizeof header, fill, r, n);
  }
  if (base::missing()) [[unlikely]]
    r->result.unreachable = base::take_missing();
  return sent;
}

// Called when cleared and at each ack. Ends with `done` from the receiver.
void pipeline::step(message_request* r) {
  if (r->kind == request_kind::receive) return ask(r);
  pipeline_progress& on_way = r->state.blocks;
  while (r->moved < r->until && r->moved - on_way.acknowledged < window()) {
    std::int64_t bytes = std::min(r->until - r->moved, block_);
    bool ask = r->moved + bytes - on_way.asked >= block_;
    auto sent = send_block(r, bytes, ask);
    while (sent == deposit::outcome::again && bytes > least_block) {
      bytes = std::max(bytes / 4, least_block);
      sent = send_block(r, bytes, ask);
    }
    if (sent == deposit::outcome::again) {
      if (on_way.asked > on_way.acknowledged) return;  // the ack under way calls us again
      bytes = std::min(bytes, slot_payload);
      ask = true;
      sent = send_block(r, bytes, ask);
    }
    if (sent != deposit::outcome::sent) return live.finish(r, error_peer_aborted);
    r->moved += bytes;
    if (ask) on_way.asked = r->moved;
    LOADSTONE_FAULT_POINT("pipelined.half_sent");
  }
  costs.expect(r->moved - on_way.acknowledged);
}

void pipeline::on_ack(const ack_header& header, deposit::incoming&) {
  message_request* r = records.request_at(header.record);
  r->state.blocks.acknowledged = header.taken;
  work.schedule(r);
}

// --- receiver ---

void pipeline::ask(message_request* r) {
  // relaxed: without its help the rest cannot be had. If its end is not known yet, the launcher
  // will end our wait, or we do (watch).
  if (job.process(r->process).dead.load(std::memory_order_relaxed) != 0) {
    memory::note_death(job, r->process);
    return offers.end_receive(r, error_peer_aborted);
  }
  if (coming_[r->process] && is_long(r->until - r->moved)) {
    r->state.fetch.asked_from = -1;
    live.watch(r);
    return work.schedule_next_poll(r);
  }
  r->state.fetch.asked_from = r->moved;
  if (is_long(r->until - r->moved)) coming_[r->process] = true;
  const clearance header{r->theirs.at, reinterpret_cast<std::uint64_t>(r), r->moved, r->until};
  if (send_control(r->process, deposit::handler_p2p_clear, header) == deposit::outcome::gone)
    return live.finish(r, error_peer_aborted);
  live.need(r);
  live.watch(r);
  expect_block(r);
  LOADSTONE_FAULT_POINT("pipelined.cleared");
}

// The next one is being copied in, and has to be copied out.
void pipeline::expect_block(const message_request* r) {
  costs.expect(2 * std::min(r->until - r->moved, block_));
}

void pipeline::on_data(const data_header& header, deposit::incoming& message) {
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  if (header.offset != r->moved || r->moved + bytes > r->until)
    broken("a block of a pipelined message is out of place");
  // What has failed is taken to its end all the same: its sender goes on.
  if (r->result.error != error_buffer) {
    const std::int32_t error =
        (header.flags & data_missing) != 0
            ? error_buffer
            : copy_as_it_comes(endpoint, r, r->moved, message.payload(), bytes, message.token());
    if (error == error_peer_aborted) {
      live.finish(r, error_peer_aborted);
      return;
    }
    if (error != 0) r->result.error = error;
    if (r->result.unreachable == nullptr && error == error_buffer) r->result.unreachable = base::elsewhere;
  }
  r->moved += bytes;
  LOADSTONE_FAULT_POINT("pipelined.half_received");
  if (r->moved == r->until) {
    if (is_long(r->until - r->state.fetch.asked_from)) coming_[r->process] = false;
    if (r->by == this)
      offers.end_receive(r, requests::shared_error(r));
    else
      r->by->range_moved(r);
    return;
  }
  expect_block(r);
  if ((header.flags & data_asks) != 0)
    (void)send_control(r->process, deposit::handler_p2p_ack, ack_header{r->theirs.at, r->moved});
}

}  // namespace loadstone::p2p
