// Operations of the user, and local reduction (MPI §6.9.5 – §6.9.7).
#include <algorithm>
#include <climits>

#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {

// What the engine passes back at each call of a user's function. There is one for each function. It
// may outlive the handle of the operation, as reductions may be under way, so the process keeps it.
struct user_function {
  process* owner;
  MPI_User_function* small = nullptr;
  MPI_User_function_c* large = nullptr;
};

namespace {

void apply_user(void* context, const void* in, void* inout, std::int64_t count,
                const loadstone::datatype::type& type) {
  auto& f = *static_cast<user_function*>(context);
  MPI_Datatype handle = f.owner->layouts.of(type);
  // The function does not change its first operand, but MPI's prototype has no const.
  auto* from = static_cast<std::byte*>(const_cast<void*>(in));
  auto* to = static_cast<std::byte*>(inout);
  if (f.large != nullptr) {
    MPI_Count n = count;
    f.large(from, to, &n, &handle);
    return;
  }
  // If the count does not fit an int: several calls.
  for (std::int64_t done = 0; done < count;) {
    int n = static_cast<int>(std::min<std::int64_t>(count - done, INT_MAX));
    f.small(from + done * type.extent(), to + done * type.extent(), &n, &handle);
    done += std::min<std::int64_t>(count - done, INT_MAX);
  }
}

int create(call& c, user_function f, const void* key, int commute, MPI_Op* out) {
  process& p = c.process();
  f.owner = &p;
  void* context = p.keep_user_function(key, [&f] { return std::make_shared<user_function>(f); });
  auto* core = loadstone::datatype::op::create(&apply_user, context, commute != 0);
  if (core == nullptr) return c.fail(MPI_ERR_NO_MEM, "out of memory");
  auto* o = new op(core, MPI_OP_NULL);
  o->set_handle(p.handles.ops.insert(o));
  if (o->handle() == MPI_OP_NULL) {
    delete o;
    return c.fail(MPI_ERR_OTHER, "no more operation handles are free");
  }
  *out = o->handle();
  return MPI_SUCCESS;
}

}  // namespace

int impl::Op_create(call& c, MPI_User_function* user_fn, int commute, MPI_Op* op) {
  user_function f{};
  f.small = user_fn;
  return create(c, f, reinterpret_cast<const void*>(user_fn), commute, op);
}

int impl::Op_create_c(call& c, MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  user_function f{};
  f.large = user_fn;
  // One function may be registered in both forms, so each gets a key of its own.
  return create(c, f, reinterpret_cast<const std::byte*>(user_fn) + 1, commute, op);
}

int impl::Op_free(call& c, op& op) {
  if (op.predefined())
    return c.fail(MPI_ERR_OP, "argument 1 (op) is predefined; expected one that the program has made");
  c.handles().ops.remove(op.handle());
  delete &op;
  return MPI_SUCCESS;
}

int impl::Op_commutative(call&, op& op, int* commute) {
  *commute = op.core()->commutative();
  return MPI_SUCCESS;
}

int impl::Reduce_local(call&, const void* inbuf, void* inoutbuf, std::int64_t count, datatype& datatype,
                       op& op) {
  if (count > 0) op.core()->apply(inbuf, inoutbuf, count, *datatype.core());
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
