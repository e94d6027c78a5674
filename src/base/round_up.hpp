#pragma once

#include <cstdint>

namespace loadstone::base {

// The next multiple of `unit`, which need not be a power of two.
constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace loadstone::base
