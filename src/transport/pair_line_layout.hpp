// Memory that two processes use by turns, in front of their inboxes: a short message from one to
// the other and the answer travel in one and the same cache line, which costs half of what two
// lines cost. Somewhat longer payload has a room behind it, and longer payload a room elsewhere
// (pair_room.hpp), both for either direction: no cell has to be found and given back, and the
// answer is written where the message was read.
//
//   0 word | 8 data | 128 room | 128 + room_bytes end
//   data: header, then payload unless it is elsewhere
//         or where that is, payload bytes, header, filled
//   A message of up to 56 bytes of header and payload dirties the first line only;
//   so does one in the long room, beside its payload.
//
//   word: 63 … 48 turn | 47 … 32 sequence, low bits | 31 … 24 handler | 23 … 16 header bytes
//         | 15 … 4 payload bytes | 3 payload is in the room | 2 it is still being written
//         | 1 it is in a cell | 0 kind
//         3 and 1: payload is in the long room. `filled` counts the bytes that are there;
//         the message has come when all of them are.
//
// The turn counts messages; the process that *accepted* the line writes the odd ones. W: whose turn
// it is, room and data first, then the word, then `filled` (sync: pair-line). Rooms are read until
// their reader writes the next word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::transport {

inline constexpr std::size_t pair_data_bytes = 120;
inline constexpr std::size_t room_bytes = 2048;
inline constexpr std::size_t far_header_bytes = 32;  // at most, of a message in the long room

// What `data` is of a message whose payload lies elsewhere.
struct pair_far {
  std::uint64_t where;  // local_address: of the cell, or of the long room
  std::uint32_t payload_bytes;
  // Of the long room: its size, whether it is the writer's, and where in it the payload begins.
  std::uint8_t room_size, room_is_mine;
  std::uint16_t begin;
  std::byte header[far_header_bytes];  // or more, of one in a cell
  std::atomic<std::uint32_t> filled;   // in the long room
};
static_assert(offsetof(pair_far, header) == 16 && offsetof(pair_far, filled) == 48);

struct alignas(memory::isolation) pair_line {
  std::atomic<std::uint64_t> word;
  std::byte data[pair_data_bytes];
  std::byte room[room_bytes];
};
static_assert(offsetof(pair_line, data) == 8 && offsetof(pair_line, room) == 128);
static_assert(sizeof(pair_line) == 128 + room_bytes);

struct pair_word {
  std::uint16_t turn, sequence;
  std::uint8_t handler, header_bytes;
  std::uint16_t payload_bytes;
  std::uint8_t kind;
  bool in_cell, overlapped, in_room;
  bool in_long_room() const { return in_cell && in_room; }

  static constexpr unsigned payload_shift = 4;
  static constexpr std::uint64_t payload_bits = std::uint64_t{0xfff} << payload_shift, room_bit = 8,
                                 long_room_bits = room_bit | 2;
  static_assert(room_bytes <= payload_bits >> payload_shift);

  std::uint64_t packed() const {
    return std::uint64_t{turn} << 48 | std::uint64_t{sequence} << 32 | std::uint64_t{handler} << 24 |
           std::uint64_t{header_bytes} << 16 | std::uint64_t{payload_bytes} << payload_shift |
           (in_room ? room_bit : 0u) | (overlapped ? 4u : 0u) | (in_cell ? 2u : 0u) | kind;
  }
  static pair_word of(std::uint64_t w) {
    return {static_cast<std::uint16_t>(w >> 48),
            static_cast<std::uint16_t>(w >> 32),
            static_cast<std::uint8_t>(w >> 24),
            static_cast<std::uint8_t>(w >> 16),
            static_cast<std::uint16_t>((w & payload_bits) >> payload_shift),
            static_cast<std::uint8_t>(w & 1),
            (w & 2) != 0,
            (w & 4) != 0,
            (w & room_bit) != 0};
  }
};

// Written once, in the first turn, by a process that does not want the line.
inline constexpr std::uint8_t line_refused = 0xff;  // as handler

}  // namespace loadstone::transport
