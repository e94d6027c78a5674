// Checks of arrays of counts, types and the like, and what an entry does with an exception.
#pragma once

#include <algorithm>
#include <limits>

#include "mpi/call.hpp"
#include "mpi/checks.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or, after the error handler, what the entry has to return.
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

// Checks the sum of counts that check_counts() has accepted: the data of all blocks must fit 64
// bits. Gaps do not count, as displacements say where each block lies.
template <class Integer>
int check_amounts(call& c, const Integer* values, std::int64_t length, const datatype& type, int position,
                  const char* argument) {
  const std::int64_t size = type.core()->size();
  if (size == 0) return MPI_SUCCESS;
  std::int64_t sum = 0, greatest = 0, bytes;
  bool fits = true;
  for (std::int64_t i = 0; i < length; ++i) {
    greatest = std::max<std::int64_t>(greatest, values[i]);
    fits &= !__builtin_add_overflow(sum, values[i], &sum);
  }
  if (fits && greatest <= type.core()->most() && !__builtin_mul_overflow(sum, size, &bytes)) [[likely]]
    return MPI_SUCCESS;
  // Which one is too large? (This divides, which costs as much as the rest of the check.)
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / size;
  sum = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    if (values[i] > type.core()->most() || values[i] > most - sum)
      return wrong_sum(c, type, position, argument, i, values[i], sum);
    sum += values[i];
  }
  return MPI_SUCCESS;
}

// The same for blocks with a type each, but each block by itself; both arrays have been checked.
template <class Integer>
int check_amounts(call& c, const Integer* values, std::int64_t length, const MPI_Datatype* types,
                  int position, const char* argument) {
  for (std::int64_t i = 0; i < length; ++i) {
    const datatype& type = *c.handles().types.find(types[i]);
    if (values[i] > type.core()->most()) [[unlikely]]
      return c.too_many(position, argument, values[i], 1, type, i);
  }
  return MPI_SUCCESS;
}

int check_types(call& c, const MPI_Datatype* types, std::int64_t length, bool committed, int position,
                const char* argument);

// Called in the catch block of an entry, as no exception may leave the library: makes an error of
// it.
[[gnu::cold]] int caught(function f);

}  // namespace loadstone::mpi
