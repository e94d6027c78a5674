#include "mpi/datatype_object.hpp"

#include "mpi/process.hpp"

namespace loadstone::mpi {

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
    p.layouts.remember(core, handle);
  }
  return handle;
}

}  // namespace loadstone::mpi
