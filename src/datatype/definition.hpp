// How a type was made: its combiner and the arguments of the constructor. evaluate() is the one
// place that says what each combiner means. It expresses it by a few operations (block, part,
// repeat, sequence), which the caller supplies as an *algebra*: one computes bounds (bounds.cpp),
// another one builds programs (compile.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "datatype/room.hpp"
#include "datatype/type.hpp"

namespace loadstone::datatype {

// What the algebra of bounds.cpp computes of a type map: its limits, size and kinds of elements.
struct bounds {
  std::int64_t size = 0, elements = 0, alignment = 1;
  std::int64_t true_lower = 0, true_upper = 0;      // of the data; meaningless when size is 0
  std::int64_t upper = 0;                           // true_upper, and the padding of structs inside
  std::int64_t marked_lower = 0, marked_upper = 0;  // the extreme markers set by resized
  bool marked = false;
  bool mixed = false;          // more than one basic kind
  basic single = basic::none;  // the kind, none when there is no data
  bool several = false;        // made of more than one named type
  named_kind named;            // the named type, nothing when there is no data
  std::int64_t lower() const { return marked ? marked_lower : true_lower; }
};

// Arithmetic on arguments of constructors. A sum or product beyond 64 bits sets `overflow`, and
// must not be used.
struct checked {
  bool overflow = false;
  std::int64_t times(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    overflow |= __builtin_mul_overflow(a, b, &r);
    return r;
  }
  std::int64_t plus(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    overflow |= __builtin_add_overflow(a, b, &r);
    return r;
  }
};

struct type::definition {
  combiner kind = combiner::named;
  bool large = false;
  int abi = 0;
  const char* name = "";
  basic value = basic::none, index = basic::none;  // named, f90, value_index: an element, or a pair of two
  room<64> here;                                   // for what is short
  std::pmr::vector<std::int64_t> numbers{&here};   // in the order of the constructor's arguments
  std::pmr::vector<const type*> parts{&here};      // its datatypes, each holding a reference
  const type* composed = nullptr;  // subarray, darray: the same layout from simpler constructors
  std::uint32_t nesting = 0;       // constructors below this one
  bounds limits;

  definition() = default;
  definition(const definition&) = delete;
  definition& operator=(const definition&) = delete;
  ~definition();
};

// The offset of the second element of a pair laid out as a C struct.
inline std::int64_t second_offset(basic first, basic second) {
  const std::int64_t a = info(first).size, k = info(second).alignment;
  return (a + k - 1) / k * k;
}

// An algebra has the types `value` and `list`, and these operations:
//   block(kind)                          one element at 0
//   part(type)                           another type
//   repeat(value, count, stride)         `count` times, `stride` bytes apart
//   append(list&, value, offset)         adds to a list, at an offset in bytes
//   sequence(list&&)                     the entries of a list, one after the other
//   arithmetic                           of type `checked`, for sums and products of arguments
template <class Algebra>
typename Algebra::value evaluate(const type::definition& d, Algebra& algebra) {
  const auto& n = d.numbers;
  const type* old = d.parts.empty() ? nullptr : d.parts[0];
  typename Algebra::list list;
  auto blocks = [&](const type& t, std::int64_t count) {
    return algebra.repeat(algebra.part(t), count, t.extent());
  };
  // If nothing is repeated, the stride does not matter, and may not be the cause of an overflow.
  auto rows = [&] { return blocks(*old, n[0] == 0 ? 0 : n[1]); };
  auto add = [&](const type& t, std::int64_t count, std::int64_t displacement, std::int64_t unit) {
    if (count > 0) algebra.append(list, blocks(t, count), algebra.arithmetic.times(displacement, unit));
  };
  auto indexed = [&](std::int64_t unit) {
    const auto count = static_cast<std::size_t>(n[0]);
    for (std::size_t i = 0; i < count; i++) add(*old, n[1 + i], n[1 + count + i], unit);
    return algebra.sequence(std::move(list));
  };
  auto equal_blocks = [&](std::int64_t unit) {
    const auto count = static_cast<std::size_t>(n[0]);
    for (std::size_t i = 0; i < count; i++) add(*old, n[1], n[2 + i], unit);
    return algebra.sequence(std::move(list));
  };
  switch (d.kind) {
    case combiner::named:
    case combiner::f90_real:
    case combiner::f90_complex:
    case combiner::f90_integer:
    case combiner::value_index:
      if (d.index == basic::none) return algebra.block(d.value);
      algebra.append(list, algebra.block(d.value), 0);
      algebra.append(list, algebra.block(d.index), second_offset(d.value, d.index));
      return algebra.sequence(std::move(list));
    case combiner::dup:
    case combiner::resized:
      return algebra.part(*old);
    case combiner::contiguous:
      return blocks(*old, n[0]);
    case combiner::vector:
      return algebra.repeat(rows(), n[0], n[0] > 1 ? algebra.arithmetic.times(n[2], old->extent()) : 0);
    case combiner::hvector:
      return algebra.repeat(rows(), n[0], n[2]);
    case combiner::indexed:
      return indexed(old->extent());
    case combiner::hindexed:
      return indexed(1);
    case combiner::indexed_block:
      return equal_blocks(old->extent());
    case combiner::hindexed_block:
      return equal_blocks(1);
    case combiner::structure: {
      const auto count = static_cast<std::size_t>(n[0]);
      for (std::size_t i = 0; i < count; i++) add(*d.parts[i], n[1 + i], n[1 + count + i], 1);
      return algebra.sequence(std::move(list));
    }
    case combiner::subarray:
    case combiner::darray:
      return algebra.part(*d.composed);
  }
  __builtin_unreachable();
}

}  // namespace loadstone::datatype
