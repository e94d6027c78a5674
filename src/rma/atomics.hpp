// The operations of accumulates by atomic instructions, on aligned numbers of 1, 2, 4 or 8 bytes:
// those that the processor has (add, and, or, exclusive or, exchange), and a compare-and-swap loop
// for the others. Pairs have none.
//
// They acquire and release: a program that makes a lock or a queue of them finds behind it what was
// written before it (sync: rma-element).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "datatype/op.hpp"
#include "rma/element.hpp"

namespace loadstone::rma {

// Null: the number is too large, or the operation is not defined on it.
operation find_atomic(datatype::op_kind op, datatype::number form);
// The same for one element of a type that is no pair; `out` null: nobody asks for what was there.
// Null, too, where MPI does not define the operation on the type.
using single_operation = void (*)(std::byte* target, const std::byte* in, std::byte* out) noexcept;
inline constexpr auto op_kinds = static_cast<std::size_t>(datatype::op_kind::no_op) + 1,
                      basic_kinds = static_cast<std::size_t>(datatype::basic::kinds);
extern const std::array<std::array<single_operation, basic_kinds>, op_kinds> single_atomics;
inline single_operation find_single_atomic(datatype::op_kind op, datatype::basic kind) {
  return single_atomics[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)];
}

// May what such an operation stores be seen later than what follows is read? Not where instructions
// that read, change and write are full fences, as on x86. A replacement that fetches nothing is a
// store.
#if defined(__x86_64__)
inline constexpr bool instructions_are_fences = true;
#else
inline constexpr bool instructions_are_fences = false;
#endif
constexpr bool stores_late(datatype::op_kind op, bool fetches) {
  return !instructions_are_fences || (op == datatype::op_kind::replace && !fetches);
}

// Stores `in` where the target has the same bytes as `compare`; `out` gets what was there before.
// `bytes`: 1, 2, 4 or 8.
void compare_and_swap_atomic(std::byte* target, const std::byte* in, const std::byte* compare, std::byte* out,
                             std::int64_t bytes) noexcept;

// May `count` elements of `size` bytes that begin here, `step` bytes apart, be changed by
// instructions?
constexpr bool instructions_reach(std::uintptr_t address, std::int64_t step, std::int64_t size) {
  return size <= 8 &&
         ((address | static_cast<std::uintptr_t>(step)) & static_cast<std::uintptr_t>(size - 1)) == 0;
}

}  // namespace loadstone::rma
