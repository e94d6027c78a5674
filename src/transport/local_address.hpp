// An address in the arena of a process that is known from the context, in one word, so that it can
// be stored and read at once.
//   63 … 48 region number | 47 … 32 generation | 31 … 0 offset / 64
#pragma once

#include <cstdint>

#include "memory/address.hpp"

namespace loadstone::transport {

struct local_address {
  std::uint64_t bits =
      0;  // 0 = none: no block of ours lies at the very start of region 0 (the region table does)

  static local_address of(memory::address a) {
    return {static_cast<std::uint64_t>(a.region.number) << 48 |
            static_cast<std::uint64_t>(a.region.generation) << 32 | a.offset / 64};
  }
  memory::address in(std::uint32_t process) const {
    return {{process, static_cast<std::uint16_t>(bits >> 48), static_cast<std::uint16_t>(bits >> 32)},
            (bits & 0xffffffff) * 64};
  }
  explicit operator bool() const { return bits != 0; }
};
static_assert(sizeof(local_address) == 8);

}  // namespace loadstone::transport
