// The whole of most messages, in line from the call down to the store into the peer's memory.
#pragma once

#include "deposit/endpoint_inl.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/eager.hpp"

namespace loadstone::p2p {

// A message that nothing stands in the way of: by turns, or short. False: nothing has been done.
inline bool eager::send_short(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag) {
  const std::int64_t bytes = data.type->size() * data.count;
  // Unsigned: a product that is no number of bytes is too long for here.
  if (static_cast<std::uint64_t>(bytes) > static_cast<std::uint64_t>(by_turns_limit_) ||
      !data.type->contiguous() || work.sending() || where.sequence == nullptr ||
      (static_cast<std::size_t>(bytes) >= base::least_guarded && base::missing())) [[unlikely]]
    return false;
  scope::sequences::member& to = where.sequence->of(peer);
  if (to.process == self) [[unlikely]]
    return false;
  const envelope header = envelope::of(where.context, to.sent, tag);
  const auto n = static_cast<std::size_t>(bytes);
  if (!endpoint.send_at_once(to.process, deposit::handler_p2p_eager, deposit::traffic::user, &header,
                             sizeof header, data.address, n))
    return false;
  to.has_left();
  (bytes <= short_limit_ ? short_sent : sent).count(bytes);
  return n < base::least_guarded || !base::missing();
}

inline bool eager::receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                               outcome* result) {
  if (matching.left() != 0) return false;
  const std::uint32_t process =
      source == any_source ? any_process : where.peers[static_cast<std::size_t>(source)];
  const bool some_came = matching.unexpected.size() != 0;
  // What a stranger sends comes through the inbox.
  if (!some_came && (source == any_source || !endpoint.may_watch(process))) return false;
  // A peer that always answers, or has sent much, keeps nobody else waiting.
  if (++received_now_ % full_poll_every == 0) [[unlikely]] {
    work.poll();
    return false;
  }
  if (some_came) {
    if (unexpected_message* const m = matching.unexpected.find({where.context, process, tag}))
      return receive_kept(where, arrival_of(m), data, true, result);
    if (source == any_source || !endpoint.may_watch(process)) return false;
  }
  channel& from = matching.senders.at(where.context, process);
  const message_data into(data);
  const std::int64_t capacity = into.one_block() ? into.bytes() : 0;
  using caught = deposit::endpoint::caught;
  const caught got =
      endpoint.watch(process, deposit::handler_p2p_eager, sizeof(envelope),
                     [&](const std::byte* header, std::size_t bytes, std::byte** to) {
                       envelope message;
                       std::memcpy(&message, header, sizeof message);
                       if (message.context != where.context || (message.tag() != tag && tag != any_tag) ||
                           static_cast<std::int64_t>(bytes) > capacity ||
                           (matching.posted.size() != 0 &&
                            matching.find({where.context, process, message.tag()}, from) != nullptr) ||
                           !from.order.next_of_all(message.sequence()))
                         return false;
                       *to = into.block();
                       *result = {source, message.tag(), 0, false, static_cast<std::int64_t>(bytes)};
                       return true;
                     });
  return got == caught::message;
}

}  // namespace loadstone::p2p
