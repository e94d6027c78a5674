#include "datatype/op.hpp"

#include <new>

#include "datatype/definition.hpp"
#include "datatype/reduce.hpp"
#include "datatype/walk.hpp"

namespace loadstone::datatype {
namespace {

bool is_pair(const type& t) {
  return t.predefined() && t.made().index != basic::none;
}

}  // namespace

class predefined_ops {
 public:
  static const predefined_ops& all() {
    static const predefined_ops* const table =
        new predefined_ops;  // never destroyed, like the predefined types
    return *table;
  }
  const op* by_value(int abi) const { return abi < first || abi > last ? nullptr : by_value_[abi - first]; }

 private:
  static constexpr int first = 0x20, last = 0x3f;
  predefined_ops() {
    add(0x21, "MPI_SUM", op_kind::sum);
    add(0x22, "MPI_MIN", op_kind::min);
    add(0x23, "MPI_MAX", op_kind::max);
    add(0x24, "MPI_PROD", op_kind::prod);
    add(0x28, "MPI_BAND", op_kind::band);
    add(0x29, "MPI_BOR", op_kind::bor);
    add(0x2a, "MPI_BXOR", op_kind::bxor);
    add(0x30, "MPI_LAND", op_kind::land);
    add(0x31, "MPI_LOR", op_kind::lor);
    add(0x32, "MPI_LXOR", op_kind::lxor);
    add(0x38, "MPI_MINLOC", op_kind::minloc);
    add(0x39, "MPI_MAXLOC", op_kind::maxloc);
    add(0x3c, "MPI_REPLACE", op_kind::replace);
    add(0x3d, "MPI_NO_OP", op_kind::no_op);
  }
  void add(int abi, const char* name, op_kind kind) {
    auto* o = new op(kind, kind != op_kind::replace && kind != op_kind::no_op);
    o->abi_ = abi;
    o->name_ = name;
    for (std::size_t k = 0; k < o->loops_.size(); ++k)
      if (const auto number = static_cast<basic>(k); o->defined_on(number))
        o->loops_[k] = find_reduction(kind, info(number).form);
    by_value_[abi - first] = o;
  }
  const op* by_value_[last - first + 1] = {};
};

const op* predefined_op(int abi_value) {
  return predefined_ops::all().by_value(abi_value);
}

bool op::defined_on(basic kind) const {
  const group set = info(kind).group;
  switch (kind_) {
    case op_kind::user:
      return true;
    case op_kind::replace:
    case op_kind::no_op:
      return kind != basic::none;
    case op_kind::min:
    case op_kind::max:
      return set == group::c_integer || set == group::fortran_integer || set == group::floating ||
             set == group::multi_language || set == group::text;
    case op_kind::sum:
    case op_kind::prod:
      return set == group::c_integer || set == group::fortran_integer || set == group::floating ||
             set == group::complex || set == group::multi_language || set == group::text;
    case op_kind::land:
    case op_kind::lor:
    case op_kind::lxor:
      return set == group::c_integer || set == group::logical || set == group::multi_language ||
             set == group::text;
    case op_kind::band:
    case op_kind::bor:
    case op_kind::bxor:
      return set == group::c_integer || set == group::fortran_integer || set == group::byte ||
             set == group::multi_language || set == group::text;
    case op_kind::minloc:
    case op_kind::maxloc:
      return false;
  }
  return false;
}

bool op::defined_on(named_kind element) const {
  if (kind_ == op_kind::minloc || kind_ == op_kind::maxloc) return element.index != basic::none;
  const bool any = kind_ == op_kind::user || kind_ == op_kind::replace || kind_ == op_kind::no_op;
  return (any || element.index == basic::none) && defined_on(element.value);
}

bool op::defined_otherwise(const type& t) const {
  if (kind_ == op_kind::user) return true;
  if (!t.predefined()) return false;
  if (kind_ == op_kind::replace || kind_ == op_kind::no_op) return true;
  if (kind_ == op_kind::minloc || kind_ == op_kind::maxloc) return is_pair(t);
  return !is_pair(t) && defined_on(t.single_basic());
}

void op::combine_otherwise(const void* a, const void* b, void* out, std::int64_t count, const type& t) const {
  if (count <= 0) return;
  const auto* lower = static_cast<const std::byte*>(a);
  const auto* higher = static_cast<const std::byte*>(b);
  auto* to = static_cast<std::byte*>(out);
  switch (kind_) {
    case op_kind::user:
      if (out != b) transfer(out, count, t, b, count, t);
      call_(context_, a, out, count, t);
      return;
    case op_kind::no_op:
    case op_kind::replace:
      if (const void* const stays = kind_ == op_kind::no_op ? b : a; stays != out)
        transfer(out, count, t, stays, count, t);
      return;
    case op_kind::minloc:
    case op_kind::maxloc: {
      const auto& d = t.made();
      const pair_layout layout{info(d.value).form, info(d.index).form, second_offset(d.value, d.index),
                               t.extent()};
      reduce_pairs(kind_ == op_kind::maxloc, layout, lower, higher, to, count);
      return;
    }
    default:
      break;
  }
  const auto& element = info(t.single_basic());
  const reduction reduce = find_reduction(kind_, element.form);
  if (reduce == nullptr) return;  // refused by defined_on
  if (t.contiguous()) {
    reduce(lower, higher, to, count * (t.size() / element.size));
    return;
  }
  // All have the layout of `t`: so walk one of them, and the others are at constant distances.
  const program* p = t.compiled();
  if (p == nullptr) __builtin_trap();
  const auto from_out = [&](const void* operand) {
    return reinterpret_cast<std::uintptr_t>(operand) - reinterpret_cast<std::uintptr_t>(out);
  };
  const std::uintptr_t to_lower = from_out(a), to_higher = from_out(b);
  walk_message(*p, out, count, t, 0, count * t.size(),
               [&](std::uintptr_t block, std::int64_t length, std::int64_t blocks, std::int64_t stride) {
                 for (std::int64_t i = 0; i < blocks; i++, block += static_cast<std::uintptr_t>(stride))
                   reduce(reinterpret_cast<const std::byte*>(block + to_lower),
                          reinterpret_cast<const std::byte*>(block + to_higher),
                          reinterpret_cast<std::byte*>(block), length / element.size);
               });
}

op* op::create(user_call call, void* context, bool commutative) {
  auto* o = new (std::nothrow) op(op_kind::user, commutative);
  if (o == nullptr) return nullptr;
  o->call_ = call;
  o->context_ = context;
  return o;
}

void op::acquire() const {
  if (!predefined())
    references_.fetch_add(1, std::memory_order_relaxed);  // the caller holds a reference already
}

void op::release() const {
  if (predefined()) return;
  // sync: op-release — each owner's last use happens before the deletion by the last one.
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace loadstone::datatype
