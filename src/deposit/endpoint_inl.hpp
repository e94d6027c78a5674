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
         s.routes->send_at_once(peer, s.message(id, kind, header, header_bytes, nullptr,
                                                const_cast<void*>(payload), payload_bytes));
}

inline std::uint64_t endpoint::received() const {
  return state_->counts.received;
}

[[gnu::always_inline]] inline bool endpoint::may_watch(std::uint32_t peer) const {
  const endpoint_state& s = *state_;
  return s.routes->may_watch(peer) && !s.work.any && !s.in_handler && !s.backoff.begun();
}

template <class Accept>
[[gnu::always_inline]] inline endpoint::caught endpoint::watch(std::uint32_t peer, handler_id id,
                                                               std::size_t header_bytes, Accept&& accept) {
  endpoint_state& s = *state_;
  std::uint32_t& due = s.expected[peer][transport::user_class];
  const bool alone = !s.gate.threads();  // with threads the back-off is that of whoever drains
  bool waits = false;
  caught result = caught::message;
  const auto begin = [&] {
    waits = alone;
    if (alone) s.backoff.begin(s.routes->at_hand());
  };
  const auto take = [&](const transport::seen_message& m) {
    std::byte* to = nullptr;
    if (!accept(m.header, m.payload_bytes, &to)) return false;
    if (m.payload_bytes <= max_inline)
      copy::small(to, m.payload, m.payload_bytes);
    else if (m.payload_bytes <
             transport::least_overlapped)  // all of it is there, and it goes without a guard
      copy::by_turns(to, m.payload, m.payload_bytes, m.payload_bytes);
    else
      result = s.copy_from_buffer(peer, m, to);
    return true;
  };
  const auto on = [&] { return alone && s.backoff.next_is_free(); };
  if (!s.routes->watch({peer, id, header_bytes, due}, begin, take, on)) return caught::nothing;
  ++due;
  ++s.counts.received;
  if (waits) s.backoff.end();
  return result;
}

}  // namespace loadstone::deposit
