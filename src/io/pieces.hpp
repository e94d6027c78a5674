// Which bytes of a window of a file a member has, as it tells an aggregator: equal blocks at equal
// distances. Lies in memory that both map.
#pragma once

#include <cstdint>

namespace loadstone::io {

struct pieces {
  std::int64_t offset;  // of the first, from the beginning of the window
  std::int64_t length, count, stride;
  std::int64_t end() const { return offset + (count - 1) * stride + length; }
};
static_assert(sizeof(pieces) == 32);

// Has no byte of one been given by the other, for certain? Blocks of two that follow each other at
// the same distance lie apart everywhere if they do so within that distance. False: not known.
inline bool lie_apart(const pieces& a, const pieces& b) {
  if (a.end() <= b.offset || b.end() <= a.offset) return true;
  const std::int64_t stride = a.count > 1 ? a.stride : b.stride;
  if ((a.count == 1 && b.count == 1) || (a.count > 1 && b.count > 1 && a.stride != b.stride)) return false;
  const std::int64_t from_a_to_b = ((b.offset - a.offset) % stride + stride) % stride;
  return from_a_to_b >= a.length && from_a_to_b + b.length <= stride;
}

}  // namespace loadstone::io
