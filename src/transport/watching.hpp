// One message that its receiver waits for, looked at where messages of that sender come: in the
// pair line of the two, or in the ring that the sender has for what it sends in a row. No handler
// is called, and no other lane is touched (mapped.hpp, watch()).
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::transport {

// The next user message of a peer, if it is one for this handler with so long a header.
struct watched {
  std::uint32_t peer;
  std::uint8_t handler;
  std::size_t header_bytes;
  std::uint32_t due;  // its sequence number
};

// Where it lies until it is taken.
struct seen_message {
  const std::byte *header, *payload;  // null payload: in the buffer of the pair (coming_payload)
  std::size_t payload_bytes;
};

}  // namespace loadstone::transport
