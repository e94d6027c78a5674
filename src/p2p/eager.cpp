// Short and eager: the message travels with its envelope in one active message.
//
// Condition: at most eager_limit bytes (direct_limit where the data lies in memory that the receiver can map), and
//            the endpoint has a cell (`again` otherwise: the message goes by rendezvous).
// Copies:    short (fits one inbox slot): 1 in, 1 out. Eager: packed into a cell of the sender's, unpacked
//            from there straight into the receive buffer, when it is posted; a message that comes before its
//            receive stays in the cell: 2 copies either way.
//            From 4 KiB on the two copies overlap (transport/cell_layout.hpp). A receiver with one thread waits
//            for the rest; with several it looks again at each poll, so that nobody is kept by a sender that
//            has stopped.
//            What goes by turns, up to 256 KiB, needs no cell (transport/pair_room.hpp); unexpected, it is moved
//            once more.
// Cost:      one slot, and for eager a cell that returns when the message is received.
//
// A synchronous send adds a record and is answered by `done` when it has been matched.
#include "base/fault.hpp"
#include "deposit/endpoint_inl.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

// Not what is too long for a cell, nor what the receiver takes from where it lies sooner than it would from a cell
// (docs/decisions/011).
bool engine::state::is_eager(const message_data& data, std::int64_t bytes, std::uint32_t process) const {
  if (bytes <= static_cast<std::int64_t>(config.direct_limit)) [[likely]]
    return true;
  if (bytes > static_cast<std::int64_t>(config.eager_limit)) return false;
  memory::address where;
  return !data.one_block() || !endpoint.way_to(process).mapped ||
         !arena.find(data.block(), static_cast<std::size_t>(bytes), &where);
}

deposit::outcome engine::state::send_eager(scope& where, const message_data& data, std::int64_t bytes,
                                           std::int32_t peer, std::uint32_t process, std::int32_t tag,
                                           const message_request* answered) {
  scope::sequences::member& to = sequences_of(where).of(peer);
  const auto n = static_cast<std::size_t>(bytes);
  const std::size_t header_bytes = answered == nullptr ? sizeof(envelope) : sizeof(answered_envelope);
  const deposit::outcome sent = in_turn([&] {
    answered_envelope header;
    header.message = envelope::of(where.context, to.sent, tag);
    if (answered != nullptr) {
      header.record = answered->record;
      header.generation = answered->generation;
      header.unused = 0;
    }
    if (n == 0 || data.one_block()) [[likely]]
      return endpoint.send_active(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                                  header_bytes, data.block(), n);
    const auto fill = [](void* c, std::size_t from, std::byte* destination, std::size_t size) {
      static_cast<const message_data*>(c)->pack(static_cast<std::int64_t>(from),
                                                static_cast<std::int64_t>(size), destination);
    };
    return endpoint.send_active(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                                header_bytes, fill, const_cast<message_data*>(&data), n);
  });
  if (sent != deposit::outcome::sent) [[unlikely]]
    return sent;
  has_left(to);
  if (header_bytes + n <= deposit::max_inline) {
    count(short_message, bytes);
    LOADSTONE_FAULT_POINT("short.sent");
  } else {
    count(eager, bytes);
    LOADSTONE_FAULT_POINT("eager.sent");
  }
  return sent;
}

// A message that nothing stands in the way of, in line down to the store into the peer's memory: by turns, or short.
// False: nothing has been done.
inline bool engine::state::send_short(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag) {
  const std::int64_t bytes = data.type->size() * data.count;
  // Unsigned: a product that is no number of bytes is too long for here.
  if (static_cast<std::uint64_t>(bytes) > static_cast<std::uint64_t>(by_turns_limit) ||
      !data.type->contiguous() || sending || where.sequence == nullptr) [[unlikely]]
    return false;
  scope::sequences::member& to = where.sequence->of(peer);
  if (to.process == self) [[unlikely]]
    return false;
  const envelope header = envelope::of(where.context, to.sent, tag);
  const auto n = static_cast<std::size_t>(bytes);
  if (!endpoint.send_at_once(to.process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                             sizeof header, data.address, n))
    return false;
  has_left(to);
  count(bytes <= short_limit ? short_message : eager, bytes);
  return true;
}

[[gnu::noinline]] bool engine::state::send_now(scope& where, const buffer& from, std::int32_t peer,
                                               std::int32_t tag, send_mode mode) {
  const std::uint32_t process = where.peers[static_cast<std::size_t>(peer)];
  const message_data data(from);
  const std::int64_t bytes = data.bytes();
  return mode != send_mode::synchronous && process != self && is_eager(data, bytes, process) &&
         send_eager(where, data, bytes, peer, process, tag, nullptr) == deposit::outcome::sent;
}

[[gnu::flatten]] bool engine::send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag,
                                       send_mode mode) {
  // First: nothing has been done yet, and others may come in.
  if (state_->poll_is_due()) [[unlikely]]
    state_->poll();
  if (mode != send_mode::synchronous && state_->send_short(where, data, peer, tag)) [[likely]]
    return true;
  return state_->send_now(where, data, peer, tag, mode);
}

