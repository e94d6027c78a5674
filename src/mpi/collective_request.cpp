#include "mpi/collective_request.hpp"

namespace loadstone::mpi {

std::vector<const loadstone::datatype::type*> core_types(process& p, const MPI_Datatype* types,
                                                         std::size_t n) {
  std::vector<const loadstone::datatype::type*> cores(n);
  for (std::size_t i = 0; i < n; ++i)
    cores[i] = p.handles.types.find(types[i])->core();  // checked by the entry
  return cores;
}

std::string collective_problem(process& p, int error) {
  if (error == MPI_ERR_NO_MEM) return "out of memory";
  if (error == MPI_ERR_TRUNCATE)
    return "a process has sent more than is to be received here; expected matching counts and datatypes";
  const std::string different = error == MPI_ERR_OTHER ? p.core().coll->explanation() : std::string();
  if (different.empty()) return "the operation failed in a transfer";
  return different +
         "; expected the same operation, root and counts on all ranks, and the same LOADSTONE_COLL_… "
         "settings";
}

int collective_error(call& c, int error) {
  return c.fail(error, "{}", collective_problem(c.process(), error));
}

}  // namespace loadstone::mpi
