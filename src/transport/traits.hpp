// What a transport is able to do, and what it has done.
#pragma once

#include <cstdint>

namespace loadstone::transport {

// Of the way to a peer (design §4).
struct traits {
  bool remote_atomics, remote_wakeup, mapped;
};

struct figures {
  std::uint64_t inline_sent = 0, cells_sent = 0, queued_sent = 0;  // how messages left
  std::uint64_t cells_passed = 0;  // of the second: cells that are their reader's then
  std::uint64_t line_sent = 0;     // of the first two: through a line
  std::uint64_t ring_sent = 0;     // and through a ring
  std::uint64_t voided = 0;        // slots of dead senders
  // With integrity: checks that failed; slots, lines and payloads that were got, or stored, again.
  std::uint64_t damaged = 0, repeated = 0;
};

}  // namespace loadstone::transport
