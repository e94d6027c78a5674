// Short and eager: the message travels with its envelope in one active message.
//
// Condition: at most eager_limit bytes, and the endpoint has a cell (`again` otherwise: the message goes by
//            rendezvous).
// Copies:    short (fits one inbox slot): 1 in, 1 out. Eager: packed into a cell of the sender's, unpacked
//            from there straight into the receive buffer, when it is posted; a message that comes before its
//            receive stays in the cell: 2 copies either way.
//            From 4 KiB on the two copies overlap (transport/cell_layout.hpp). A receiver with one thread waits
//            for the rest; with several it looks again at each poll, so that nobody is kept by a sender that
//            has stopped.
// Cost:      one slot, and for eager a cell that returns when the message is received.
//
// A synchronous send adds a record and is answered by `done` when it has been matched.
#include "base/fault.hpp"
#include "deposit/endpoint_inl.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

inline deposit::outcome engine::state::leave_eager(scope& where, const buffer& data, std::int64_t bytes,
                                                   std::int32_t peer, std::uint32_t process, std::int32_t tag,
                                                   const message_request* answered) {
  scope::sequences& known = sequences_of(where);
  std::uint32_t& sequence = known.sent[static_cast<std::size_t>(peer)];
  const auto n = static_cast<std::size_t>(bytes);
  const std::size_t header_bytes = answered == nullptr ? sizeof(envelope) : sizeof(answered_envelope);
  const deposit::outcome sent = in_turn([&] {
    answered_envelope header;
    header.message = {where.context, sequence, tag};
    if (answered != nullptr) {
      header.record = answered->record;
      header.generation = answered->generation;
      header.unused = 0;
    }
    if (n == 0 || data.type->contiguous()) [[likely]]
      return endpoint.send_active(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                                  header_bytes, data.address, n);
    const auto fill = [](void* c, std::size_t from, std::byte* destination, std::size_t size) {
      const auto& b = *static_cast<const buffer*>(c);
      datatype::pack(b.address, b.count, *b.type, static_cast<std::int64_t>(from),
                     static_cast<std::int64_t>(size), destination);
    };
    return endpoint.send_active(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                                header_bytes, fill, const_cast<buffer*>(&data), n);
  });
  if (sent != deposit::outcome::sent) [[unlikely]]
    return sent;
  ++sequence;
  known.plain[static_cast<std::size_t>(peer)] = sequence;
  if (header_bytes + n <= deposit::max_inline) {
    count(short_message, bytes);
    LOADSTONE_FAULT_POINT("short.sent");
  } else {
    count(eager, bytes);
    LOADSTONE_FAULT_POINT("eager.sent");
  }
  return sent;
}

deposit::outcome engine::state::send_eager(scope& where, const buffer& data, std::int64_t bytes,
                                           std::int32_t peer, std::uint32_t process, std::int32_t tag,
                                           const message_request* answered) {
  return leave_eager(where, data, bytes, peer, process, tag, answered);
}

// The answer to a short message of the peer: down to the store into the line without a call.
[[gnu::always_inline]] inline bool engine::state::answer(scope& where, const buffer& data, std::int64_t bytes,
                                                         std::int32_t peer, std::uint32_t process,
                                                         std::int32_t tag) {
  if (bytes > static_cast<std::int64_t>(deposit::max_by_turns) || (bytes != 0 && !data.type->contiguous()) ||
      sending || where.sequence == nullptr)
    return false;
  scope::sequences& known = *where.sequence;
  std::uint32_t& sequence = known.sent[static_cast<std::size_t>(peer)];
  const envelope header{where.context, sequence, tag};
  if (!endpoint.send_by_turns(process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                              sizeof header, data.address, static_cast<std::size_t>(bytes)))
    return false;
  ++sequence;
  known.plain[static_cast<std::size_t>(peer)] = sequence;
  count(bytes <= static_cast<std::int64_t>(inline_payload) ? short_message : eager, bytes);
  return true;
}

