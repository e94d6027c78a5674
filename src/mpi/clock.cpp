// MPI_Wtime and MPI_Wtick. CLOCK_MONOTONIC is the same in all processes of a machine: so
// MPI_WTIME_IS_GLOBAL is true.
#include <ctime>

#include "mpi/generated/impl.hpp"

namespace loadstone::mpi {

double impl::Wtime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double impl::Wtick() {
  timespec resolution;
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return static_cast<double>(resolution.tv_sec) + 1e-9 * static_cast<double>(resolution.tv_nsec);
}

}  // namespace loadstone::mpi
