// Of two ways to do the same the quicker one is taken, and the other one looked at now and then,
// for what they cost may change.
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::base {

// How many times the quicker way is taken for one look at a way that costs `dearer` times as much:
// looks shall cost a hundredth at most. At least `least`; and not so rare that a change is never
// seen.
inline std::uint32_t look_every(std::uint32_t least, double dearer) {
  constexpr double share = 0.01, most = 32;
  return static_cast<std::uint32_t>(std::clamp((dearer - 1) / share, double{1} * least, most * least));
}

}  // namespace loadstone::base
