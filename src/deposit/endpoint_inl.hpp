// Short messages, in line from the caller to the line or the inbox of the peer (endpoint.hpp). For
// p2p/.
#pragma once

#include "deposit/endpoint_state.hpp"

namespace loadstone::deposit {

[[gnu::always_inline]] inline bool endpoint::send_at_once(std::uint32_t peer, handler_id id, traffic kind,
                                                          const void* header, std::size_t header_bytes,
                                                          const void* payload, std::size_t payload_bytes) {
  endpoint_state& s = *state_;
  return s.waiting_for_memory.empty() &&
         s.ways->near().send_at_once(peer, s.message(id, kind, header, header_bytes, nullptr,
                                                     const_cast<void*>(payload), payload_bytes));
}

[[gnu::always_inline]] inline bool endpoint::may_watch(std::uint32_t peer) const {
  const endpoint_state& s = *state_;
  transport::mapped& near = s.ways->near();
  return (near.peers().line_from(peer) != nullptr || near.peers().ring_from(peer) != nullptr) &&
         !s.work.any && !s.in_handler && !s.backoff.begun();
}

template <class Accept>
[[gnu::always_inline]] inline endpoint::caught endpoint::watch(std::uint32_t peer, handler_id id,
                                                               std::size_t header_bytes, Accept&& accept) {
  return state_->ways->near().peers().line_from(peer) != nullptr ? watch_line(peer, id, header_bytes, accept)
                                                                 : poll_ring(peer, id, header_bytes, accept);
}

// What comes in a row is there already, or the wait for it is one as any other.
template <class Accept>
[[gnu::always_inline]] inline endpoint::caught endpoint::poll_ring(std::uint32_t peer, handler_id id,
                                                                   std::size_t header_bytes,
                                                                   Accept&& accept) {
  endpoint_state& s = *state_;
  transport::ring_receiver& ring = *s.ways->near().peers().ring_from(peer);
  transport::slot* const m = ring.front();
  std::uint32_t& due = s.expected[peer][transport::user_class];
  if (m == nullptr || m->handler != id || m->kind != transport::user_class || m->flags != 0 ||
      m->header_bytes != header_bytes || m->sequence != due)
    return caught::nothing;
  std::byte* to = nullptr;
  if (!accept(m->data, m->payload_bytes, &to)) return caught::nothing;
  copy::small(to, m->data + header_bytes, m->payload_bytes);
  ring.release(*m);
  s.ways->near().came(peer);
  ++due;
  ++s.counts.received;
  return caught::message;
}

template <class Accept>
[[gnu::always_inline]] inline endpoint::caught endpoint::watch_line(std::uint32_t peer, handler_id id,
                                                                    std::size_t header_bytes,
                                                                    Accept&& accept) {
  using sight = transport::pair_line_end::sight;
  endpoint_state& s = *state_;
  transport::pair_line_end* const line = s.ways->near().peers().line_from(peer);
  std::uint32_t& due = s.expected[peer][transport::user_class];
  const std::uint64_t wanted =
      line->word_of({0, static_cast<std::uint16_t>(due), id, static_cast<std::uint8_t>(header_bytes), 0,
                     transport::user_class});
  const bool alone = !s.gate.threads();  // with threads the back-off is that of whoever drains
  if (alone) s.backoff.begin(s.ways->near().at_hand());
  do {
    transport::pair_line_end::found message;
    const sight seen = line->poll_for(wanted, header_bytes, &message);
    if (seen == sight::wanted || seen == sight::wanted_in_buffer) {
      std::byte* to = nullptr;
      if ((seen == sight::wanted_in_buffer && !alone && line->there() < message.payload_bytes) ||
          !accept(message.header, message.payload_bytes, &to))
        return caught::nothing;
      caught result = caught::message;
      if (seen == sight::wanted)
        copy::small(to, message.payload, message.payload_bytes);
      else
        result = s.copy_from_buffer(peer, to, message.payload_bytes);
      line->release();
      s.ways->near().came();
      ++due;
      ++s.counts.received;
      if (alone) s.backoff.end();
      return result;
    }
    if (seen == sight::other || s.ways->near().more_than(*line)) return caught::nothing;
  } while (alone && s.backoff.next_is_free());
  return caught::nothing;
}

}  // namespace loadstone::deposit
