// MPI_Aint_add and MPI_Aint_diff: unsigned arithmetic, because addresses wrap around.
#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

MPI_Aint impl::Aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(disp));
}

MPI_Aint impl::Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) - static_cast<std::uintptr_t>(addr2));
}

}  // namespace loadstone::mpi
