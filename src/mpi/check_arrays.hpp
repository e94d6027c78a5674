// Checks of array arguments, and what becomes of an exception at the edge of the library.
#pragma once

#include "mpi/call.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or what the entry has to return (the error has been raised).
template <class Integer>
int check_counts(call& c, const Integer* values, std::int64_t length, int least, int error_class,
                 int position, const char* argument) {
  if (values == nullptr) return length > 0 ? c.null_pointer(position, argument) : MPI_SUCCESS;
  for (std::int64_t i = 0; i < length; ++i) {
    if (values[i] < least) [[unlikely]] {
      return c.wrong_element(error_class, position, argument, static_cast<int>(i), values[i],
                             least == 0 ? "at least 0" : "at least 1");
    }
  }
  return MPI_SUCCESS;
}

template <class Integer>
int check_present(call& c, const Integer* values, std::int64_t length, int position, const char* argument) {
  return values == nullptr && length > 0 ? c.null_pointer(position, argument) : MPI_SUCCESS;
}

int check_types(call& c, const MPI_Datatype* types, std::int64_t length, bool committed, int position,
                const char* argument);

// In a catch block of an entry: no exception leaves the library.
[[gnu::cold]] int caught(function f);

}  // namespace loadstone::mpi
