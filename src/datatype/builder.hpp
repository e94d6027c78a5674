// Constructors of derived types, one for each of MPI's. Each returns a new type with one reference,
// or an error: `invalid` with a text, for arguments that make no sense or lead to sizes beyond 64
// bits, or `no_memory`. The new type takes a reference to each of its parts; arrays are copied.
//
// `large`: the user called the large-count form of the function. It decides in which array
// contents() returns a number. Displacements and strides are in bytes where the name begins with h,
// or where a comment says so; else in extents of the old type.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.hpp"
#include "datatype/type.hpp"

namespace loadstone::datatype {

enum class order : int { c = 0xC, fortran = 0xF };                     // MPI_ORDER_*
enum class distribution : int { none = 16, block = 17, cyclic = 18 };  // MPI_DISTRIBUTE_*
inline constexpr std::int64_t default_distribution_argument = 19;      // MPI_DISTRIBUTE_DFLT_DARG
inline constexpr int undefined = -32766;                               // MPI_UNDEFINED

class builder {
 public:
  using made = base::result<const type*>;
  using numbers = std::span<const std::int64_t>;

  static made dup(const type& old);
  static made contiguous(std::int64_t count, const type& old, bool large = false);
  static made vector(std::int64_t count, std::int64_t blocklength, std::int64_t stride, const type& old,
                     bool large = false);
  static made hvector(std::int64_t count, std::int64_t blocklength, std::int64_t stride, const type& old,
                      bool large = false);
  static made indexed(numbers blocklengths, numbers displacements, const type& old, bool large = false);
  static made hindexed(numbers blocklengths, numbers displacements, const type& old, bool large = false);
  static made indexed_block(std::int64_t blocklength, numbers displacements, const type& old,
                            bool large = false);
  static made hindexed_block(std::int64_t blocklength, numbers displacements, const type& old,
                             bool large = false);
  static made structure(numbers blocklengths, numbers displacements, std::span<const type* const> types,
                        bool large = false);
  static made resized(const type& old, std::int64_t lower_bound, std::int64_t extent, bool large = false);
  static made subarray(numbers sizes, numbers subsizes, numbers starts, datatype::order order,
                       const type& old, bool large = false);
  // The part of process `rank` of `processes` in a block-cyclic distribution of a global array.
  static made darray(std::int64_t processes, std::int64_t rank, numbers global_sizes,
                     std::span<const distribution> distributions, numbers arguments, numbers grid,
                     datatype::order order, const type& old, bool large = false);

  // Types by precision and range, as Fortran's selected_*_kind. A negative number means: not given;
  // contents() returns MPI_UNDEFINED for it. They are predefined and already committed. Each call
  // makes a new type, so src/mpi keeps those that it has given out, to return the same for the same
  // arguments.
  static made f90_real(int precision, int range);
  static made f90_complex(int precision, int range);
  static made f90_integer(int range);
  // The pair (value, index) for MINLOC and MAXLOC: a named type (MPI_FLOAT_INT) where there is one,
  // else a predefined one, already committed. Null, and no error, if the pair is not supported.
  static made value_index(const type& value, const type& index);

 private:
  class draft;
  static made lists(combiner kind, numbers blocklengths, numbers displacements, const type& old, bool large);
  static made tiled(const type& part, std::int64_t offset, std::int64_t extent);
  static made distributed(std::int64_t size, std::int64_t block, std::int64_t coordinate,
                          std::int64_t processes, std::int64_t unit, const type& part);
  static made element(combiner kind, builder::numbers arguments, basic value);
  static made equal_lists(combiner kind, std::int64_t blocklength, numbers displacements, const type& old,
                          bool large);
};

// MPI_Type_match_size: a named type, or null if there is none of that size.
enum class type_class : int { logical = 191, integer = 192, real = 193, complex = 194 };  // MPI_TYPECLASS_*
const type* match_size(type_class kind, std::int64_t size);

}  // namespace loadstone::datatype
