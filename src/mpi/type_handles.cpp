#include "mpi/type_handles.hpp"

#include "mpi/process.hpp"

namespace loadstone::mpi {

MPI_Datatype type_handles::of(const loadstone::datatype::type& core) {
  const std::intptr_t known = core.abi_value() != 0 ? core.abi_value() : core.known_as();
  if (known != 0) return reinterpret_cast<MPI_Datatype>(known);
  core.acquire();
  return new_datatype(owner_, &core);
}

int type_handles::of(const parameters& key, const std::function<int(MPI_Datatype*)>& make,
                     MPI_Datatype* handle) {
  const std::lock_guard guard(lock_);
  MPI_Datatype& known = parametric_[key];
  if (known == nullptr) {
    if (const int error = make(handle)) return error;
    known = *handle;
  }
  *handle = known;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
