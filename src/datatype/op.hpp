// Reduction operations: the predefined ones on all their types, and user-defined ones through a
// callback of the MPI layer.
//
// Reference-counted like types; predefined operations are static and ignore it.
#pragma once

#include <atomic>
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

class op {
 public:
  op(const op&) = delete;
  op& operator=(const op&) = delete;

  bool commutative() const { return commutative_; }
  bool predefined() const { return kind_ != op_kind::user; }
  op_kind kind() const { return kind_; }
  int abi_value() const { return abi_; }  // the handle value of a predefined operation; 0 for others
  const char* name() const { return name_; }
  // MPI's table of operations and types (6.9.2), and what all other libraries take as well
  // (README.md): predefined types only; user operations: always. MPI_REPLACE and MPI_NO_OP: every
  // predefined type (that a reduction may not use them at all is the API's rule).
  bool defined_on(const type& t) const;
  // The same for one kind of element: what an accumulate with a derived type needs.
  bool defined_on(basic kind) const;
  // inout[i] = in[i] op inout[i]; `in` holds the operand of the lower rank, `inout` that of the
  // higher. For predefined operations `t` is one that defined_on() accepts, or a derived type made
  // of one kind that it accepts; both buffers then have the same layout. Any alignment. The buffers
  // may not overlap.
  void apply(const void* in, void* inout, std::int64_t count, const type& t) const;

  // A user-defined operation: `call` receives (context, in, inout, count, type); the MPI layer
  // turns `type` into a handle and splits counts beyond what the user's function can take. One
  // reference; null without memory.
  using user_call = void (*)(void* context, const void* in, void* inout, std::int64_t count, const type& t);
  static op* create(user_call call, void* context, bool commutative);
  void acquire() const;
  void release() const;

 private:
  friend class predefined_ops;
  op(op_kind kind, bool commutative) : kind_(kind), commutative_(commutative) {}
  ~op() = default;

  op_kind kind_;
  bool commutative_;
  int abi_ = 0;
  const char* name_ = "";
  user_call call_ = nullptr;
  void* context_ = nullptr;
  mutable std::atomic<std::int64_t> references_{1};
};

// By handle value; null for any other value (MPI_OP_NULL included).
const op* predefined_op(int abi_value);

}  // namespace loadstone::datatype
