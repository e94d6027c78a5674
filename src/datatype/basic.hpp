// The basic elements that type maps are made of. `basic` has an enumerator for each predefined
// elementary datatype; info() gives the table row with what reductions, external32 and signatures
// need to know about it, and its MPI datatype.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::datatype {

enum class basic : std::uint8_t {
  none,  // not one kind: mixed, or no data at all
  packed,
  byte,
  aint,
  count,
  offset,
  char_,
  signed_char,
  unsigned_char,
  wchar,
  short_,
  unsigned_short,
  int_,
  unsigned_,
  long_,
  unsigned_long,
  long_long,
  unsigned_long_long,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float_,
  double_,
  long_double,
  c_float_complex,
  c_double_complex,
  c_long_double_complex,
  cxx_float_complex,
  cxx_double_complex,
  cxx_long_double_complex,
  c_bool,
  cxx_bool,
  character,
  logical,
  integer,
  real,
  double_precision,
  complex,
  double_complex,
  logical1,
  logical2,
  logical4,
  logical8,
  logical16,
  integer1,
  integer2,
  integer4,
  integer8,
  integer16,
  real2,
  real4,
  real8,
  real16,
  complex4,
  complex8,
  complex16,
  complex32,
  kinds
};

// How the machine holds one element.
enum class number : std::uint8_t {
  i8,
  i16,
  i32,
  i64,
  i128,
  u8,
  u16,
  u32,
  u64,
  f16,
  f32,
  f64,
  extended,
  f128,  // extended: C's long double
  c16,
  c32,
  c64,
  c_extended,
  c128,  // pairs of the above
};

// What a named type is: one kind of element, or a pair of two, as minloc and maxloc need it.
struct named_kind {
  basic value = basic::none, index = basic::none;  // index none: not a pair
  bool operator==(const named_kind&) const = default;
};

// The groups of types in MPI's table of reduction operations (MPI-5.0, 6.9.2). `text` is MPI_CHAR
// alone, which is not in that table; but it is an integer in C, and other libraries reduce it as
// one.
enum class group : std::uint8_t {
  other,
  text,
  c_integer,
  fortran_integer,
  floating,
  logical,
  complex,
  byte,
  multi_language
};

struct basic_info {
  basic kind;
  int abi;           // the handle value of the MPI datatype (abi/constants.tsv)
  const char* name;  // "MPI_INT"
  number form;
  datatype::group group;
  std::uint8_t size, alignment;
  std::uint8_t external32;  // bytes of one element in external32 (MPI-5.0, 14.5.2)
};

const basic_info& info(basic kind);
std::size_t size_of(number form);
std::size_t alignment_of(number form);

// Fortran's and C's wide types, where the compiler has them under another name.
#if defined(__x86_64__)
using float128 = __float128;
#else
using float128 = long double;
static_assert(sizeof(long double) == 16);
#endif
__extension__ using int128 = __int128;

}  // namespace loadstone::datatype
