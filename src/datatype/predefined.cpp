// The table of basic elements (basic.hpp), and the named predefined types, which are made from it.
#include <array>
#include <type_traits>

#include "datatype/basic.hpp"
#include "datatype/definition.hpp"
#include "datatype/type.hpp"

namespace loadstone::datatype {

std::size_t size_of(number form) {
  switch (form) {
    case number::i8:
    case number::u8:
      return 1;
    case number::i16:
    case number::u16:
    case number::f16:
      return 2;
    case number::i32:
    case number::u32:
    case number::f32:
    case number::c16:
      return 4;
    case number::i64:
    case number::u64:
    case number::f64:
    case number::c32:
      return 8;
    case number::i128:
    case number::extended:
    case number::f128:
    case number::c64:
      return 16;
    case number::c_extended:
    case number::c128:
      return 32;
  }
  return 0;
}

std::size_t alignment_of(number form) {
  switch (form) {
    case number::c16:
      return 2;
    case number::c32:
      return 4;
    case number::c64:
      return 8;
    case number::c_extended:
    case number::c128:
      return 16;
    default:
      return size_of(form);
  }
}
static_assert(sizeof(long double) == 16 && alignof(long double) == 16 && sizeof(float128) == 16 &&
              sizeof(wchar_t) == 4);

namespace {

// C sizes of 64-bit Linux, Fortran sizes of gfortran's defaults.
constexpr std::array<basic_info, static_cast<std::size_t>(basic::kinds)> rows = [] {
  using b = basic;
  using n = number;
  using g = group;
  std::array<basic_info, static_cast<std::size_t>(basic::kinds)> table{};
  table[0] = {b::none, 0, "", n::u8, g::other, 0, 1, 0};
  auto row = [&table](b kind, int abi, const char* name, n form, g set, int external32) {
    table[static_cast<std::size_t>(kind)] = {kind, abi, name, form,
                                             set,  0,   0,    static_cast<std::uint8_t>(external32)};
  };
  row(b::aint, 0x201, "MPI_AINT", n::i64, g::multi_language, 8);
  row(b::count, 0x202, "MPI_COUNT", n::i64, g::multi_language, 8);
  row(b::offset, 0x203, "MPI_OFFSET", n::i64, g::multi_language, 8);
  row(b::packed, 0x207, "MPI_PACKED", n::u8, g::other, 1);
  row(b::short_, 0x208, "MPI_SHORT", n::i16, g::c_integer, 2);
  row(b::int_, 0x209, "MPI_INT", n::i32, g::c_integer, 4);
  row(b::long_, 0x20a, "MPI_LONG", n::i64, g::c_integer, 4);
  row(b::long_long, 0x20b, "MPI_LONG_LONG", n::i64, g::c_integer, 8);
  row(b::unsigned_short, 0x20c, "MPI_UNSIGNED_SHORT", n::u16, g::c_integer, 2);
  row(b::unsigned_, 0x20d, "MPI_UNSIGNED", n::u32, g::c_integer, 4);
  row(b::unsigned_long, 0x20e, "MPI_UNSIGNED_LONG", n::u64, g::c_integer, 4);
  row(b::unsigned_long_long, 0x20f, "MPI_UNSIGNED_LONG_LONG", n::u64, g::c_integer, 8);
  row(b::float_, 0x210, "MPI_FLOAT", n::f32, g::floating, 4);
  row(b::c_float_complex, 0x212, "MPI_C_FLOAT_COMPLEX", n::c32, g::complex, 8);
  row(b::cxx_float_complex, 0x213, "MPI_CXX_FLOAT_COMPLEX", n::c32, g::complex, 8);
  row(b::double_, 0x214, "MPI_DOUBLE", n::f64, g::floating, 8);
  row(b::c_double_complex, 0x216, "MPI_C_DOUBLE_COMPLEX", n::c64, g::complex, 16);
  row(b::cxx_double_complex, 0x217, "MPI_CXX_DOUBLE_COMPLEX", n::c64, g::complex, 16);
  row(b::logical, 0x218, "MPI_LOGICAL", n::i32, g::logical, 4);
  row(b::integer, 0x219, "MPI_INTEGER", n::i32, g::fortran_integer, 4);
  row(b::real, 0x21a, "MPI_REAL", n::f32, g::floating, 4);
  row(b::complex, 0x21b, "MPI_COMPLEX", n::c32, g::complex, 8);
  row(b::double_precision, 0x21c, "MPI_DOUBLE_PRECISION", n::f64, g::floating, 8);
  row(b::double_complex, 0x21d, "MPI_DOUBLE_COMPLEX", n::c64, g::complex, 16);
  row(b::character, 0x21e, "MPI_CHARACTER", n::u8, g::other, 1);
  row(b::long_double, 0x220, "MPI_LONG_DOUBLE", n::extended, g::floating, 16);
  row(b::c_long_double_complex, 0x224, "MPI_C_LONG_DOUBLE_COMPLEX", n::c_extended, g::complex, 32);
  row(b::cxx_long_double_complex, 0x225, "MPI_CXX_LONG_DOUBLE_COMPLEX", n::c_extended, g::complex, 32);
  row(b::c_bool, 0x238, "MPI_C_BOOL", n::u8, g::logical, 1);
  row(b::cxx_bool, 0x239, "MPI_CXX_BOOL", n::u8, g::logical, 1);
  row(b::wchar, 0x23c, "MPI_WCHAR", n::i32, g::other, 2);
  row(b::int8, 0x240, "MPI_INT8_T", n::i8, g::c_integer, 1);
  row(b::uint8, 0x241, "MPI_UINT8_T", n::u8, g::c_integer, 1);
  row(b::char_, 0x243, "MPI_CHAR", std::is_signed_v<char> ? n::i8 : n::u8, g::text, 1);
  row(b::signed_char, 0x244, "MPI_SIGNED_CHAR", n::i8, g::c_integer, 1);
  row(b::unsigned_char, 0x245, "MPI_UNSIGNED_CHAR", n::u8, g::c_integer, 1);
  row(b::byte, 0x247, "MPI_BYTE", n::u8, g::byte, 1);
  row(b::int16, 0x248, "MPI_INT16_T", n::i16, g::c_integer, 2);
  row(b::uint16, 0x249, "MPI_UINT16_T", n::u16, g::c_integer, 2);
  row(b::int32, 0x250, "MPI_INT32_T", n::i32, g::c_integer, 4);
  row(b::uint32, 0x251, "MPI_UINT32_T", n::u32, g::c_integer, 4);
  row(b::int64, 0x258, "MPI_INT64_T", n::i64, g::c_integer, 8);
  row(b::uint64, 0x259, "MPI_UINT64_T", n::u64, g::c_integer, 8);
  row(b::logical1, 0x2c0, "MPI_LOGICAL1", n::i8, g::logical, 1);
  row(b::integer1, 0x2c1, "MPI_INTEGER1", n::i8, g::fortran_integer, 1);
  row(b::logical2, 0x2c8, "MPI_LOGICAL2", n::i16, g::logical, 2);
  row(b::integer2, 0x2c9, "MPI_INTEGER2", n::i16, g::fortran_integer, 2);
  row(b::real2, 0x2ca, "MPI_REAL2", n::f16, g::floating, 2);
  row(b::logical4, 0x2d0, "MPI_LOGICAL4", n::i32, g::logical, 4);
  row(b::integer4, 0x2d1, "MPI_INTEGER4", n::i32, g::fortran_integer, 4);
  row(b::real4, 0x2d2, "MPI_REAL4", n::f32, g::floating, 4);
  row(b::complex4, 0x2d3, "MPI_COMPLEX4", n::c16, g::complex, 4);
  row(b::logical8, 0x2d8, "MPI_LOGICAL8", n::i64, g::logical, 8);
  row(b::integer8, 0x2d9, "MPI_INTEGER8", n::i64, g::fortran_integer, 8);
  row(b::real8, 0x2da, "MPI_REAL8", n::f64, g::floating, 8);
  row(b::complex8, 0x2db, "MPI_COMPLEX8", n::c32, g::complex, 8);
  row(b::logical16, 0x2e0, "MPI_LOGICAL16", n::i128, g::logical, 16);
  row(b::integer16, 0x2e1, "MPI_INTEGER16", n::i128, g::fortran_integer, 16);
  row(b::real16, 0x2e2, "MPI_REAL16", n::f128, g::floating, 16);
  row(b::complex16, 0x2e3, "MPI_COMPLEX16", n::c64, g::complex, 16);
  row(b::complex32, 0x2eb, "MPI_COMPLEX32", n::c128, g::complex, 32);
  return table;
}();

struct pair_row {
  int abi;
  const char* name;
  basic value, index;
};
constexpr pair_row pairs[] = {
    {0x228, "MPI_FLOAT_INT", basic::float_, basic::int_},
    {0x229, "MPI_DOUBLE_INT", basic::double_, basic::int_},
    {0x22a, "MPI_LONG_INT", basic::long_, basic::int_},
    {0x22b, "MPI_2INT", basic::int_, basic::int_},
    {0x22c, "MPI_SHORT_INT", basic::short_, basic::int_},
    {0x22d, "MPI_LONG_DOUBLE_INT", basic::long_double, basic::int_},
    {0x230, "MPI_2REAL", basic::real, basic::real},
    {0x231, "MPI_2DOUBLE_PRECISION", basic::double_precision, basic::double_precision},
    {0x232, "MPI_2INTEGER", basic::integer, basic::integer},
};

constexpr int first_abi = 0x200, last_abi = 0x2ff;

}  // namespace

const basic_info& info(basic kind) {
  static const auto table = [] {
    auto filled = rows;
    for (auto& r : filled) {
      if (r.kind == basic::none) continue;
      r.size = static_cast<std::uint8_t>(size_of(r.form));
      r.alignment = static_cast<std::uint8_t>(alignment_of(r.form));
    }
    return filled;
  }();
  return table[static_cast<std::size_t>(kind)];
}

// Made once, on first use, and never destroyed: a program may use MPI types until its last static
// destructor.
class predefined_types {
 public:
  static const predefined_types& all() {
    static const predefined_types* const table = new predefined_types;
    return *table;
  }
  const type* by_value(int abi) const {
    return abi < first_abi || abi > last_abi ? nullptr : by_value_[static_cast<std::size_t>(abi - first_abi)];
  }

 private:
  predefined_types() {
    for (std::size_t kind = 1; kind < rows.size(); kind++) {
      const auto& row = info(static_cast<basic>(kind));
      auto* t = type::make();
      t->definition_.value = row.kind;
      add(t, row.abi, row.name);
    }
    for (const auto& pair : pairs) {
      auto* t = type::make();
      t->definition_.value = pair.value;
      t->definition_.index = pair.index;
      add(t, pair.abi, pair.name);
    }
  }
  void add(type* t, int abi, const char* name) {
    t->definition_.abi = abi;
    t->definition_.name = name;
    t->predefined_ = t->static_ = true;
    // Neither can fail with one or two blocks at small offsets.
    if (!t->settle().ok() || !t->commit().ok()) __builtin_trap();
    by_value_[static_cast<std::size_t>(abi - first_abi)] = t;
  }

  std::array<const type*, last_abi - first_abi + 1> by_value_{};
};

const type* predefined_type(int abi_value) {
  return predefined_types::all().by_value(abi_value);
}

const type* predefined_type(basic kind) {
  return kind == basic::none ? nullptr : predefined_types::all().by_value(info(kind).abi);
}

}  // namespace loadstone::datatype
