// The objects of the predefined handles, but for communicators and error handlers, which are in
// files of their own.
#pragma once

#include <memory>
#include <vector>

#include "mpi/datatype_object.hpp"
#include "mpi/group.hpp"
#include "mpi/info.hpp"
#include "mpi/op_object.hpp"

namespace loadstone::mpi {

class process;

class predefined_objects {
 public:
  explicit predefined_objects(process& owner);  // puts them into the tables of handles
  // Both are for MPI_Init. The environment is how this process was started (MPI §11.2.1), as far as
  // that is known.
  void fill_environment();
  void fill_attributes();

  info environment;  // MPI_INFO_ENV
  // The values of the predefined attributes of MPI_COMM_WORLD, to which users get pointers.
  struct {
    int tag_ub, io, host, wtime_is_global, appnum, universe_size;
  } attributes{};

 private:
  process& owner_;
  std::vector<std::unique_ptr<datatype>> types_;
  std::vector<std::unique_ptr<op>> ops_;
  group empty_group_;
};

}  // namespace loadstone::mpi
