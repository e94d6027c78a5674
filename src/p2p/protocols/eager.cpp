#include "p2p/protocols/eager.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "copy/kernels.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/eager_inl.hpp"
#include "p2p/protocols/payload.hpp"
#include "p2p/protocols/rendezvous.hpp"
#include "p2p/protocols/self.hpp"

namespace loadstone::p2p {

// --- sender ---

// Not what is too long for a cell, nor what the receiver takes from where it lies sooner than it
// would from a cell (docs/decisions/011).
bool eager::possible(const message_data& data, std::int64_t bytes, std::uint32_t process) const {
  if (bytes <= static_cast<std::int64_t>(config.direct_limit)) [[likely]]
    return true;
  if (bytes > static_cast<std::int64_t>(config.eager_limit)) return false;
  memory::address where;
  return !data.one_block() || !endpoint.route_to(process).mapped ||
         !arena.find(data.block(), static_cast<std::size_t>(bytes), &where);
}

bool eager::start(message_request* r, bool synchronous) {
  if (synchronous && !records.insist(r)) {
    live.finish(r, error_no_memory);
    return true;
  }
  switch (send(*r->where, r->data, r->bytes, r->peer, r->process, r->tag, synchronous ? r : nullptr)) {
    case deposit::outcome::gone:
      live.finish(r, error_peer_aborted);
      return true;
    case deposit::outcome::sent:
      if (!synchronous) {
        live.finish_sent(r);
        return true;
      }
      if (base::missing()) r->result.unreachable = base::take_missing();  // its receiver ends it
      r->step = phase::offered;
      live.hold(r);
      return true;
    case deposit::outcome::again:
      break;
  }
  return false;
}

deposit::outcome eager::send(scope& where, const message_data& data, std::int64_t bytes, std::int32_t peer,
                             std::uint32_t process, std::int32_t tag, const message_request* answered,
                             tally* as) {
  scope::sequences::member& to = sequences_of(where).of(peer);
  const auto n = static_cast<std::size_t>(bytes);
  const std::size_t header_bytes = answered == nullptr ? sizeof(envelope) : sizeof(answered_envelope);
  const deposit::outcome left = work.in_turn([&] {
    answered_envelope header;
    header.message = envelope::of(where.context, to.sent, tag);
    if (answered != nullptr) {
      header.record = records.address_of(answered);
      header.generation = answered->own.generation;
      header.unused = 0;
    }
    const auto fill = [](void* c, std::size_t from, std::byte* destination, std::size_t size) {
      static_cast<const message_data*>(c)->pack(static_cast<std::int64_t>(from),
                                                static_cast<std::int64_t>(size), destination);
    };
    const bool plain = n == 0 || data.one_block();
    return endpoint.send_active(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                                header_bytes, plain ? nullptr : static_cast<deposit::filler>(fill),
                                plain ? data.block() : static_cast<void*>(const_cast<message_data*>(&data)),
                                n);
  });
  if (left != deposit::outcome::sent) [[unlikely]] {
    (void)base::take_missing();
    if (left == deposit::outcome::again) ++no_cell;
    return left;
  }
  to.has_left();
  if (header_bytes + n <= deposit::max_inline) {
    short_sent.count(bytes);
    LOADSTONE_FAULT_POINT("short.sent");
  } else {
    (as != nullptr ? as : &sent)->count(bytes);
    LOADSTONE_FAULT_POINT("eager.sent");
  }
  return left;
}

[[gnu::noinline]] tried eager::send_now(scope& where, const buffer& from, std::int32_t peer, std::int32_t tag,
                                        send_mode mode) {
  const std::uint32_t process = where.peers[static_cast<std::size_t>(peer)];
  if (mode == send_mode::synchronous || base::missing()) return tried::nothing;
  const message_data data(from);
  const std::int64_t bytes = data.bytes();
  if (process == self) return to_self.send_now(where, data, bytes, tag) ? tried::sent : tried::nothing;
  if (!possible(data, bytes, process)) return tried::not_eager;
  switch (send(where, data, bytes, peer, process, tag, nullptr)) {
    case deposit::outcome::sent:
      return base::missing() ? tried::nothing : tried::sent;
    case deposit::outcome::again:
      return tried::no_cell;
    case deposit::outcome::gone:
      break;
  }
  return tried::nothing;
}

// --- receiver ---

// A message that is there as a whole, and due, for a simple receive. False: it takes more than
// that, and nothing has been done.
inline bool eager::receive_short(const envelope& header, std::uint32_t source, const std::byte* payload,
                                 std::size_t bytes) {
  channel* const from = matching.senders.newest(header.context, source);
  if (from == nullptr) [[unlikely]]
    return false;
  posted_receive* const first = matching.find({header.context, source, header.tag()}, *from);
  if (first == nullptr) [[unlikely]]
    return false;
  message_request* r = request_of(first);
  if (!r->simple || r->on_complete != nullptr || static_cast<std::int64_t>(bytes) > r->bytes ||
      !from->order.next_of_all(header.sequence())) [[unlikely]]
    return false;
  matching.posted.remove(first);
  r->result.source = r->peer;
  r->result.tag = header.tag();
  r->result.bytes = static_cast<std::int64_t>(bytes);
  std::byte* const to = r->data.block();
  if (bytes <= inline_payload) [[likely]]
    copy::small(to, payload, bytes);
  else
    copy::out_of_cell(to, payload, bytes, bytes);
  r->step = phase::finished;
  r->holds = false;
  --r->where->users;
  r->complete.store(true, std::memory_order_release);  // sync: request-complete
  return true;
}

inline deposit::verdict eager::on_message(deposit::incoming& message, bool queued) {
  if (message.header_bytes() == sizeof(envelope) && message.is_whole() &&
      message.payload_bytes() < base::least_guarded && !queued &&
      receive_short(header_of<envelope>(message), message.source(), message.payload(),
                    message.payload_bytes())) [[likely]]
    return deposit::verdict::consumed;
  return on_other(message, queued);
}

[[gnu::noinline]] deposit::verdict eager::on_other(deposit::incoming& message, bool queued) {
  const auto& header = header_of<answered_envelope>(message);
  const answered_envelope* const answered =
      message.header_bytes() == sizeof(answered_envelope) ? &header : nullptr;
  const std::uint32_t sequence = header.message.sequence();
  const match_key key{header.message.context, message.source(), header.message.tag()};

  channel* const from = matching.channel_of_arrival(key, sequence);
  if (from == nullptr) [[unlikely]]
    return offers.drop_late(key, sequence, message);
  posted_receive* const first = matching.find(key, *from);
  if (first == nullptr) return on_unmatched(*from, key, message, sequence, answered, queued);
  matching.check_order(*from, key, sequence, queued);
  if (answered != nullptr && !records.claim(key.process, answered->record, answered->generation)) [[unlikely]]
    return deposit::verdict::consumed;  // its sender has cancelled it
  message_request* r = request_of(first);
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  live.match(r, key, bytes);
  LOADSTONE_FAULT_POINT("eager.matched");
  deliver(r, message.payload(), bytes, message.token());
  if (answered != nullptr)
    offers.send_done(key.process, answered->record, answered->generation, requests::shared_error(r));
  end(r);
  return deposit::verdict::consumed;
}

deposit::verdict eager::on_unmatched(channel& from, const match_key& key, deposit::incoming& message,
                                     std::uint32_t sequence, const answered_envelope* answered, bool queued) {
  // It would have to be copied, and its sender may stop meanwhile: nobody shall wait for that who
  // has not asked for it.
  if (rendezvous::being_written(endpoint, message)) return deposit::verdict::left;
  const auto fate = unexpected.of_unmatched(
      from, key, sequence, static_cast<std::int64_t>(message.payload_bytes()), answered, queued);
  if (fate == unexpected_store::fate::left) return deposit::verdict::left;
  deposit::verdict what = deposit::verdict::consumed;
  unexpected.put(unexpected.keep(key, message, answered, &what), fate);
  return what;
}

bool eager::receive_kept(scope& where, arrival* a, const buffer& data, bool listed, outcome* result) {
  const message_data into(data);
  const bool whole =
      a->kind == arrival::form::held || a->kind == arrival::form::heap || a->kind == arrival::form::kept;
  if (!whole || a->answered || a->unreadable || !into.one_block() || a->bytes > into.bytes() ||
      a->bytes >= static_cast<std::int64_t>(base::least_guarded))
    return false;
  LOADSTONE_FAULT_POINT("unexpected.received");
  if (listed) unexpected.take(a);
  if (a->bytes != 0) copy::ordinary(into.block(), a->payload, static_cast<std::size_t>(a->bytes));
  *result = {rank_of(where, a->key.process), a->key.tag, 0, false, a->bytes};
  unexpected.recycle(a);
  return true;
}

void eager::receive(message_request* r, arrival* a) {
  deliver(r, a->payload, a->bytes, a->token);
  if (a->unreadable) r->result.error = error_buffer, r->result.unreachable = base::elsewhere;
  if (a->answered) offers.send_done(a->key.process, a->record, a->generation, requests::shared_error(r));
  end(r);
  unexpected.recycle(a);
}

// Copy-out of a message whose payload is at hand; never beyond the buffer. `token`: of the cell it
// is in.
inline void eager::deliver(message_request* r, const std::byte* payload, std::int64_t bytes, void* token) {
  const std::int64_t n = bytes < r->bytes ? bytes : r->bytes;
  if (n == 0) return;
  if (token != nullptr) {
    if (const std::int32_t error = copy_as_it_comes(endpoint, r, 0, payload, n, token))
      r->result.error = error;
  } else if (n >= static_cast<std::int64_t>(base::least_guarded)) {
    const std::int32_t error = copy_guarded(r, n, [&] {
      if (r->data.one_block())
        copy::ordinary(r->data.block(), payload, static_cast<std::size_t>(n));
      else
        r->data.unpack(0, n, payload);
    });
    if (error != 0) r->result.error = error;
  } else if (!r->data.one_block()) {
    r->data.unpack(0, n, payload);
  } else if (static_cast<std::size_t>(n) <= transport::slot_data_bytes) {
    copy::small(r->data.block(), payload, static_cast<std::size_t>(n));
  } else {
    copy::ordinary(r->data.block(), payload, static_cast<std::size_t>(n));
  }
}

void eager::end(message_request* r) {
  if (requests::shared_error(r) == 0) [[likely]]
    live.finish(r);
  else
    live.finish(r, error_buffer);
}

eager::eager(const context& c)
    : context(c), short_limit_(c.config.short_message), by_turns_limit_(c.config.by_turns) {
  listen<&eager::on_message>(endpoint, deposit::handler_p2p_eager, this, deposit::reading::following);
}

}  // namespace loadstone::p2p
