#include "mpi/collective_request.hpp"

namespace loadstone::mpi {

std::vector<const loadstone::datatype::type*> core_types(process& p, const MPI_Datatype* types,
                                                         std::size_t n) {
  std::vector<const loadstone::datatype::type*> cores(n);
  for (std::size_t i = 0; i < n; ++i)
    cores[i] = p.handles.types.find(types[i])->core();  // checked by the entry
  return cores;
}

int collective_error(call& c, int error) {
  switch (error) {
    case MPI_ERR_NO_MEM:
      return c.fail(error, "out of memory");
    case MPI_ERR_TRUNCATE:
      return c.fail(
          error,
          "a process has sent more than is to be received here; expected matching counts and datatypes");
    default:
      return c.fail(error, "the operation failed in a transfer");
  }
}

}  // namespace loadstone::mpi
