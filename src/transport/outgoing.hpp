// What goes through every transport: an active message on its way out, and the ways a send can end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "copy/copy.hpp"
#include "copy/store_choice.hpp"
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
  bool overlap = false;  // its handler reads a payload that is still being written,
  bool checked = false;  // or finds out if it could not be read
  bool fits_slot() const {
    return payload_bytes <= slot_data_bytes && header_bytes + payload_bytes <= slot_data_bytes;
  }
  inline void put_part(std::size_t from, std::byte* to, std::size_t bytes,
                       copy::store_way way = copy::store_way::through) const;
  void put_payload(std::byte* to) const { put_part(0, to, payload_bytes); }
  inline void put_inline(std::byte* to) const;  // of a message that fits a slot
};

enum class send_result : std::uint8_t {
  sent,
  no_cell,    // payload needs a cell and none is free
  no_memory,  // inline, but the queue for it cannot grow: come back when the receiver has consumed
  not_ready,  // the peer has not opened its endpoint yet
  gone,       // the peer is dead
};

inline void outgoing::put_part(std::size_t from, std::byte* to, std::size_t bytes,
                               copy::store_way way) const {
  const std::byte* const here = static_cast<const std::byte*>(context) + from;
  if (fill != nullptr)
    fill(context, from, to, bytes);
  else if (way == copy::store_way::by_turns)
    copy::by_turns(to, here, bytes, payload_bytes);
  else if (way == copy::store_way::past)
    copy::past_caches(to, here, bytes);
  else
    copy::into_cell(to, here, bytes, payload_bytes);
}

inline void outgoing::put_inline(std::byte* to) const {
  if (fill != nullptr)
    fill(context, 0, to, payload_bytes);
  else
    copy::small(to, context, payload_bytes);
}

// Everything of a message but its identity. `cell` holds the payload already (`flags` say how), or
// is none.
inline void write_slot(slot& s, const outgoing& m, std::uint32_t source, std::uint32_t sequence,
                       std::uint64_t cell, std::uint8_t flags = 0) {
  s.source = source;
  s.sequence = sequence;
  s.handler = m.handler;
  s.kind = m.kind;
  s.header_bytes = m.header_bytes;
  s.payload_bytes = static_cast<std::uint32_t>(m.payload_bytes);
  s.cell = cell;
  copy::words(s.data, m.header, m.header_bytes);
  if (cell != 0) {
    s.flags = slot_in_cell | flags;
  } else {
    s.flags = 0;
    m.put_inline(s.data + m.header_bytes);
  }
}

}  // namespace loadstone::transport
