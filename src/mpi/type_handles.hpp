// Finds the handle of a layout (datatype::type): for callbacks of the user, which get a handle, and
// for datatypes that are made from parameters alone (MPI_Type_create_f90_…).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <tuple>

#include "datatype/type.hpp"
#include "mpi.h"

namespace loadstone::mpi {

class process;

// Any thread may call.
class type_handles {
 public:
  explicit type_handles(process& owner) : owner_(owner) {}

  // The handle of a live object with this layout, or else a temporary one, which is kept until
  // MPI_Finalize.
  MPI_Datatype of(const loadstone::datatype::type& core);
  // The layout knows the handle it got first. Predefined ones are shared by ranks that are threads,
  // and have the handles of the ABI.
  static void remember(const loadstone::datatype::type& core, MPI_Datatype handle) {
    core.be_known_as(reinterpret_cast<std::intptr_t>(handle));
  }
  static void forget(const loadstone::datatype::type& core, MPI_Datatype handle) {
    core.be_known_as(0, reinterpret_cast<std::intptr_t>(handle));
  }

  // The handle of the datatype with these parameters, always the same: make() makes it if there is
  // none yet. Returns what make() does.
  using parameters = std::tuple<int, int, int>;  // combiner, p, r
  int of(const parameters& key, const std::function<int(MPI_Datatype*)>& make, MPI_Datatype* handle);

 private:
  process& owner_;
  std::mutex lock_;  // guards the next
  std::map<parameters, MPI_Datatype> parametric_;
};

}  // namespace loadstone::mpi
