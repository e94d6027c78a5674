// Constructors of derived datatypes (MPI §5.1). The layouts themselves are made by
// datatype/builder.hpp.
#include <vector>

#include "datatype/builder.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

using loadstone::datatype::builder;

std::vector<std::int64_t> numbers(base::integers array, std::int64_t n) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = array[i];
  return out;
}

int give(call& c, builder::made made, MPI_Datatype* newtype) {
  if (!made) {
    const base::status e = made.error();
    if (e.kind == base::code::no_memory) return c.fail(MPI_ERR_NO_MEM, "out of memory");
    return c.fail(MPI_ERR_ARG, "{}", e.what);
  }
  const MPI_Datatype handle = new_datatype(c.process(), *made);
  if (handle == MPI_DATATYPE_NULL) return c.fail(MPI_ERR_OTHER, "no more datatype handles are free");
  *newtype = handle;
  return MPI_SUCCESS;
}

}  // namespace

int impl::Type_contiguous(call& c, std::int64_t count, datatype& oldtype, MPI_Datatype* newtype) {
  return give(c, builder::contiguous(count, *oldtype.core(), c.large()), newtype);
}

int impl::Type_vector(call& c, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                      datatype& oldtype, MPI_Datatype* newtype) {
  return give(c, builder::vector(count, blocklength, stride, *oldtype.core(), c.large()), newtype);
}

int impl::Type_create_hvector(call& c, std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                              datatype& oldtype, MPI_Datatype* newtype) {
  return give(c, builder::hvector(count, blocklength, stride, *oldtype.core(), c.large()), newtype);
}

int impl::Type_indexed(call& c, std::int64_t count, base::integers blocklengths, base::integers displacements,
                       datatype& oldtype, MPI_Datatype* newtype) {
  return give(c,
              builder::indexed(numbers(blocklengths, count), numbers(displacements, count), *oldtype.core(),
                               c.large()),
              newtype);
}

int impl::Type_create_hindexed(call& c, std::int64_t count, base::integers blocklengths,
                               base::integers displacements, datatype& oldtype, MPI_Datatype* newtype) {
  return give(c,
              builder::hindexed(numbers(blocklengths, count), numbers(displacements, count), *oldtype.core(),
                                c.large()),
              newtype);
}

int impl::Type_create_indexed_block(call& c, std::int64_t count, std::int64_t blocklength,
                                    base::integers displacements, datatype& oldtype, MPI_Datatype* newtype) {
  return give(c,
              builder::indexed_block(blocklength, numbers(displacements, count), *oldtype.core(), c.large()),
              newtype);
}

int impl::Type_create_hindexed_block(call& c, std::int64_t count, std::int64_t blocklength,
                                     base::integers displacements, datatype& oldtype, MPI_Datatype* newtype) {
  return give(c,
              builder::hindexed_block(blocklength, numbers(displacements, count), *oldtype.core(), c.large()),
              newtype);
}

int impl::Type_create_struct(call& c, std::int64_t count, base::integers blocklengths,
                             base::integers displacements, const MPI_Datatype types[],
                             MPI_Datatype* newtype) {
  std::vector<const loadstone::datatype::type*> cores(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < cores.size(); ++i)
    cores[i] = c.handles().types.find(types[i])->core();  // checked by the entry
  return give(
      c, builder::structure(numbers(blocklengths, count), numbers(displacements, count), cores, c.large()),
      newtype);
}

int impl::Type_create_resized(call& c, datatype& oldtype, std::int64_t lb, std::int64_t extent,
                              MPI_Datatype* newtype) {
  return give(c, builder::resized(*oldtype.core(), lb, extent, c.large()), newtype);
}

int impl::Type_create_subarray(call& c, int ndims, base::integers sizes, base::integers subsizes,
                               base::integers starts, int order, datatype& oldtype, MPI_Datatype* newtype) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
    return c.fail(MPI_ERR_ARG, "order is {}; expected MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
  }
  for (int i = 0; i < ndims; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (sizes[at] < 1 || subsizes[at] < 1 || subsizes[at] > sizes[at]) {
      return c.fail(MPI_ERR_ARG, "array_of_subsizes[{}] is {} of {}; expected 1 to the size", i, subsizes[at],
                    sizes[at]);
    }
    if (starts[at] < 0 || starts[at] > sizes[at] - subsizes[at]) {
      return c.fail(MPI_ERR_ARG, "array_of_starts[{}] is {}; expected 0 to {}", i, starts[at],
                    sizes[at] - subsizes[at]);
    }
  }
  return give(c,
              builder::subarray(numbers(sizes, ndims), numbers(subsizes, ndims), numbers(starts, ndims),
                                static_cast<loadstone::datatype::order>(order), *oldtype.core(), c.large()),
              newtype);
}

