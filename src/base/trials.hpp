// How often to try the slower one of two ways to do the same. The quicker one is used as a rule;
// the other is tried now and then, because what they cost may change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace loadstone::base {

// How many uses of the quicker way there are to one trial of the other, which costs `dearer` times
// as much. One trial adds that share of the time at most. The answer is at least `least`, and at
// most 32 times that, so that a change is noticed.
inline std::uint32_t trial_every(std::uint32_t least, double dearer, double share = 0.01) {
  constexpr double most = 32;
  return static_cast<std::uint32_t>(
      std::ceil(std::clamp((dearer - 1) / share, double{1} * least, most * least)));
}

}  // namespace loadstone::base
