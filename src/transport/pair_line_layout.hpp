// Memory that two processes use by turns, in front of their inboxes: a short message from one to
// the other and the answer travel in one and the same cache line, which costs half of what two
// lines cost. Payload of up to 256 KiB lies in a buffer of the pair (pair_buffer.hpp), for either
// direction: no cell has to be found and given back, and the answer is written where the message
// was read.
//
//   0 word | 8 data | 128 end
//   data: header, then payload
//         or where that is, payload bytes, …, filled, header
//   A message of up to 56 bytes of header and payload dirties the first line only;
//   so does one with a header of up to 32 bytes and its payload elsewhere.
//
//   word: 63 … 48 turn | 47 … 32 sequence, low bits | 31 … 24 handler | 23 … 16 header bytes
//         | 15 … 4 payload bytes | 3 payload is in the buffer | 2 it is still being written
//         | 1 it is in a cell | 0 kind
//         3: `filled` counts the bytes that are there; the message has come when all of them are.
//         2: of a cell, which has a count of its own.
//
// The turn counts messages; the process that *accepted* the line writes the odd ones. W: whose turn
// it is, buffer and data first, then the word, then `filled` (sync: pair-line). The buffer is read
// until its reader writes the next word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::transport {

// The buffer of a pair (pair_buffer.hpp). What it holds of payload at first, and once somewhat
// longer ones have come. It begins with a page, and so far behind that lies every payload.
inline constexpr std::size_t first_buffer_capacity = 32 * 1024, last_buffer_capacity = 256 * 1024;
inline constexpr std::size_t buffer_page = 4096, buffer_begin = buffer_page / 2 - 64;

inline constexpr std::size_t pair_data_bytes = 120;
inline constexpr std::size_t far_header_bytes = 32;  // at most, of a message in the buffer

// What `data` is of a message whose payload lies elsewhere.
struct pair_far {
  std::uint64_t where;  // local_address: of the cell, or of the buffer
  std::uint32_t payload_bytes;
  // Of the buffer: whether it is the writer's, and how much of the payload is there.
  std::uint8_t buffer_is_mine;
  std::uint8_t passed;  // of a cell: flags of a slot (slot_layout.hpp)
  std::atomic<std::uint32_t> filled;
  std::uint32_t capacity;  // of the buffer
  std::byte header[pair_data_bytes - 24];
};
static_assert(offsetof(pair_far, where) == 0 && offsetof(pair_far, payload_bytes) == 8 &&
              offsetof(pair_far, buffer_is_mine) == 12);
static_assert(offsetof(pair_far, passed) == 13 && offsetof(pair_far, filled) == 16 &&
              offsetof(pair_far, capacity) == 20 && offsetof(pair_far, header) == 24);
static_assert(sizeof(pair_far) == pair_data_bytes);

struct alignas(memory::isolation) pair_line {
  std::atomic<std::uint64_t> word;
  std::byte data[pair_data_bytes];
};
static_assert(offsetof(pair_line, data) == 8 && sizeof(pair_line) == 128);

struct pair_word {
  std::uint16_t turn, sequence;
  std::uint8_t handler, header_bytes;
  std::uint16_t payload_bytes;  // 0 where they are elsewhere
  std::uint8_t kind;
  bool in_cell = false, overlapped = false, in_buffer = false;

  static constexpr unsigned payload_shift = 4;
  static constexpr std::uint64_t payload_bits = std::uint64_t{0xfff} << payload_shift, buffer_bit = 8;

  std::uint64_t packed() const {
    return std::uint64_t{turn} << 48 | std::uint64_t{sequence} << 32 | std::uint64_t{handler} << 24 |
           std::uint64_t{header_bytes} << 16 | std::uint64_t{payload_bytes} << payload_shift |
           (in_buffer ? buffer_bit : 0u) | (overlapped ? 4u : 0u) | (in_cell ? 2u : 0u) | kind;
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
            (w & buffer_bit) != 0};
  }
};

// Written once, in the first turn, by a process that does not want the line.
inline constexpr std::uint8_t line_refused = 0xff;  // as handler

}  // namespace loadstone::transport
