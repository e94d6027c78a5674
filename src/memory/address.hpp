// Where something lies in job memory, valid in every process of the job: never a pointer.
#pragma once

#include <cstdint>

namespace loadstone::memory {

// A region is a chunk of one process's arena. Its number may be reused after the chunk was given
// back; the generation tells.
struct region_id {
  std::uint32_t process;  // index in the process table
  std::uint16_t number;   // index in the owner's region table
  std::uint16_t generation;
  friend bool operator==(const region_id&, const region_id&) = default;
};
static_assert(sizeof(region_id) == 8);

struct address {
  region_id region;
  std::uint64_t offset;
};
static_assert(sizeof(address) == 16);

// An address in the arena of a process that is known from the context, in one word, so that it can
// be stored and read at once, or travel in a message. What it names begins at a multiple of 64.
//   63 … 48 region number | 47 … 32 generation | 31 … 0 offset / 64
struct local_address {
  std::uint64_t bits;  // 0 = none: no block lies at the very start of region 0 (the region table does)

  static local_address of(address a) {
    return {std::uint64_t{a.region.number} << 48 | std::uint64_t{a.region.generation} << 32 | a.offset / 64};
  }
  address in(std::uint32_t process) const {
    return {{process, static_cast<std::uint16_t>(bits >> 48), static_cast<std::uint16_t>(bits >> 32)},
            (bits & 0xffffffff) * 64};
  }
  explicit operator bool() const { return bits != 0; }
};
static_assert(sizeof(local_address) == 8);

}  // namespace loadstone::memory
