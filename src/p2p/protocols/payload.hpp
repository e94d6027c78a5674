// The payload of a message that its sender may be writing at this moment, copied to where it
// belongs.
#pragma once

#include "deposit/endpoint.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::p2p {

// Packed bytes [at, until) of a message, which lie at `from`.
void copy_part(message_request* r, const std::byte* from, std::int64_t at, std::int64_t until);

// Packed bytes [first, first + n), which may be being written. `token`: of the cell they are in.
// Waits for them. False: their sender has died over it.
bool copy_as_it_comes(deposit::endpoint& endpoint, message_request* r, std::int64_t first,
                      const std::byte* payload, std::int64_t n, void* token);

}  // namespace loadstone::p2p
