// Checks of array arguments, and what becomes of an exception at the edge of the library.
#pragma once

#include <limits>

#include "mpi/call.hpp"
#include "mpi/checks.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or what the entry has to return (the error has been raised).
template <class Integer>
int check_counts(call& c, const Integer* values, std::int64_t length, int least, int error_class,
                 int position, const char* argument) {
  if (length > 0 && no_address(values)) [[unlikely]]
    return c.no_address(position, argument, bits_of(values));
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
  return length > 0 && no_address(values) ? c.no_address(position, argument, bits_of(values)) : MPI_SUCCESS;
}

[[gnu::cold]] int wrong_sum(call& c, const datatype& type, int position, const char* argument,
                            std::int64_t index, std::int64_t value, std::int64_t before);

// Of counts that have been checked. Displacements say where each block lies: of all of them only
// the data is counted.
template <class Integer>
int check_amounts(call& c, const Integer* values, std::int64_t length, const datatype& type, int position,
                  const char* argument) {
  const std::int64_t size = type.core()->size();
  if (size == 0) return MPI_SUCCESS;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / size;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    if (values[i] > type.core()->most() || values[i] > most - sum) [[unlikely]]
      return wrong_sum(c, type, position, argument, i, values[i], sum);
    sum += values[i];
  }
  return MPI_SUCCESS;
}

// The same with a type for each; both arrays have been checked.
template <class Integer>
int check_amounts(call& c, const Integer* values, std::int64_t length, const MPI_Datatype* types,
                  int position, const char* argument) {
  for (std::int64_t i = 0; i < length; ++i) {
    const datatype& type = *c.process().handles.types.find(types[i]);
    if (values[i] > type.core()->most()) [[unlikely]]
      return c.too_many(position, argument, values[i], 1, type, i);
  }
  return MPI_SUCCESS;
}

int check_types(call& c, const MPI_Datatype* types, std::int64_t length, bool committed, int position,
                const char* argument);

// In a catch block of an entry: no exception leaves the library.
[[gnu::cold]] int caught(function f);

}  // namespace loadstone::mpi
