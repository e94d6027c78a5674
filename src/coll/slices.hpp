// Cuts `count` elements into `parts` slices whose sizes differ by one at most. Returns `first`:
// slice i is the elements [first[i], first[i + 1]).
#pragma once

#include <cstdint>
#include <vector>

namespace loadstone::coll {

inline std::vector<std::int64_t> even_slices(std::int64_t count, std::int32_t parts) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(parts) + 1);
  const std::int64_t each = count / parts, larger = count % parts;
  for (std::int32_t i = 0; i <= parts; ++i) first[i] = i * each + (i < larger ? i : larger);
  return first;
}

}  // namespace loadstone::coll
