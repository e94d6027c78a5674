#include "mpi/datatype_object.hpp"

#include "mpi/process.hpp"

namespace loadstone::mpi {
namespace {

bool takes_compare_and_swap(const loadstone::datatype::type& t) {
  using loadstone::datatype::group;
  const loadstone::datatype::named_kind kind = t.single_named();
  if (!t.predefined() || kind.value == loadstone::datatype::basic::none ||
      kind.index != loadstone::datatype::basic::none)
    return false;
  switch (loadstone::datatype::info(kind.value).group) {
    case group::c_integer:
    case group::fortran_integer:
    case group::logical:
    case group::multi_language:
    case group::byte:
    case group::text:
      return true;
    default:
      return false;
  }
}

}  // namespace

datatype::datatype(const loadstone::datatype::type* core, MPI_Datatype handle)
    : handle_(handle), core_(core), compares_(takes_compare_and_swap(*core)) {}

std::string datatype::name() const {
  const std::lock_guard guard(lock_);
  return name_;
}

void datatype::set_name(std::string_view name) {
  const std::lock_guard guard(lock_);
  name_ = name;
}

MPI_Datatype new_datatype(process& p, const loadstone::datatype::type* core) {
  auto* t = new datatype(core, MPI_DATATYPE_NULL);
  t->set_handle(p.handles.types.insert(t));
  const MPI_Datatype handle = t->handle();
  if (handle == MPI_DATATYPE_NULL) {
    delete t;
  } else {
    type_handles::remember(*core, handle);
  }
  return handle;
}

}  // namespace loadstone::mpi
