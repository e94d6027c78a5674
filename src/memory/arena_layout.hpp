// The front of an arena: region 0, whose place and size every process knows without asking.
//
//   0         region table (this file)          64 KiB
//   64 KiB    front: the transport's inbox      96 KiB (arena.hpp: front_of)
//   160 KiB   ordinary allocations             224 KiB: what two ranks want that exchange a little
//   384 KiB   end of region 0; further regions follow on demand
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::memory {

inline constexpr std::size_t first_region_bytes = 384 * 1024;
inline constexpr std::size_t max_regions = 8128;

// One region in one word, so that a reader never sees halves of two:
//   63 … 48 generation | 47 … 24 first granule in the arena | 23 … 0 granules (0 = no such region)
struct region_word {
  std::uint64_t bits = 0;
  static region_word make(std::uint16_t generation, std::uint64_t first, std::uint64_t count) {
    return {static_cast<std::uint64_t>(generation) << 48 | first << 24 | count};
  }
  std::uint16_t generation() const { return static_cast<std::uint16_t>(bits >> 48); }
  std::uint64_t offset() const {
    return (bits >> 24 & 0xffffff) * granule;
  }  // bytes from the start of the arena
  std::uint64_t bytes() const { return (bits & 0xffffff) * granule; }
  bool live() const { return (bits & 0xffffff) != 0; }
};
inline constexpr std::uint64_t max_arena_span = (1ull << 24) * granule;

struct region_table {
  std::uint64_t magic;
  std::byte fill_[504];
  std::atomic<std::uint64_t> regions[max_regions];  // W: the owner of the arena (sync: region-publish)
};
static_assert(offsetof(region_table, regions) == 512);
static_assert(sizeof(region_table) == 64 * 1024);
inline constexpr std::uint64_t region_table_magic = 0x656c6261'74676572;

}  // namespace loadstone::memory
