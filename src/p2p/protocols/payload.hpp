// The payload of a message that its sender may be writing at this moment, copied to where it
// belongs.
#pragma once

#include "base/guarded.hpp"
#include "deposit/endpoint.hpp"
#include "p2p/error_class.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::p2p {

// Into memory that may not be there: copies for messages of at least base::least_guarded bytes, of
// which this may be a part. 0, or the error.
template <class Copy>
std::int32_t copy_guarded(message_request* r, std::int64_t whole, Copy&& copy) {
  if (whole < static_cast<std::int64_t>(base::least_guarded)) {
    copy();
  } else if (!base::guarded(copy)) {
    r->result.unreachable = base::take_missing();
    return error_buffer;
  }
  return 0;
}

// Packed bytes [at, until) of a message, which lie at `from`.
void copy_part(message_request* r, const std::byte* from, std::int64_t at, std::int64_t until);

// Packed bytes [first, first + n), which may be being written. `token`: of the cell they are in.
// Waits for them. 0, or what the receive ends with: its sender has died over it, or one of both
// programs has no such memory (which the request then knows).
std::int32_t copy_as_it_comes(deposit::endpoint& endpoint, message_request* r, std::int64_t first,
                              const std::byte* payload, std::int64_t n, void* token);

}  // namespace loadstone::p2p