int impl::Type_create_darray(call& c, int size, int rank, int ndims, base::integers gsizes,
                             const int distribs[], const int dargs[], const int psizes[], int order,
                             datatype& oldtype, MPI_Datatype* newtype) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
    return c.fail(MPI_ERR_ARG, "order is {}; expected MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
  }
  if (rank < 0 || rank >= size)
    return c.fail(MPI_ERR_ARG, "argument 2 (rank) is {}; expected 0 to {}", rank, size - 1);
  std::vector<loadstone::datatype::distribution> kinds;
  for (int i = 0; i < ndims; ++i) {
    if (distribs[i] < MPI_DISTRIBUTE_NONE || distribs[i] > MPI_DISTRIBUTE_CYCLIC) {
      return c.fail(MPI_ERR_ARG,
                    "array_of_distribs[{}] is {}; expected MPI_DISTRIBUTE_NONE, _BLOCK or _CYCLIC", i,
                    distribs[i]);
    }
    kinds.push_back(static_cast<loadstone::datatype::distribution>(distribs[i]));
  }
  const base::integers arguments{dargs, 4}, grid{psizes, 4};
  return give(c,
              builder::darray(size, rank, numbers(gsizes, ndims), kinds, numbers(arguments, ndims),
                              numbers(grid, ndims), static_cast<loadstone::datatype::order>(order),
                              *oldtype.core(), c.large()),
              newtype);
}

int impl::Type_dup(call& c, datatype& oldtype, MPI_Datatype* newtype) {
  MPI_Datatype handle;
  if (const int error = give(c, builder::dup(*oldtype.core()), &handle)) return error;
  datatype& made = *c.handles().types.find(handle);
  if (oldtype.committed() && !made.core()->commit().ok()) return c.fail(MPI_ERR_NO_MEM, "out of memory");
  if (const int code = made.attributes.copy_from(oldtype.attributes, oldtype.handle())) {
    c.handles().types.remove(handle);
    type_handles::forget(*made.core(), handle);
    delete &made;
    return c.fail(code, "a copy function of an attribute of the datatype returned {}", code);
  }
  *newtype = handle;
  return MPI_SUCCESS;
}

// --- predefined types by parameters: the same arguments give the same handle ---

namespace {

int give_parametric(call& c, int combiner, int p, int r, builder::made (*make)(int, int),
                    MPI_Datatype* newtype) {
  return c.process().layouts.of(
      {combiner, p, r}, [&](MPI_Datatype* handle) { return give(c, make(p, r), handle); }, newtype);
}

constexpr int core_number(int n) {
  return n == MPI_UNDEFINED ? -1 : n;
}

}  // namespace

int impl::Type_create_f90_real(call& c, int p, int r, MPI_Datatype* newtype) {
  return give_parametric(
      c, MPI_COMBINER_F90_REAL, core_number(p), core_number(r),
      [](int a, int b) { return builder::f90_real(a, b); }, newtype);
}

int impl::Type_create_f90_complex(call& c, int p, int r, MPI_Datatype* newtype) {
  return give_parametric(
      c, MPI_COMBINER_F90_COMPLEX, core_number(p), core_number(r),
      [](int a, int b) { return builder::f90_complex(a, b); }, newtype);
}

int impl::Type_create_f90_integer(call& c, int r, MPI_Datatype* newtype) {
  return give_parametric(
      c, MPI_COMBINER_F90_INTEGER, core_number(r), 0, [](int a, int) { return builder::f90_integer(a); },
      newtype);
}

// Supports the pairs that have a name of their own (MPI_FLOAT_INT, …). For others the standard says
// MPI_DATATYPE_NULL, which is no error.
int impl::Type_get_value_index(call& c, datatype& value, datatype& index, MPI_Datatype* pair) {
  *pair = MPI_DATATYPE_NULL;
  auto made = builder::value_index(*value.core(), *index.core());
  if (!made) return give(c, std::move(made), pair);
  const loadstone::datatype::type* core = *made;
  if (core == nullptr) return MPI_SUCCESS;
  if (core->abi_value() != 0) {
    *pair = c.process().layouts.of(*core);
  } else {
    core->release();
  }
  return MPI_SUCCESS;
}

int impl::Type_match_size(call& c, int typeclass, int size, MPI_Datatype* type) {
  if (typeclass < MPIX_TYPECLASS_LOGICAL || typeclass > MPI_TYPECLASS_COMPLEX) {
    return c.fail(MPI_ERR_ARG,
                  "argument 1 (typeclass) is {}; expected MPI_TYPECLASS_INTEGER, _REAL or _COMPLEX",
                  typeclass);
  }
  const auto* core =
      loadstone::datatype::match_size(static_cast<loadstone::datatype::type_class>(typeclass), size);
  if (core == nullptr)
    return c.fail(MPI_ERR_ARG, "argument 2 (size) is {}; there is no type of that class and size", size);
  *type = c.process().layouts.of(*core);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
