// Accumulates by messages: the origin.
//
// Cost: as a put. What one message changes under locks is at most `most_changed` bytes.
#include <algorithm>
#include <cstring>
#include <mutex>

#include "base/fault.hpp"
#include "rma/accumulate.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/runs.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

using datatype::basic;
using datatype::op_kind;

namespace {

constexpr std::int64_t most_changed = 32 * 1024;

}  // namespace

trouble asked::accumulate(window& w, std::int32_t rank, const place& at, const local_data* origin,
                          const local_data* result, const remote_data& where, op_kind op,
                          const unchanged& part) {
  const datatype::named_kind kind = where.type->single_named();
  const element what(kind);
  element_runs runs(what, reinterpret_cast<void*>(at.offset), where.count, *where.type);
  const std::int64_t all = part.to, most = most_changed / what.size() * what.size();
  for (std::int64_t left = part.from / what.size(); left > 0;) left -= runs.next(left).count;
  const std::lock_guard hold(endpoint_.gate());
  awaited data{result != nullptr ? *result : local_data{}, all - part.from};
  const std::uint64_t number = result != nullptr ? expect(data) : 0;
  trouble t;
  request piece;
  piece.origin = origin;
  piece.position = part.from;
  for (; piece.position < all && t.ok(); piece.position += piece.bytes) {
    const std::int64_t now = std::min(all - piece.position, most);
    for (piece.used = 0, piece.bytes = 0; piece.used < most_asked_runs && piece.bytes < now;) {
      const element_run r = runs.next((now - piece.bytes) / what.size());
      piece.runs[piece.used++] = {reinterpret_cast<std::int64_t>(r.at), what.span(), r.count, r.step};
      piece.bytes += r.count * what.size();
    }
    const asked_request header{
        .window = w.id(),
        .number = number,
        .position = piece.position,
        .from = at.offset + where.lowest(),
        .to = at.offset + where.highest(),
        .rank = rank,
        .data = origin != nullptr ? static_cast<std::uint32_t>(piece.bytes) : 0,
        .runs = static_cast<std::uint16_t>(piece.used),
        .kind = result != nullptr ? asked_kind::get_accumulate : asked_kind::accumulate,
        .op = static_cast<std::uint8_t>(op),
        .value = static_cast<std::uint8_t>(kind.value),
        .index = static_cast<std::uint8_t>(kind.index),
        .in_any_order = w.accumulates_in_any_order()};
    if (result != nullptr && !(t = await_some(w, *at.to, data)).ok()) break;
    if (result == nullptr) w.count_asked(*at.to);
    t = send(at.to->process, header, request::fill, &piece, piece.payload_bytes());
  }
  return result != nullptr ? await(number, data, t, w, *at.to) : t;
}

trouble asked::compare_and_swap(window& w, std::int32_t rank, const place& at, const std::byte* in,
                                const std::byte* compare, const local_data& result) {
  const std::int64_t bytes = result.bytes();
  std::byte both[2 * 32];
  std::memcpy(both, in, static_cast<std::size_t>(bytes));
  std::memcpy(both + bytes, compare, static_cast<std::size_t>(bytes));
  const std::lock_guard hold(endpoint_.gate());
  awaited data{result, bytes, {}, 1};
  const std::uint64_t number = expect(data);
  const trouble sent = send(at.to->process,
                            {.window = w.id(),
                             .number = number,
                             .from = at.offset,
                             .to = at.offset + bytes,
                             .rank = rank,
                             .kind = asked_kind::compare_and_swap,
                             .in_any_order = w.accumulates_in_any_order()},
                            nullptr, both, 2 * static_cast<std::size_t>(bytes));
  return await(number, data, sent, w, *at.to);
}

}  // namespace loadstone::rma
