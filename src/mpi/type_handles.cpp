#include "mpi/type_handles.hpp"

#include "mpi/process.hpp"

namespace loadstone::mpi {

void type_handles::remember(const loadstone::datatype::type* core, MPI_Datatype handle) {
  const std::lock_guard guard(lock_);
  known_.emplace(core, handle);
}

void type_handles::forget(const loadstone::datatype::type* core, MPI_Datatype handle) {
  const std::lock_guard guard(lock_);
  const auto found = known_.find(core);
  if (found != known_.end() && found->second == handle) known_.erase(found);
}

MPI_Datatype type_handles::of(const loadstone::datatype::type& core) {
  {
    const std::lock_guard guard(lock_);
    const auto found = known_.find(&core);
    if (found != known_.end()) return found->second;
  }
  core.acquire();
  return new_datatype(owner_, &core);
}

int type_handles::of(const parameters& key, const std::function<int(MPI_Datatype*)>& make,
                     MPI_Datatype* handle) {
  const std::lock_guard guard(parametric_lock_);
  MPI_Datatype& known = parametric_[key];
  if (known == nullptr) {
    if (const int error = make(handle)) return error;
    known = *handle;
  }
  *handle = known;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
