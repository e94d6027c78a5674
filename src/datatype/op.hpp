// Reduction operations: the predefined ones on all their types, and user-defined ones through a callback of the MPI layer.
#pragma once

#include <cstdint>

#include "datatype/type.hpp"

namespace loadstone::datatype {

class op {
 public:
  bool commutative() const;
  bool predefined() const;
  bool defined_on(const type& t) const;  // MPI's table of operations and types (§6.9.2); user operations: always
  // inout[i] = in[i] op inout[i]; `in` holds the operand of the lower rank.
  void apply(const void* in, void* inout, std::int64_t count, const type& t) const;

  // A user-defined operation: `call` receives (context, in, inout, count, type); the MPI layer turns `type` into a handle and
  // splits counts beyond what the user's function can take.
  using user_call = void (*)(void* context, const void* in, void* inout, std::int64_t count, const type& t);
  static op* create(user_call call, void* context, bool commutative);
  void acquire() const;
  void release() const;

 private:
  struct state;
  state* state_;
};

}  // namespace loadstone::datatype
