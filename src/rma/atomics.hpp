// The operations of accumulates by atomic instructions, on aligned numbers of 1, 2, 4 or 8 bytes:
// those that the processor has (add, and, or, exclusive or, exchange), and a compare-and-swap loop
// for the others. Pairs have none.
//
// They acquire and release: a program that makes a lock or a queue of them finds behind it what was
// written before it (sync: rma-element).
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/op.hpp"
#include "rma/element.hpp"

namespace loadstone::rma {

// Null: the number is too large, or the operation is not defined on it.
operation find_atomic(datatype::op_kind op, datatype::number form);
// The same for one element.
using single_operation = void (*)(std::byte* target, const std::byte* in, std::byte* out);
single_operation find_single_atomic(datatype::op_kind op, datatype::number form);

// Stores `in` where the target has the same bytes as `compare`; `out` gets what was there before.
// `bytes`: 1, 2, 4 or 8.
void compare_and_swap_atomic(std::byte* target, const std::byte* in, const std::byte* compare, std::byte* out,
                             std::int64_t bytes);

// May `count` elements of `size` bytes that begin here, `step` bytes apart, be changed by
// instructions?
constexpr bool instructions_reach(std::uintptr_t address, std::int64_t step, std::int64_t size) {
  return size <= 8 &&
         ((address | static_cast<std::uintptr_t>(step)) & static_cast<std::uintptr_t>(size - 1)) == 0;
}

}  // namespace loadstone::rma
