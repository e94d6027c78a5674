// Direct: one of the two buffers lies in an arena, so that the other side can map it.
//
// Condition: pull: the sender's data lies in its arena. Push: the receive buffer is contiguous and in the
//            receiver's arena, and the receiver could not pull. Either way the transport maps.
// Copies:    1, by an ordinary copy loop (pack or unpack), layouts included.
// Cost:      one mapping, kept in the resource cache; pull: one answer. Push: one clearance and one answer.
#include <algorithm>
#include <cstring>

#include "base/fault.hpp"
#include "base/valgrind.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

constexpr std::int64_t block = 4 << 20;

void copy_out(message_request* r, std::int64_t from, std::int64_t bytes, const std::byte* source) {
  if (r->data.one_block())
    copy::between(r->data.block() + from, source, static_cast<std::size_t>(bytes),
                  static_cast<std::size_t>(r->until));
  else
    r->data.unpack(from, bytes, source);
}

}  // namespace

bool engine::state::pull_direct(message_request* r, std::int32_t* error) {
  const offer& o = r->offered;
  if (o.arena_offset == not_in_arena) return false;
  const memory::pin data = endpoint.map({r->process, o.region_number, o.region_generation});
  if (!data) return false;
  const std::byte* lowest = data.at(o.arena_offset);
  *error = 0;
  if (o.blocks == 0) {
    for (std::int64_t from = 0; from < r->until; from += block) {
      const std::int64_t bytes = std::min(block, r->until - from);
      move_apart(bytes, [&] { copy_out(r, from, bytes, lowest + from); });
      LOADSTONE_FAULT_POINT("direct.half_copied");
    }
    return true;
  }
  const memory::address list = p2p::unpack(r->process, o.list);
  const memory::pin list_pin = endpoint.map(list.region);
  if (!list_pin) return false;
  const auto* blocks_there = reinterpret_cast<const offered_block*>(list_pin.at(list.offset));
  move_apart(r->until, [&] {
    std::int64_t from = 0;
    for (std::uint32_t i = 0; i < o.blocks && from < r->until; ++i) {
      std::int64_t bytes = static_cast<std::int64_t>(blocks_there[i].bytes);
      if (bytes > r->until - from) bytes = r->until - from;
      copy_out(r, from, bytes, lowest + (blocks_there[i].address - o.address));
      from += bytes;
    }
  });
  return true;
}

bool engine::state::ask_push(message_request* r) {
  if (!r->data.one_block() || !endpoint.way_to(r->process).mapped) return false;
  memory::address where;
  if (!arena.find(r->data.block(), static_cast<std::size_t>(r->until), &where)) return false;
  const clearance header{r->record, reinterpret_cast<std::uint64_t>(r), r->moved, r->until};
  where.offset += static_cast<std::uint64_t>(r->moved);
  expect_copy(r->process, r->until - r->moved);
  if (endpoint.send_active(r->process, deposit::handler_p2p_clear, deposit::traffic::control, &header,
                           sizeof header, &where, sizeof where) == deposit::outcome::gone) {
    finish(r, error_peer_aborted);
  }
  return true;
}

// The sender's part.
void engine::state::push(message_request* r) {
  memory::pin mapped = endpoint.map(r->target.region);
  if (!mapped) {  // no room for a mapping: the receiver takes blocks of a pipeline just as well
    r->step = phase::clearing;
    return pump(r);
  }
  rest(r);
  LOADSTONE_FAULT_POINT("direct.pushing");
  r->step = phase::incoming;  // nothing else is to be done with it meanwhile
  check_moves(r, r->moved, r->until - r->moved);
  move_apart(r->until - r->moved,
             [&] { r->data.pack(r->moved, r->until - r->moved, mapped.at(r->target.offset)); });
  // Or will be, before it is read here.
  base::written_by_others(mapped.at(r->target.offset), static_cast<std::size_t>(r->until - r->moved));
  const pushed_header header{r->peer_token, 0, r->bytes};
  send_control(r->process, deposit::handler_p2p_pushed, &header, sizeof header);
  give_record(r);
  finish(r);
}

}  // namespace loadstone::p2p
