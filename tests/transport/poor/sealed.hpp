// Slots and words that carry a checksum, for memory that may lose or repeat lines
// (docs/decisions/007).
//
// identity of a sealed slot: 63 … 32 checksum | 31 … 0 the low half of what identity is elsewhere.
// The checksum is over the slot's place (ring position, or number of a queue entry), its fields,
// header and payload; of a payload in a cell, over the checksum of that, which stands at the end of
// `data`. So a slot is taken only if every line of it is there, and is the one that belongs to this
// message.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/crc32c.hpp"
#include "transport/queue_layout.hpp"
#include "transport/slot_layout.hpp"

namespace loadstone::transport {

inline constexpr std::uint64_t low_half = 0xffff'ffff;
inline constexpr std::size_t cell_check_at = slot_data_bytes - sizeof(std::uint32_t);

inline std::uint32_t checksum_of(const slot& s, std::uint64_t place) {
  const auto* fields = reinterpret_cast<const std::byte*>(&s) + offsetof(slot, source);
  std::uint32_t sum = base::crc32c(&place, sizeof place);
  sum = base::crc32c(fields, offsetof(slot, data) - offsetof(slot, source), sum);
  const bool in_cell = (s.flags & slot_in_cell) != 0;
  const std::size_t used = s.header_bytes + (in_cell ? std::size_t{0} : s.payload_bytes);
  sum = base::crc32c(s.data, std::min(used, slot_data_bytes), sum);
  return in_cell ? base::crc32c(s.data + cell_check_at, sizeof(std::uint32_t), sum) : sum;
}

// Everything else of the slot is there; `low`: what its identity is to be, of which the low half
// counts.
inline void seal(slot& s, std::uint64_t place, std::uint64_t low) {
  // Relaxed: not visible to others yet, or published by what follows.
  s.identity.store(std::uint64_t{checksum_of(s, place)} << 32 | (low & low_half), std::memory_order_relaxed);
}
// Does it say that it is the one? (It may be damaged.)
inline bool claims_to_be(const slot& s, std::uint64_t low) {
  return (s.identity.load(std::memory_order_acquire) & low_half) == (low & low_half);  // sync: words
}
inline bool intact(const slot& s, std::uint64_t place) {
  return s.identity.load(std::memory_order_relaxed) >> 32 == checksum_of(s, place);  // relaxed: a copy
}

inline void set_cell_check(slot& s, std::uint32_t checksum) {
  std::memcpy(s.data + cell_check_at, &checksum, sizeof checksum);
}
inline std::uint32_t cell_check(const slot& s) {
  std::uint32_t checksum;
  std::memcpy(&checksum, s.data + cell_check_at, sizeof checksum);
  return checksum;
}

// The word beside a block's `next`: `end` is the number of the first entry beyond that block.
inline std::uint64_t check_of_next(std::uint64_t next, std::uint64_t end) {
  const std::uint64_t both[] = {next, end};
  return base::crc32c(both, sizeof both) | std::uint64_t{1} << 32;  // never 0, which is in every fresh block
}

}  // namespace loadstone::transport
