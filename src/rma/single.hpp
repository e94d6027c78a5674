// One element that an instruction changes: what most programs do with fetch_and_op,
// compare_and_swap and accumulates of one number, in memory that is mapped here.
//
// Cost: the instruction, and some twenty others.
#pragma once

#include <cstdint>

#include "datatype/op.hpp"
#include "rma/atomics.hpp"
#include "rma/bulk.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

// Where it is, whose, and in which range; null: it is not so simple.
[[gnu::always_inline]] inline std::byte* find_single(const window& w, std::int32_t rank,
                                                     std::int64_t displacement, std::int64_t bytes,
                                                     target** owner, range_set* range) {
  std::int64_t offset = 0;
  target* const t = w.in_line(rank, displacement, bytes, &offset);
  if (t == nullptr || !t->in_job_memory) return nullptr;
  std::byte* const at = t->memory + offset;
  if (!instructions_reach(reinterpret_cast<std::uintptr_t>(at), 0, bytes)) return nullptr;
  *owner = t;
  *range = range_of(t->base + static_cast<std::uint64_t>(offset));
  return at;
}

// Each is done if it returns true; else nothing has happened, and accumulate() and others
// (accumulate.hpp) find out how it is done, or what is wrong. `type` is predefined. `out` null:
// nothing is fetched.
[[gnu::always_inline]] inline bool change_single(window& w, std::int32_t rank, std::int64_t displacement,
                                                 const datatype::type& type, datatype::op_kind op,
                                                 const void* in, void* out) {
  const datatype::named_kind kind = type.single_named();
  const single_operation change =
      kind.index == datatype::basic::none ? find_single_atomic(op, kind.value) : nullptr;
  if (change == nullptr) return false;
  target* owner = nullptr;
  range_set range = 0;
  std::byte* const at = find_single(w, rank, displacement, type.size(), &owner, &range);
  if (at == nullptr) return false;
  const announcement here(*owner);
  if (in_bulk(*owner, range)) [[unlikely]]
    return false;
  change(at, static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
  if (stores_late(op, out != nullptr)) w.note_stores();
  return true;
}

[[gnu::always_inline]] inline bool swap_single(window& w, std::int32_t rank, std::int64_t displacement,
                                               const datatype::type& type, const void* in,
                                               const void* compare, void* out) {
  target* owner = nullptr;
  range_set range = 0;
  std::byte* const at = find_single(w, rank, displacement, type.size(), &owner, &range);
  if (at == nullptr) return false;
  const announcement here(*owner);
  if (in_bulk(*owner, range)) [[unlikely]]
    return false;
  compare_and_swap_atomic(at, static_cast<const std::byte*>(in), static_cast<const std::byte*>(compare),
                          static_cast<std::byte*>(out), type.size());
  if (!instructions_are_fences) w.note_stores();
  return true;
}

// The same in ordinary memory whose owner stays for such operations (handed.hpp).
bool change_ordinary_single(window& w, std::int32_t rank, std::int64_t displacement,
                            const datatype::type& type, const datatype::op& op, const void* in, void* out);
bool swap_ordinary_single(window& w, std::int32_t rank, std::int64_t displacement, const datatype::type& type,
                          const void* in, const void* compare, void* out);

}  // namespace loadstone::rma
