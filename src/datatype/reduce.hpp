// The loops of the predefined reductions, on arrays of one kind of number.
#pragma once

#include <cstdint>

#include "datatype/basic.hpp"
#include "datatype/op.hpp"

namespace loadstone::datatype {

// The loop for an operation on a kind of number; null if there is none. Not for minloc and maxloc.
// Whether MPI allows the operation on a type is not asked here, but in op::defined_on(). `wide`: by
// vectors of so many bytes, where the processor has them; the result is the same.
enum class vectors : std::uint8_t { of_all, of_32, of_64 };  // of_all: what every processor has
extern const vectors widest_vectors;
reduction find_reduction(op_kind kind, number form, vectors wide = widest_vectors);

// (value, index) pairs, `extent` bytes apart, the index `index_offset` bytes after the value. Gaps
// are left as they are.
struct pair_layout {
  number value, index;
  std::int64_t index_offset, extent;
};
void reduce_pairs(bool maximum, const pair_layout& layout, const std::byte* a, const std::byte* b,
                  std::byte* out, std::int64_t count);

}  // namespace loadstone::datatype
