#include "p2p/protocols/payload.hpp"

#include <algorithm>

#include "copy/copy.hpp"

namespace loadstone::p2p {

void copy_part(message_request* r, const std::byte* from, std::int64_t at, std::int64_t until) {
  const auto bytes = static_cast<std::size_t>(until - at);
  if (!r->data.one_block())
    r->data.unpack(at, until - at, from);
  else
    copy::out_of_cell(r->data.block() + at, from, bytes, static_cast<std::size_t>(r->result.bytes));
}

std::int32_t copy_as_it_comes(deposit::endpoint& endpoint, message_request* r, std::int64_t first,
                              const std::byte* payload, std::int64_t n, void* token) {
  std::int32_t error = 0;
  const std::int32_t here = copy_guarded(r, r->result.bytes, [&] {
    for (std::int64_t at = 0, there = 0; at < n; at = there) {
      // One byte more, or everything: the rest may have come while we copied. Without a token it is
      // all there.
      there = token == nullptr ? n
                               : std::min(n, static_cast<std::int64_t>(endpoint.payloads().arrived(
                                                 token, static_cast<std::size_t>(at) + 1)));
      if (there == 0) {
        error = endpoint.payloads().unreadable(token) ? error_buffer : error_peer_aborted;
        if (error == error_buffer) r->result.unreachable = base::elsewhere;
        return;
      }
      copy_part(r, payload + at, first + at, first + there);
    }
  });
  return here != 0 ? here : error;
}

}  // namespace loadstone::p2p
