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

}  // namespace loadstone::memory