bool engine::send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode) {
  state& s = *state_;
  const std::uint32_t process = where.peers[static_cast<std::size_t>(peer)];
  const std::int64_t bytes = data.type->size() * data.count;
  if (mode == send_mode::synchronous || bytes > static_cast<std::int64_t>(s.config.eager_limit)) return false;
  return s.answer(where, data, bytes, peer, process, tag) ||
         (process != s.self &&
          s.leave_eager(where, data, bytes, peer, process, tag, nullptr) == deposit::outcome::sent);
}

bool engine::receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                         outcome* result) {
  state& s = *state_;
  if (source == any_source || !s.keepers.empty()) return false;
  const std::uint32_t process = where.peers[static_cast<std::size_t>(source)];
  if (s.unexpected.size() != 0 && s.unexpected.find({where.context, process, tag}) != nullptr) return false;
  // A peer that always answers keeps nobody else waiting.
  if (++s.received_now % full_poll_every == 0) [[unlikely]] {
    progress();
    return false;
  }
  stream& order = s.incoming_streams.at(where.context, process);
  const std::int64_t room = data.type->contiguous() ? data.type->size() * data.count : 0;
  return s.endpoint.watch_line(
      process, deposit::handler_p2p_eager, sizeof(envelope),
      [&](const std::byte* header, const std::byte* payload, std::size_t bytes) {
        envelope message;
        std::memcpy(&message, header, sizeof message);
        if (message.context != where.context || (message.tag != tag && tag != any_tag) ||
            static_cast<std::int64_t>(bytes) > room ||
            (s.posted.size() != 0 && s.posted.find({where.context, process, message.tag}) != nullptr) ||
            !order.next_of_all(message.sequence))
          return false;
        auto* to = static_cast<std::byte*>(const_cast<void*>(data.address));
        if (bytes <= inline_payload)
          transport::copy_small(to, payload, bytes);
        else
          std::memcpy(to, payload, bytes);
        *result = {source, message.tag, 0, false, static_cast<std::int64_t>(bytes)};
        return true;
      });
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

deposit::verdict engine::state::on_eager_unmatched(const match_key& key, deposit::incoming& message,
                                                   std::uint32_t sequence, const answered_envelope* answered,
                                                   bool queued) {
  const bool wanted =
      hunting != nullptr && hunted(key, static_cast<std::int64_t>(message.payload_bytes()), answered);
  if (!wanted && queued && !accept_from_queue(key, sequence)) return deposit::verdict::left;
  if (!wanted && late(key, sequence)) return deposit::verdict::consumed;
  check_order(key, sequence, wanted && queued);
  deposit::verdict what = deposit::verdict::consumed;
  arrival* a = keep(key, message, answered, &what);
  if (wanted)
    hunting->taken = a;
  else
    add_unexpected(a);
  return what;
}

// What most messages need is here, in line: a short one for a receive that waits for it.
deposit::verdict engine::state::on_eager(void* self, deposit::incoming& message, bool queued) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const answered_envelope*>(message.header());
  const answered_envelope* const answered =
      message.header_bytes() == sizeof(answered_envelope) ? &header : nullptr;
  const match_key key{header.message.context, message.source(), header.message.tag};

  message_request* r = s.posted.find(key);
  if (r == nullptr) return s.on_eager_unmatched(key, message, header.message.sequence, answered, queued);
  s.check_order(key, header.message.sequence, queued);
  if (answered != nullptr && !s.claim(key.process, answered->record, answered->generation)) [[unlikely]]
    return deposit::verdict::consumed;  // its sender has cancelled it
  s.posted.remove(r);
  if (r->advert != nullptr && !s.withdraw(r)) [[unlikely]]
    broken("a message matches a receive that another one is deposited into");
  LOADSTONE_FAULT_POINT("eager.matched");
  if (r == s.looking_for) [[unlikely]]
    s.endpoint.stop_looking();
  const auto bytes = static_cast<std::int64_t>(message.payload_bytes());
  s.set_source(r, key.process, key.tag, bytes);
  if (message.token() != nullptr) return s.receive_from_cell(r, key, message, answered);
  s.deliver(r, message.payload(), bytes, nullptr);
  if (answered != nullptr) s.send_done(key.process, answered->record, answered->generation, 0);
  s.finish(r);
  return deposit::verdict::consumed;
}

}  // namespace loadstone::p2p
