// Receives that a peer has filled, in whole or in part, behind valgrind's back.
#pragma once

#include <algorithm>

#include "base/valgrind.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

// The first `bytes` packed bytes of a receive have been written by somebody. For large messages only.
inline void written_by_peer(const message_request* r, std::int64_t bytes) {
  if (!base::under_valgrind()) [[likely]]
    return;
  r->data.for_each_block(
      0, std::min(bytes, r->data.bytes()),
      [](void*, void* address, std::size_t length) {
        base::written_by_others(address, length);
        return true;
      },
      nullptr);
}

}  // namespace loadstone::p2p
