// Memory that two processes use by turns, in front of their inboxes: a short message from one to
// the other and the answer travel in one and the same cache line, which costs half of what two
// lines cost. Payload of up to 256 KiB lies in a buffer of the pair (pair_buffer.hpp).
//
//   0 word | 8 data | 128 end
//   data: header, then payload, or what there is to say of one that lies elsewhere (pair_far)
//   A message of up to 56 bytes of header and payload dirties the first line only;
//   so does one with a header of up to 32 bytes and its payload elsewhere.
//
//   word: 63 … 56 turn | 55 … 40 sequence, low bits | 39 … 32 handler | 31 … 24 header bytes
//         | 23 … 4 payload bytes | 3 they are counted | 2 … 1 place of the payload | 0 kind
//         1: in a cell. 2: in the buffer. Both: in a new buffer, which is named.
//         3: not all of them are there yet: `filled` says how many are, or of a cell its own count.
//            A message in the buffer has come when all are there.
//
// So the reader of a payload in the buffer needs no more than the word, and can read ahead of it.
//
// The turn counts messages; the process that *accepted* the line writes the odd ones. W: whose turn
// it is, buffer and data first, then the word, then `filled` (sync: pair-line). The buffer is read
// until its reader writes the next word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"
#include "transport/cell_layout.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

// The buffer of a pair (pair_buffer.hpp). What it holds of payload at first, and once somewhat
// longer ones have come. It begins with a page, and so far behind that lies every payload.
inline constexpr std::size_t first_buffer_capacity = 32 * 1024, last_buffer_capacity = 256 * 1024;
inline constexpr std::size_t buffer_page = 4096, buffer_begin = buffer_page / 2 - 64;

inline constexpr std::size_t pair_data_bytes = 120;
inline constexpr std::size_t far_header_bytes = 32;  // at most, of a message in the buffer

// Behind the header of a message whose payload lies elsewhere, at the next word.
struct pair_far {
  std::uint64_t where;                // local_address: of the cell, or of the buffer that is new
  std::atomic<std::uint32_t> filled;  // of a payload in the buffer, where its bytes are counted
  std::uint32_t capacity;             // of the buffer
  std::uint8_t buffer_is_mine;        // the writer's
  std::uint8_t passed;                // of a cell: flags of a slot (slot_layout.hpp)
};
static_assert(offsetof(pair_far, where) == 0 && offsetof(pair_far, filled) == 8 &&
              offsetof(pair_far, capacity) == 12);
static_assert(offsetof(pair_far, buffer_is_mine) == 16 && offsetof(pair_far, passed) == 17);
static_assert(sizeof(pair_far) == 24 && slot_data_bytes + sizeof(pair_far) <= pair_data_bytes);
static_assert(8 + far_header_bytes + offsetof(pair_far, passed) < 64);

struct alignas(memory::isolation) pair_line {
  std::atomic<std::uint64_t> word;
  std::byte data[pair_data_bytes];
};
static_assert(offsetof(pair_line, data) == 8 && sizeof(pair_line) == 128);

struct pair_word {
  std::uint8_t turn;
  std::uint16_t sequence;
  std::uint8_t handler, header_bytes;
  std::uint32_t payload_bytes;
  std::uint8_t kind;
  bool in_cell = false, in_buffer = false, counted = false;
  bool names_buffer() const { return in_cell && in_buffer; }

  static constexpr unsigned turn_shift = 56, payload_shift = 4;
  static constexpr std::uint64_t payload_bits = std::uint64_t{0xfffff} << payload_shift, counted_bit = 8,
                                 buffer_bit = 4, cell_bit = 2;
  static_assert(last_buffer_capacity <= payload_bits >> payload_shift &&
                largest_cell <= payload_bits >> payload_shift);

  std::uint64_t packed() const {
    return std::uint64_t{turn} << turn_shift | std::uint64_t{sequence} << 40 | std::uint64_t{handler} << 32 |
           std::uint64_t{header_bytes} << 24 | std::uint64_t{payload_bytes} << payload_shift |
           (counted ? counted_bit : 0u) | (in_buffer ? buffer_bit : 0u) | (in_cell ? cell_bit : 0u) | kind;
  }
  static pair_word of(std::uint64_t w) {
    return {static_cast<std::uint8_t>(w >> turn_shift),
            static_cast<std::uint16_t>(w >> 40),
            static_cast<std::uint8_t>(w >> 32),
            static_cast<std::uint8_t>(w >> 24),
            static_cast<std::uint32_t>((w & payload_bits) >> payload_shift),
            static_cast<std::uint8_t>(w & 1),
            (w & cell_bit) != 0,
            (w & buffer_bit) != 0,
            (w & counted_bit) != 0};
  }
};

// Written once, in the first turn, by a process that does not want the line.
inline constexpr std::uint8_t line_refused = 0xff;  // as handler

}  // namespace loadstone::transport
