// Copies equal blocks that lie at equal distances; source and destination each have a stride of
// their own. Blocks of common element sizes are single loads and stores, at any alignment; others
// are ordinary copies. Source and destination may not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "copy/kernels.hpp"

namespace loadstone::copy {

namespace strided_detail {
template <std::size_t N>
inline void copy_fixed(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                       std::int64_t count) {
  // Offsets instead of moving pointers: the last step would form a pointer outside the buffer.
  for (std::int64_t i = 0; i < count; i++) std::memcpy(to + i * to_stride, from + i * from_stride, N);
}
}  // namespace strided_detail

// Copies `count` blocks of `length` bytes: block i from `from` + i × from_stride to `to` + i ×
// to_stride.
inline void strided(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                    std::size_t length, std::int64_t count) {
  using strided_detail::copy_fixed;
  if (count == 1) {
    switch (length) {
      case 4:
        std::memcpy(to, from, 4);
        return;
      case 8:
        std::memcpy(to, from, 8);
        return;
      case 16:
        std::memcpy(to, from, 16);
        return;
      default:
        return ordinary(to, from, length);
    }
  }
  switch (length) {
    case 1:
      return copy_fixed<1>(to, to_stride, from, from_stride, count);
    case 2:
      return copy_fixed<2>(to, to_stride, from, from_stride, count);
    case 4:
      return copy_fixed<4>(to, to_stride, from, from_stride, count);
    case 8:
      return copy_fixed<8>(to, to_stride, from, from_stride, count);
    case 16:
      return copy_fixed<16>(to, to_stride, from, from_stride, count);
    case 32:
      return copy_fixed<32>(to, to_stride, from, from_stride, count);
    case 64:
      return copy_fixed<64>(to, to_stride, from, from_stride, count);
    default:
      for (std::int64_t i = 0; i < count; i++) ordinary(to + i * to_stride, from + i * from_stride, length);
  }
}

}  // namespace loadstone::copy
