// Checks of suspicious buffers: null, a sentinel of the ABI, or any other address in the first page
// (checks.hpp). MPI_BOTTOM is null, and correct with a type of absolute addresses. Without data,
// every address is correct.
#pragma once

#include "base/integers.hpp"
#include "mpi/call.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or, after the error handler, what the entry has to return. MPI_IN_PLACE
// is always wrong here: where it is allowed, the entry has checked for it before.
[[gnu::cold]] int check_buffer(call& c, const void* buffer, std::int64_t count, const datatype& type,
                               int position, const char* argument);
[[gnu::cold]] int check_buffer(call& c, const void* buffer, std::int64_t bytes, int position,
                               const char* argument, int error_class = MPI_ERR_BUFFER);
// For a buffer of `n` blocks of counts[i] elements. Displacements are in extents, or in bytes where
// each block has a type of its own; without displacements, the blocks follow each other.
[[gnu::cold]] int check_blocks(call& c, const void* buffer, base::integers counts,
                               base::integers displacements, std::int64_t n, const datatype& type,
                               int position, const char* argument);
[[gnu::cold]] int check_blocks(call& c, const void* buffer, base::integers counts,
                               base::integers displacements, std::int64_t n, const MPI_Datatype* types,
                               int position, const char* argument);

inline std::int64_t total(const int* values, std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += values[i];
  return sum;
}
inline std::int64_t last_of(const int* values, std::int64_t n) {
  return n > 0 ? values[n - 1] : 0;
}
// A count of elements in the receive buffer of a reduce-scatter that is 0 only if there is no data:
// that of this process, or, in place, where the buffer holds all blocks, the first that is not 0.
template <class Integer>
std::int64_t own_part(const void* sendbuf, const Integer* counts, const communicator& comm) {
  if (sendbuf != MPI_IN_PLACE) return counts[comm.rank()];
  for (int i = 0; i < comm.size(); ++i) {
    if (counts[i] > 0) return counts[i];
  }
  return 0;
}

}  // namespace loadstone::mpi
