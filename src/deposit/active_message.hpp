// An active message: what is said of it when it is sent, and what its handler sees of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::transport {
struct slot;
struct arrived_cell;
}  // namespace loadstone::transport

namespace loadstone::deposit {

inline constexpr std::size_t max_header = 72;           // bytes of handler header in one active message
inline constexpr std::size_t max_inline = 96;           // header + payload that travel in one slot
inline constexpr std::size_t max_message = 256 * 1024;  // payload of one, through a sender-owned cell

// User messages can be refused by a receiver short of memory; control, one-sided and collective
// traffic cannot.
enum class traffic : std::uint8_t { control, user };

enum class outcome : std::uint8_t {
  sent,   // the source may be reused
  again,  // the sender's own buffers for this size are used up (bounded): choose another protocol or come
          // back
  gone,   // the peer is dead
};

// An arriving active message, as its header handler sees it.
class incoming {
 public:
  // By the endpoint. `cell`: where its payload lies, if not in the slot.
  incoming(const loadstone::transport::slot& s, std::uint32_t source,
           loadstone::transport::arrived_cell* cell);
  std::uint32_t source() const { return source_; }
  const std::byte* header() const { return header_; }
  std::size_t header_bytes() const { return header_bytes_; }
  // In the slot, in the sender's cell, or in the buffer of the pair (mapped here). A handler that
  // was set to follow asks payload_access::arrived() how much of it is there.
  const std::byte* payload() const { return payload_; }
  std::size_t payload_bytes() const { return payload_bytes_; }
  // True when the payload lies in a sender-owned cell (never with integrity): the handler may then
  // return verdict::kept and use payload() until payload_access::release(token()). Any other
  // payload must be copied out before the handler returns.
  bool can_keep() const { return kept_; }
  // Of a payload that may still be coming: for payload_access::arrived(), until the handler returns
  // or what it keeps is released.
  void* token() const { return token_; }
  // All of the payload is there.
  bool is_whole() const { return whole_; }

 private:
  std::uint32_t source_;
  const std::byte* header_;
  std::size_t header_bytes_;
  const std::byte* payload_;
  std::size_t payload_bytes_;
  void* token_;
  bool kept_;  // may be
  bool whole_;
};

enum class verdict : std::uint8_t {
  consumed,  // payload copied out, or not wanted
  kept,      // payload stays in the sender's cell until payload_access::release(token)
  // Only for messages offered again in a refused sender's queue, and those that are still coming
  // and cannot be kept: stays there, unconsumed, and is offered again.
  left,
};

// Header handlers run inside poll(), under the gate. They may not call poll() or wait_until(), but
// may send control messages, put, signal and set flags; anything longer goes to defer(). `queued`:
// the message is being offered again in a refused sender's queue (then `left` is allowed).
using handler = verdict (*)(void* context, incoming& message, bool queued);
using handler_id = std::uint8_t;  // below 64; the numbers are listed in deposit/handler_ids.hpp

// What a handler does with a payload beyond a slot: takes all of it; or, from 4 KiB on, asks
// payload_access::arrived() first, for a part may still be being written, or not be there in the
// sender's program; or asks that of shorter ones as well. The sender's process has set the same.
enum class reading : std::uint8_t { whole, following, checked };

// Writes a payload in place (a pack loop), from byte `from` on; in one piece or in several, from
// the front.
using filler = void (*)(void* context, std::size_t from, std::byte* destination, std::size_t bytes);

}  // namespace loadstone::deposit
