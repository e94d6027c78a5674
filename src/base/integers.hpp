// A view of an array of counts or displacements as the user gave it (int[], MPI_Count[] or
// MPI_Aint[]), read as 64-bit values. So one function serves MPI_X and MPI_X_c.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace loadstone::base {

struct integers {
  const void* data = nullptr;  // null = not given
  std::uint8_t width = 4;      // bytes of an element: 4 or 8
  std::int64_t operator[](std::size_t i) const {
    return width == 4 ? static_cast<const std::int32_t*>(data)[i] : static_cast<const std::int64_t*>(data)[i];
  }
  // Are the first n of both the same?
  bool begins_as(const std::int64_t* other, std::size_t n) const {
    return width == 4 ? std::equal(other, other + n, static_cast<const std::int32_t*>(data))
                      : std::equal(other, other + n, static_cast<const std::int64_t*>(data));
  }
};

}  // namespace loadstone::base
