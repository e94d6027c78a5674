// Checks of buffers that are null, a sentinel of the ABI, or else in the first page (checks.hpp).
// MPI_BOTTOM is null: right with a type of absolute addresses, and everything is where no data is.
#pragma once

#include "base/integers.hpp"
#include "mpi/call.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or what the entry has to return (the error has been raised).
// MPI_IN_PLACE is always wrong: the entries ask where it is not.
[[gnu::cold]] int check_buffer(call& c, const void* buffer, std::int64_t count, const datatype& type,
                               int position, const char* argument);
[[gnu::cold]] int check_buffer(call& c, const void* buffer, std::int64_t bytes, int position,
                               const char* argument);
// `n` blocks, of counts[i] elements. Displacements are in extents, or, with a type for each block,
// in bytes; none: the blocks lie one behind the other.
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
// The elements in the receive buffer of a reduce-scatter: what this process gets, or, in place,
// everything.
template <class Integer>
std::int64_t own_part(const void* sendbuf, const Integer* counts, const communicator& comm) {
  if (sendbuf != MPI_IN_PLACE) return counts[comm.rank()];
  for (int i = 0; i < comm.size(); ++i) {
    if (counts[i] > 0) return counts[i];
  }
  return 0;
}

}  // namespace loadstone::mpi