bool engine::receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                         outcome* result) {
  state& s = *state_;
  if (source == any_source || !s.keepers.empty()) return false;
  const std::uint32_t process = where.peers[static_cast<std::size_t>(source)];
  if (!s.endpoint.may_watch(process)) return false;  // first: what a stranger sends comes through the inbox
  if (s.unexpected.size() != 0 && s.unexpected.find({where.context, process, tag}) != nullptr) return false;
  // A peer that always answers keeps nobody else waiting.
  if (++s.received_now % full_poll_every == 0) [[unlikely]] {
    progress();
    return false;
  }
  channel& from = s.incoming.at(where.context, process);
  const message_data into(data);
  const std::int64_t room = into.one_block() ? into.bytes() : 0;
  using caught = deposit::endpoint::caught;
  const caught got =
      s.endpoint.watch(process, deposit::handler_p2p_eager, sizeof(envelope),
                       [&](const std::byte* header, std::size_t bytes, std::byte** to) {
                         envelope message;
                         std::memcpy(&message, header, sizeof message);
                         if (message.context != where.context || (message.tag() != tag && tag != any_tag) ||
                             static_cast<std::int64_t>(bytes) > room ||
                             (s.posted.size() != 0 &&
                              s.posted.find({where.context, process, message.tag()}, from) != nullptr) ||
                             !from.order.next_of_all(message.sequence()))
                           return false;
                         *to = into.block();
                         *result = {source, message.tag(), 0, false, static_cast<std::int64_t>(bytes)};
                         return true;
                       });
  if (got == caught::broken) [[unlikely]]
    result->error = error_peer_aborted;
  return got != caught::nothing;
}

// The payload of a matched message lies in its sender's cell, perhaps still being written.
deposit::verdict engine::state::receive_from_cell(message_request* r, const match_key& key,
                                                  deposit::incoming& message,
                                                  const answered_envelope* answered) {
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  deposit::verdict what = deposit::verdict::consumed;
  if (must_follow(r, bytes, message.token())) [[unlikely]] {
    follow(r, keep(key, message, answered, &what));
    return what;
  }
  deliver(r, message.payload(), bytes, message.token());
  if (answered != nullptr) send_done(key.process, answered->record, answered->generation, 0);
  finish(r);
  return what;
}

deposit::verdict engine::state::on_eager_unmatched(channel& from, const match_key& key,
                                                   deposit::incoming& message, std::uint32_t sequence,
                                                   const answered_envelope* answered, bool queued) {
  // It would have to be copied, and its sender may stop meanwhile: nobody shall wait for that who has not asked for it.
  if (must_wait_for(message)) return deposit::verdict::left;
  const bool wanted =
      hunting != nullptr && hunted(key, static_cast<std::int64_t>(message.payload_bytes()), answered);
  if (!wanted && queued && !accept_from_queue(from, key, sequence)) return deposit::verdict::left;
  check_order(from, key, sequence, wanted && queued);
  deposit::verdict what = deposit::verdict::consumed;
  arrival* a = keep(key, message, answered, &what);
  if (wanted)
    hunting->taken = a;
  else
    add_unexpected(a);
  return what;
}

// A message in a slot or a pair line, which is due, for a plain receive. False: it takes more than that, and nothing has been done.
inline bool engine::state::receive_short(const envelope& header, std::uint32_t source,
                                         const std::byte* payload, std::size_t bytes) {
  channel* const from = incoming.newest(header.context, source);
  if (from == nullptr) [[unlikely]]
    return false;
  message_request* r = posted.next(*from, header.tag());
  if (r == nullptr || !r->plain || r->on_complete != nullptr || static_cast<std::int64_t>(bytes) > r->bytes ||
      !from->order.next_of_all(header.sequence())) [[unlikely]]
    return false;
  posted.remove_next(*from);
  r->result.source = r->peer;
  r->result.tag = header.tag();
  r->result.bytes = static_cast<std::int64_t>(bytes);
  std::byte* const to = r->data.block();
  if (bytes <= inline_payload) [[likely]]
    copy::small(to, payload, bytes);
  else
    std::memcpy(to, payload, bytes);
  r->step = phase::finished;
  r->holds = false;
  --r->where->users;
  r->complete.store(true, std::memory_order_release);  // sync: request-complete
  return true;
}

deposit::verdict engine::state::on_eager(void* self, deposit::incoming& message, bool queued) {
  state& s = *static_cast<state*>(self);
  if (message.header_bytes() == sizeof(envelope) && message.token() == nullptr && !queued &&
      s.receive_short(*reinterpret_cast<const envelope*>(message.header()), message.source(),
                      message.payload(), message.payload_bytes())) [[likely]]
    return deposit::verdict::consumed;
  return s.receive_eager(message, queued);
}

[[gnu::noinline]] deposit::verdict engine::state::receive_eager(deposit::incoming& message, bool queued) {
  const auto& header = *reinterpret_cast<const answered_envelope*>(message.header());
  const answered_envelope* const answered =
      message.header_bytes() == sizeof(answered_envelope) ? &header : nullptr;
  const match_key key{header.message.context, message.source(), header.message.tag()};

  channel* const from = channel_of(key, header.message.sequence());
  if (from == nullptr) [[unlikely]]
    return drop_late(key, header.message.sequence(), message);
  message_request* r = posted.find(key, *from);
  if (r == nullptr)
    return on_eager_unmatched(*from, key, message, header.message.sequence(), answered, queued);
  check_order(*from, key, header.message.sequence(), queued);
  if (answered != nullptr && !claim(key.process, answered->record, answered->generation)) [[unlikely]]
    return deposit::verdict::consumed;  // its sender has cancelled it
  posted.remove(r);
  if (r->advert != nullptr && !withdraw(r)) [[unlikely]]
    broken("a message matches a receive that another one is deposited into");
  LOADSTONE_FAULT_POINT("eager.matched");
  if (r == looking_for) [[unlikely]]
    endpoint.stop_looking();
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  set_source(r, key.process, key.tag, bytes);
  if (message.token() != nullptr) return receive_from_cell(r, key, message, answered);
  deliver(r, message.payload(), bytes, nullptr);
  if (answered != nullptr) send_done(key.process, answered->record, answered->generation, 0);
  finish(r);
  return deposit::verdict::consumed;
}

}  // namespace loadstone::p2p
