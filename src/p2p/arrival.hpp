// A message that has arrived and that no receive has matched yet: unexpected, or taken out by a
// matched probe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "p2p/matching/unexpected_messages.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::p2p {

struct message_request;
struct scope;

// Payload of one slot beside the smallest envelope.
inline constexpr std::size_t inline_payload = deposit::max_inline - sizeof(envelope);

struct arrival : unexpected_message {
  enum class form : std::uint8_t {
    held,        // payload is in `stored`
    heap,        // payload in malloc memory: a small message to ourselves, or one that came by turns
    kept,        // payload stays in the sender's cell
    rendezvous,  // `offered` says where the data is
    self,        // a send of our own, not complete
  };

  std::int64_t bytes = 0;
  form kind = form::held;
  bool unreadable = false;  // its sender's program had no such memory
  bool answered = false;    // the sender waits for an answer: record and generation are valid
  std::uint32_t generation = 0;
  local_address record{};
  const std::byte* payload = nullptr;
  void* token = nullptr;              // of a kept cell
  message_request* sender = nullptr;  // form self
  scope* where = nullptr;             // of a matched probe
  arrival* next_free = nullptr;       // pool
  offer offered{};
  std::byte stored[inline_payload];
};

inline arrival* arrival_of(unexpected_message* m) {
  return static_cast<arrival*>(m);
}

}  // namespace loadstone::p2p
