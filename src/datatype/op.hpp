// Reduction operations: the predefined ones on all their types, and user-defined ones through a
// callback into src/mpi.
//
// Reference-counted like types; predefined operations are static, and ignore it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "datatype/type.hpp"

namespace loadstone::datatype {

enum class op_kind : std::uint8_t {
  user,
  sum,
  prod,
  min,
  max,
  land,
  lor,
  lxor,
  band,
  bor,
  bxor,
  minloc,
  maxloc,
  replace,
  no_op
};

// out = a op b, of arrays of one kind of number. `out` is one of both, or overlaps neither.
using reduction = void (*)(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count);

class op {
 public:
  op(const op&) = delete;
  op& operator=(const op&) = delete;

  bool commutative() const { return commutative_; }
  bool predefined() const { return kind_ != op_kind::user; }
  op_kind kind() const { return kind_; }
  int abi_value() const { return abi_; }  // the handle value of a predefined operation; 0 for others
  const char* name() const { return name_; }
  // May it be used on this type? A user-defined operation: always. A predefined one: on the
  // predefined types of MPI's table (6.9.2), and on those that other libraries take as well
  // (README.md). MPI_REPLACE and MPI_NO_OP: on every predefined type; that no reduction may use
  // them is checked in src/mpi.
  bool defined_on(const type& t) const { return loop_on(t) != nullptr || defined_otherwise(t); }
  // The same for one kind of element, or one named type, as an accumulate with a derived type needs
  // it.
  bool defined_on(basic kind) const;
  bool defined_on(named_kind element) const;
  // out[i] = a[i] op b[i], where `a` is from the lower rank. For a predefined operation, `t` is a
  // type that defined_on() accepts, or a derived type made of one kind that it accepts. All have
  // the layout of `t`, and any alignment; gaps are left as they are. `out` is `b`, or overlaps
  // neither, or is `a`, but not for a user-defined operation, which has two operands only: `b` is
  // copied to `out` before.
  void combine(const void* a, const void* b, void* out, std::int64_t count, const type& t) const {
    if (const reduction loop = loop_on(t); loop != nullptr) [[likely]]
      return loop(static_cast<const std::byte*>(a), static_cast<const std::byte*>(b),
                  static_cast<std::byte*>(out), count);
    combine_otherwise(a, b, out, count, t);
  }
  // inout[i] = in[i] op inout[i]
  void apply(const void* in, void* inout, std::int64_t count, const type& t) const {
    combine(in, inout, inout, count, t);
  }

  // Makes a user-defined operation, with one reference; null: no memory. `call` gets (context, in,
  // inout, count, type). It is a function of src/mpi, which turns `type` into a handle, and splits
  // counts that are too large for the user's function.
  using user_call = void (*)(void* context, const void* in, void* inout, std::int64_t count, const type& t);
  static op* create(user_call call, void* context, bool commutative);
  void acquire() const;
  void release() const;

 private:
  friend class predefined_ops;
  op(op_kind kind, bool commutative) : kind_(kind), commutative_(commutative) {}
  ~op() = default;
  // For a named type that is one number, on which the operation is defined; else null.
  reduction loop_on(const type& t) const {
    if (!t.predefined() || t.single_named().index != basic::none) return nullptr;
    return loops_[static_cast<std::size_t>(t.single_named().value)];
  }
  bool defined_otherwise(const type& t) const;
  void combine_otherwise(const void* a, const void* b, void* out, std::int64_t count, const type& t) const;

  std::array<reduction, static_cast<std::size_t>(basic::kinds)> loops_{};
  op_kind kind_;
  bool commutative_;
  int abi_ = 0;
  const char* name_ = "";
  user_call call_ = nullptr;
  void* context_ = nullptr;
  mutable std::atomic<std::int64_t> references_{1};
};

// The predefined operation that has this handle value; null for any other value, MPI_OP_NULL
// included.
const op* predefined_op(int abi_value);

}  // namespace loadstone::datatype
