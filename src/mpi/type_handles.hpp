// From a layout of the core to a handle: for callbacks of the user, who are given a handle, and for
// the types that the standard makes from parameters alone.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "datatype/type.hpp"
#include "mpi.h"

namespace loadstone::mpi {

class process;

// Thread-safe.
class type_handles {
 public:
  explicit type_handles(process& owner) : owner_(owner) {}

  // The handle of a live object with this layout, or a temporary one (kept until finalize).
  MPI_Datatype of(const loadstone::datatype::type& core);
  void remember(const loadstone::datatype::type* core, MPI_Datatype handle);
  void forget(const loadstone::datatype::type* core, MPI_Datatype handle);

  // The same parameters give the same handle: `make` is asked once, until it returns MPI_SUCCESS.
  // An error code.
  using parameters = std::tuple<int, int, int>;  // combiner, p, r
  int of(const parameters& key, const std::function<int(MPI_Datatype*)>& make, MPI_Datatype* handle);

 private:
  process& owner_;
  std::mutex lock_, parametric_lock_;
  std::unordered_map<const loadstone::datatype::type*, MPI_Datatype> known_;
  std::map<parameters, MPI_Datatype> parametric_;
};

}  // namespace loadstone::mpi
