#include "mpi/check_buffers.hpp"

#include "mpi/checks.hpp"
#include "mpi/datatype_object.hpp"

namespace loadstone::mpi {
namespace {

int no_buffer(call& c, const void* buffer, int position, const char* argument,
              int error_class = MPI_ERR_BUFFER) {
  if (buffer == MPI_IN_PLACE && error_class == MPI_ERR_BUFFER)
    return c.misplaced_in_place(position, argument);
  const std::string value =
      buffer == nullptr ? "a null pointer (MPI_BOTTOM)" : fmt::format("{:#x}", bits_of(buffer));
  return c.raise(c.fail(error_class,
                        "argument {} ({}) is {}, and there is data to be there; expected an address",
                        position, argument, value));
}

// Do `count` elements at `offset` units behind `buffer` begin in the first page or below? Computed
// with integers, as displacements may be absolute. Addresses of a program are positive.
bool begins_nowhere(const void* buffer, std::int64_t offset, std::int64_t unit, std::int64_t count,
                    const datatype& type) {
  const auto& t = *type.core();
  if (count <= 0 || t.size() == 0) return false;
  const std::uint64_t at = bits_of(buffer) +
                           static_cast<std::uint64_t>(offset) * static_cast<std::uint64_t>(unit) +
                           static_cast<std::uint64_t>(t.true_lower_bound());
  return static_cast<std::int64_t>(at) < static_cast<std::int64_t>(first_page);
}

}  // namespace

int check_buffer(call& c, const void* buffer, std::int64_t count, const datatype& type, int position,
                 const char* argument) {
  const bool wrong = buffer == MPI_IN_PLACE || begins_nowhere(buffer, 0, 1, count, type);
  return wrong ? no_buffer(c, buffer, position, argument) : MPI_SUCCESS;
}

int check_buffer(call& c, const void* buffer, std::int64_t bytes, int position, const char* argument,
                 int error_class) {
  const bool wrong = buffer == MPI_IN_PLACE || bytes > 0;
  return wrong ? no_buffer(c, buffer, position, argument, error_class) : MPI_SUCCESS;
}

int check_blocks(call& c, const void* buffer, base::integers counts, base::integers displacements,
                 std::int64_t n, const datatype& type, int position, const char* argument) {
  bool wrong = buffer == MPI_IN_PLACE;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < n && !wrong; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (displacements.data != nullptr) at = displacements[k];
    wrong = begins_nowhere(buffer, at, type.core()->extent(), counts[k], type);
    at += counts[k];
  }
  return wrong ? no_buffer(c, buffer, position, argument) : MPI_SUCCESS;
}

int check_blocks(call& c, const void* buffer, base::integers counts, base::integers displacements,
                 std::int64_t n, const MPI_Datatype* types, int position, const char* argument) {
  bool wrong = buffer == MPI_IN_PLACE;
  for (std::int64_t i = 0; i < n && !wrong; ++i) {
    const auto k = static_cast<std::size_t>(i);
    wrong = begins_nowhere(buffer, displacements[k], 1, counts[k], *c.handles().types.find(types[i]));
  }
  return wrong ? no_buffer(c, buffer, position, argument) : MPI_SUCCESS;
}

}  // namespace loadstone::mpi
