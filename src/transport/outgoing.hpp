// What goes through every transport: an active message on its way out, and the ways a send can end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/copy_halves.hpp"
#include "transport/cell_stores.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

// Writes `bytes` of payload, from byte `from` on, to `destination`.
using filler = void (*)(void* context, std::size_t from, std::byte* destination, std::size_t bytes);

struct outgoing {
  std::uint8_t handler;
  std::uint8_t kind;  // control_class or user_class
  std::uint8_t header_bytes;
  const void* header;
  filler fill;  // null: the payload lies at `context`, in one piece
  void* context;
  std::size_t payload_bytes;
  bool overlap =
      false;  // its handler reads a payload that is still being written (at least_overlapped bytes)
  bool fits_slot() const {
    return payload_bytes <= slot_data_bytes && header_bytes + payload_bytes <= slot_data_bytes;
  }
  inline void put_part(std::size_t from, std::byte* to, std::size_t bytes,
                       store_way way = store_way::through) const;
  void put_payload(std::byte* to) const { put_part(0, to, payload_bytes); }
  inline void put_in_room(std::size_t from, std::byte* to,
                          std::size_t bytes) const;  // the long one of a pair
  inline void put_inline(std::byte* to) const;       // of a message that fits a slot
};

enum class send_result : std::uint8_t {
  sent,
  no_cell,    // payload needs a cell and none is free
  no_memory,  // inline, but the queue for it cannot grow: come back when the receiver has consumed
  not_ready,  // the peer has not opened its endpoint yet
  gone,       // the peer is dead
};

// Up to one slot, without a call.
inline void copy_small(std::byte* to, const void* from, std::size_t bytes) {
  const auto* f = static_cast<const std::byte*>(from);
  if (bytes >= 16) {
    // Sixteen bytes at a time; the last ones overlap those before.
    std::size_t at = 0;
    for (; at + 16 <= bytes; at += 16) __builtin_memcpy(to + at, f + at, 16);
    if (at != bytes) __builtin_memcpy(to + bytes - 16, f + bytes - 16, 16);
    return;
  }
  if (bytes >= 8) {
    std::uint64_t first, last;
    __builtin_memcpy(&first, f, 8);
    __builtin_memcpy(&last, f + bytes - 8, 8);
    __builtin_memcpy(to, &first, 8);
    __builtin_memcpy(to + bytes - 8, &last, 8);
    return;
  }
  if (bytes >= 4) {
    std::uint32_t first, last;
    __builtin_memcpy(&first, f, 4);
    __builtin_memcpy(&last, f + bytes - 4, 4);
    __builtin_memcpy(to, &first, 4);
    __builtin_memcpy(to + bytes - 4, &last, 4);
    return;
  }
  for (std::size_t at = 0; at < bytes; ++at) to[at] = f[at];
}

// Of headers, which were written a moment ago in words: what is read in larger pieces than it was written in has
// to wait until it is in the cache.
inline void copy_header(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes % 8 != 0) [[unlikely]]
    return copy_small(to, from, bytes);
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, static_cast<const std::byte*>(from) + at, 8);
    __builtin_memcpy(to + at, &word, 8);
  }
}

inline void outgoing::put_part(std::size_t from, std::byte* to, std::size_t bytes, store_way way) const {
  if (fill != nullptr)
    fill(context, from, to, bytes);
  else if (way == store_way::past)
    copy_past_caches(to, static_cast<const std::byte*>(context) + from, bytes);
  else  // a longer payload may be a block of a message of any length
    base::write_piece(to, static_cast<const std::byte*>(context) + from, bytes,
                      payload_bytes <= base::most_surely_near);
}

inline void outgoing::put_in_room(std::size_t from, std::byte* to, std::size_t bytes) const {
  if (fill != nullptr)
    fill(context, from, to, bytes);
  else
    base::copy_shared(to, static_cast<const std::byte*>(context) + from, bytes, payload_bytes);
}

inline void outgoing::put_inline(std::byte* to) const {
  if (fill != nullptr)
    fill(context, 0, to, payload_bytes);
  else
    copy_small(to, context, payload_bytes);
}

// Everything of a message but its identity. `cell` holds the payload already (overlapped: a part of it), or is
// none.
inline void write_slot(slot& s, const outgoing& m, std::uint32_t source, std::uint32_t sequence,
                       std::uint64_t cell, bool overlapped = false) {
  s.source = source;
  s.sequence = sequence;
  s.handler = m.handler;
  s.kind = m.kind;
  s.header_bytes = m.header_bytes;
  s.payload_bytes = static_cast<std::uint32_t>(m.payload_bytes);
  s.cell = cell;
  copy_header(s.data, m.header, m.header_bytes);
  if (cell != 0) {
    s.flags = overlapped ? slot_in_cell | slot_overlapped : slot_in_cell;
  } else {
    s.flags = 0;
    m.put_inline(s.data + m.header_bytes);
  }
}

}  // namespace loadstone::transport
