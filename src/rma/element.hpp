// What an accumulate changes as a whole: one number, or one pair of a value and an index.
//
// Origin data and results are *packed* here: element behind element, without holes, at any
// alignment. At the target elements lie `step` bytes apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/op.hpp"
#include "datatype/reduce.hpp"

namespace loadstone::rma {

// target = in op target for `count` elements; `out` (unless null) gets what was there before. `in`
// is not read by no_op.
using operation = void (*)(std::byte* target, std::int64_t step, const std::byte* in, std::byte* out,
                           std::int64_t count);

// Elements at equal distances.
struct element_run {
  std::byte* at;
  std::int64_t step, count;
};

class element {
 public:
  // What a type is made of: type::single_named(), which is not nothing.
  explicit element(datatype::named_kind kind);

  std::int64_t size() const { return size_; }  // packed
  std::int64_t span() const { return span_; }  // in memory, the hole within a pair included
  bool paired() const { return paired_; }
  // The operation by atomic instructions (atomics.hpp); null: there are none for it.
  operation by_instruction(datatype::op_kind op) const;
  // The same by ordinary loads and stores, for whoever holds the locks.
  enum class layout : std::uint8_t { in_memory, packed };  // of a pair at the target
  void apply(datatype::op_kind op, std::byte* target, std::int64_t step, const std::byte* in, std::byte* out,
             std::int64_t count, layout of = layout::in_memory) const;

 private:
  void apply_pairs(datatype::op_kind op, std::byte* target, std::int64_t step, const std::byte* in,
                   std::byte* out, std::int64_t count, layout of) const;

  datatype::number form_, index_ = datatype::number::u8;  // of a number, or of value and index
  bool paired_;
  std::uint8_t size_, span_, index_at_;
};

}  // namespace loadstone::rma
