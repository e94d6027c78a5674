// Every (operation, type) pair that MPI's table allows, or that everybody takes, gives what plain
// arithmetic gives; every other pair is refused.
#include "datatype/op.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "datatype/half.hpp"
#include "datatype/held.hpp"
#include "datatype/numbers.hpp"
#include "datatype/reduce.hpp"

namespace loadstone::datatype {
namespace {

const op& operation(op_kind kind) {
  for (int abi = 0x20; abi < 0x40; abi++)
    if (const op* o = predefined_op(abi); o != nullptr && o->kind() == kind) return *o;
  __builtin_trap();
}

// The table of 6.9.2, by the names of the types.
const std::set<std::string> c_integer = {
    "MPI_INT",         "MPI_LONG",          "MPI_SHORT",     "MPI_UNSIGNED_SHORT",
    "MPI_UNSIGNED",    "MPI_UNSIGNED_LONG", "MPI_LONG_LONG", "MPI_UNSIGNED_LONG_LONG",
    "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR", "MPI_INT8_T",    "MPI_INT16_T",
    "MPI_INT32_T",     "MPI_INT64_T",       "MPI_UINT8_T",   "MPI_UINT16_T",
    "MPI_UINT32_T",    "MPI_UINT64_T"};
const std::set<std::string> fortran_integer = {"MPI_INTEGER",  "MPI_INTEGER1", "MPI_INTEGER2",
                                               "MPI_INTEGER4", "MPI_INTEGER8", "MPI_INTEGER16"};
const std::set<std::string> floating = {"MPI_FLOAT",       "MPI_DOUBLE", "MPI_REAL",  "MPI_DOUBLE_PRECISION",
                                        "MPI_LONG_DOUBLE", "MPI_REAL2",  "MPI_REAL4", "MPI_REAL8",
                                        "MPI_REAL16"};
const std::set<std::string> logical = {"MPI_LOGICAL",  "MPI_C_BOOL",   "MPI_CXX_BOOL", "MPI_LOGICAL1",
                                       "MPI_LOGICAL2", "MPI_LOGICAL4", "MPI_LOGICAL8", "MPI_LOGICAL16"};
const std::set<std::string> complex_types = {"MPI_COMPLEX",
                                             "MPI_C_FLOAT_COMPLEX",
                                             "MPI_C_DOUBLE_COMPLEX",
                                             "MPI_C_LONG_DOUBLE_COMPLEX",
                                             "MPI_CXX_FLOAT_COMPLEX",
                                             "MPI_CXX_DOUBLE_COMPLEX",
                                             "MPI_CXX_LONG_DOUBLE_COMPLEX",
                                             "MPI_DOUBLE_COMPLEX",
                                             "MPI_COMPLEX4",
                                             "MPI_COMPLEX8",
                                             "MPI_COMPLEX16",
                                             "MPI_COMPLEX32"};
const std::set<std::string> byte_types = {"MPI_BYTE"};
const std::set<std::string> multi_language = {"MPI_AINT", "MPI_OFFSET", "MPI_COUNT"};
const std::set<std::string> text = {"MPI_CHAR"};  // not in the table, but taken by all
const std::set<std::string> pair_types = {"MPI_FLOAT_INT", "MPI_DOUBLE_INT",        "MPI_LONG_INT",
                                          "MPI_2INT",      "MPI_SHORT_INT",         "MPI_LONG_DOUBLE_INT",
                                          "MPI_2REAL",     "MPI_2DOUBLE_PRECISION", "MPI_2INTEGER"};

bool allowed(op_kind kind, const std::string& type) {
  auto in = [&](auto&... sets) { return (sets.contains(type) || ...); };
  switch (kind) {
    case op_kind::min:
    case op_kind::max:
      return in(c_integer, fortran_integer, floating, multi_language, text);
    case op_kind::sum:
    case op_kind::prod:
      return in(c_integer, fortran_integer, floating, complex_types, multi_language, text);
    case op_kind::land:
    case op_kind::lor:
    case op_kind::lxor:
      return in(c_integer, logical, multi_language, text);
    case op_kind::band:
    case op_kind::bor:
    case op_kind::bxor:
      return in(c_integer, fortran_integer, byte_types, multi_language, text);
    case op_kind::minloc:
    case op_kind::maxloc:
      return in(pair_types);
    default:
      return true;
  }
}

constexpr op_kind all_ops[] = {op_kind::sum,     op_kind::prod, op_kind::min,    op_kind::max,
                               op_kind::land,    op_kind::lor,  op_kind::lxor,   op_kind::band,
                               op_kind::bor,     op_kind::bxor, op_kind::minloc, op_kind::maxloc,
                               op_kind::replace, op_kind::no_op};

TEST(op, table_of_types) {
  int accepted = 0;
  for (auto kind : all_ops)
    for (int abi = 0x200; abi < 0x300; abi++)
      if (const type* t = predefined_type(abi)) {
        EXPECT_EQ(operation(kind).defined_on(*t), allowed(kind, t->name()))
            << operation(kind).name() << " " << t->name();
        accepted += operation(kind).defined_on(*t) ? 1 : 0;
      }
  // 2 x 37 + 2 x 49 + 3 x 30 + 3 x 29 + 2 x 9 + 2 x 70
  EXPECT_EQ(accepted, 507);
  held derived = builder::contiguous(1, named(basic::int_));
  EXPECT_FALSE(operation(op_kind::sum).defined_on(*derived));
  EXPECT_EQ(predefined_op(0x20), nullptr);
  EXPECT_EQ(predefined_op(0x25), nullptr);
}

bool is_unsigned(number form) {
  return form >= number::u8 && form <= number::u64;
}
bool is_complex(number form) {
  return form >= number::c16;
}

wide reference(op_kind kind, wide a, wide b) {
  const auto x = static_cast<std::int64_t>(a.real()), y = static_cast<std::int64_t>(b.real());
  auto truth = [](bool t) { return wide(t ? 1.0L : 0.0L); };
  switch (kind) {
    case op_kind::sum:
      return a + b;
    case op_kind::prod:
      return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    case op_kind::min:
      return std::min(a.real(), b.real());
    case op_kind::max:
      return std::max(a.real(), b.real());
    case op_kind::land:
      return truth(x != 0 && y != 0);
    case op_kind::lor:
      return truth(x != 0 || y != 0);
    case op_kind::lxor:
      return truth((x != 0) != (y != 0));
    case op_kind::band:
      return static_cast<long double>(x & y);
    case op_kind::bor:
      return static_cast<long double>(x | y);
    case op_kind::bxor:
      return static_cast<long double>(x ^ y);
    case op_kind::replace:
      return a;
    default:
      return b;
  }
}

TEST(op, every_allowed_pair) {
  constexpr int count = 133;  // no multiple of a vector
  int checked = 0;
  for (auto kind : all_ops) {
    for (int k = 1; k < static_cast<int>(basic::kinds); k++) {
      const auto& row = info(static_cast<basic>(k));
      const type& t = named(row.kind);
      if (!operation(kind).defined_on(t)) continue;
      checked++;
      // An odd start: staging buffers lie anywhere.
      std::vector<std::byte> in(count * row.size + 1), inout(count * row.size + 1), out(count * row.size + 7);
      std::vector<wide> expected;
      for (int i = 0; i < count; i++) {
        const bool truths = row.group == group::logical && row.form == number::u8;
        auto value = [&](int seed) {
          const int low = is_unsigned(row.form) ? 0 : -5;
          const auto re = truths ? seed % 2 : seed % 11 + low;
          return is_complex(row.form) ? wide(re, seed / 11 % 7 - 3) : wide(re);
        };
        const wide a = value(i * 7), b = value(i * 13 + i / 11);
        write(row.form, a, in.data() + 1 + i * row.size);
        write(row.form, b, inout.data() + 1 + i * row.size);
        expected.push_back(reference(kind, a, b));
      }
      // The result in memory of its own, then over either operand.
      std::vector<std::byte> over_lower = in;
      std::byte* const b = inout.data() + 1;
      operation(kind).combine(in.data() + 1, b, out.data() + 3, count, t);
      operation(kind).combine(over_lower.data() + 1, b, over_lower.data() + 1, count, t);
      operation(kind).combine(in.data() + 1, b, b, count, t);
      for (const std::byte* result : {out.data() + 3, over_lower.data() + 1, b})
        for (int i = 0; i < count; i++)
          ASSERT_EQ(read(row.form, result + i * row.size), expected[static_cast<std::size_t>(i)])
              << operation(kind).name() << " " << row.name << " element " << i;
      for (const std::size_t around : {0, 1, 2}) {
        EXPECT_EQ(out[around], std::byte{0});
        EXPECT_EQ(out[out.size() - 1 - around], std::byte{0});
      }
    }
  }
  EXPECT_EQ(checked, 507 - 2 * 9 - 2 * 9);  // the pairs of value and index are below
}

template <class V, class I>
void check_pairs(int abi) {
  struct pair {
    V value;
    I index;
  };
  const type& t = *predefined_type(abi);
  ASSERT_EQ(t.extent(), std::int64_t{sizeof(pair)});
  for (auto kind : {op_kind::minloc, op_kind::maxloc}) {
    ASSERT_TRUE(operation(kind).defined_on(t));
    for (int i = 0; i < 60; i++) {
      const int a = i % 5, b = i % 3, ai = i % 7, bi = i % 4;
      pair in[2] = {{static_cast<V>(a - 2), static_cast<I>(ai)}, {V{1}, I{1}}};
      pair inout[2] = {{static_cast<V>(b - 2), static_cast<I>(bi)}, {V{1}, I{2}}};
      pair out[2] = {}, over_lower[2] = {in[0], in[1]};
      std::memset(static_cast<void*>(out), 0x5a, sizeof out);
      operation(kind).combine(in, inout, out, 2, t);
      operation(kind).combine(over_lower, inout, over_lower, 2, t);
      operation(kind).apply(in, inout, 2, t);
      const bool first = kind == op_kind::minloc ? a < b : a > b;
      const int value = first ? a : b, index = a == b ? std::min(ai, bi) : first ? ai : bi;
      for (const pair* result : {inout, out, over_lower}) {
        ASSERT_EQ(result[0].value, static_cast<V>(value - 2)) << t.name();
        ASSERT_EQ(result[0].index, static_cast<I>(index)) << t.name();
        ASSERT_EQ(result[1].index, I{1});
      }
      // What lies between value and index is left as it is.
      const auto* const bytes = reinterpret_cast<const unsigned char*>(out);
      for (std::size_t at = sizeof(V); at < offsetof(pair, index); at++) ASSERT_EQ(bytes[at], 0x5a);
    }
  }
}

TEST(op, minloc_and_maxloc) {
  check_pairs<float, int>(0x228);
  check_pairs<double, int>(0x229);
  check_pairs<long, int>(0x22a);
  check_pairs<int, int>(0x22b);
  check_pairs<short, int>(0x22c);
  check_pairs<long double, int>(0x22d);
  check_pairs<float, float>(0x230);
  check_pairs<double, double>(0x231);
  check_pairs<int, int>(0x232);
}

TEST(op, pairs_made_by_value_index) {
  struct pair {
    unsigned char value;
    std::int64_t index;
  };
  held t = builder::value_index(named(basic::unsigned_char), named(basic::int64));
  ASSERT_TRUE(t.ok());
  ASSERT_EQ(t->extent(), std::int64_t{sizeof(pair)});
  EXPECT_TRUE(t->committed() && t->predefined());
  EXPECT_EQ(t->envelope().kind, combiner::value_index);
  pair in{200, -5}, inout{200, 7};
  operation(op_kind::maxloc).apply(&in, &inout, 1, *t);
  EXPECT_EQ(inout.index, -5);
  in = {100, 1};
  operation(op_kind::minloc).apply(&in, &inout, 1, *t);
  EXPECT_EQ(inout.value, 100);
  EXPECT_EQ(inout.index, 1);
  held same = builder::value_index(named(basic::double_), named(basic::int_));
  EXPECT_EQ(same->abi_value(), 0x229);
  EXPECT_EQ(*builder::value_index(named(basic::c_float_complex), named(basic::int_)), nullptr);
  EXPECT_EQ(*builder::value_index(named(basic::int_), named(basic::char_)), nullptr);
  EXPECT_EQ(*builder::value_index(*predefined_type(0x228), named(basic::int_)), nullptr);
}

TEST(op, integers_wrap) {
  int a = INT32_MAX, b = 2;
  operation(op_kind::sum).apply(&a, &b, 1, named(basic::int_));
  EXPECT_EQ(b, INT32_MIN + 1);
  std::uint16_t c = 65535, d = 65535;
  operation(op_kind::prod).apply(&c, &d, 1, named(basic::uint16));
  EXPECT_EQ(d, 1);
}

// Accumulates use derived types: only the data is touched.
TEST(op, derived_layout_of_one_kind) {
  held column = builder::vector(3, 2, 4, named(basic::int_));
  ASSERT_TRUE(column->commit().ok());
  ASSERT_TRUE(operation(op_kind::sum).defined_on(column->single_basic()));
  std::vector<int> in(12, 5), inout(12, 1);
  std::vector<int> out(12, 3);
  operation(op_kind::sum).combine(in.data(), inout.data(), out.data(), 1, *column);
  EXPECT_EQ(out, (std::vector<int>{6, 6, 3, 3, 6, 6, 3, 3, 6, 6, 3, 3}));
  operation(op_kind::sum).apply(in.data(), inout.data(), 1, *column);
  EXPECT_EQ(inout, (std::vector<int>{6, 6, 1, 1, 6, 6, 1, 1, 6, 6, 1, 1}));
}

TEST(op, f90_types_reduce) {
  held r = builder::f90_real(15, 300), i = builder::f90_integer(12), c = builder::f90_complex(6, 30);
  ASSERT_TRUE(operation(op_kind::max).defined_on(*r) && operation(op_kind::sum).defined_on(*c));
  EXPECT_FALSE(operation(op_kind::land).defined_on(*i));
  double a = 2.5, b = 1.5;
  operation(op_kind::sum).apply(&a, &b, 1, *r);
  EXPECT_EQ(b, 4.0);
}

TEST(op, user_defined) {
  static int calls = 0;
  op* o = op::create(
      [](void* context, const void* in, void* inout, std::int64_t count, const type& t) {
        EXPECT_EQ(*static_cast<int*>(context), 42);
        EXPECT_EQ(&t, predefined_type(0x209));
        for (std::int64_t i = 0; i < count; i++)
          static_cast<int*>(inout)[i] -= static_cast<const int*>(in)[i];
        calls++;
      },
      [] {
        static int answer = 42;
        return static_cast<void*>(&answer);
      }(),
      false);
  EXPECT_FALSE(o->commutative());
  EXPECT_FALSE(o->predefined());
  EXPECT_TRUE(o->defined_on(*predefined_type(0x243)));
  int in[2] = {1, 2}, inout[2] = {10, 20}, out[2] = {};
  o->acquire();
  o->combine(in, inout, out, 2, named(basic::int_));
  EXPECT_EQ(out[1], 18);
  EXPECT_EQ(inout[1], 20);
  o->apply(in, inout, 2, named(basic::int_));
  o->release();
  o->apply(in, inout, 0, named(basic::int_));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(inout[1], 18);
  o->release();
  EXPECT_TRUE(operation(op_kind::sum).commutative());
  EXPECT_FALSE(operation(op_kind::replace).commutative());
}

// All 65536 halves survive; rounding is to nearest, ties to even.
TEST(half, conversions) {
  for (unsigned h = 0; h < 65536; h++) {
    const float f = half_to_float(static_cast<std::uint16_t>(h));
    if (std::isnan(f)) {
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(f))));
    } else {
      ASSERT_EQ(float_to_half(f), h);
    }
  }
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3c00);
  EXPECT_EQ(float_to_half(1.0f + 0x1.8p-10f), 0x3c02);
  EXPECT_EQ(float_to_half(0x1p-25f), 0x0000);
  EXPECT_EQ(float_to_half(0x1.8p-25f), 0x0001);
}

// Processes of one job may run on different processors.
class op_vectors : public testing::TestWithParam<vectors> {};
INSTANTIATE_TEST_SUITE_P(op, op_vectors, testing::Values(vectors::of_32, vectors::of_64));

TEST_P(op_vectors, give_the_same_bits) {
  if (GetParam() > widest_vectors) GTEST_SKIP() << "this processor has none";
  std::uint64_t random = 88172645463325252;
  int different = 0;
  for (auto kind : {op_kind::sum, op_kind::prod, op_kind::min, op_kind::max, op_kind::land, op_kind::lor,
                    op_kind::lxor, op_kind::band, op_kind::bor, op_kind::bxor})
    for (int f = 0; f <= static_cast<int>(number::c128); f++) {
      const auto form = static_cast<number>(f);
      const reduction wide = find_reduction(kind, form, GetParam()),
                      narrow = find_reduction(kind, form, vectors::of_all);
      if (wide == narrow) continue;
      different++;
      for (const int count : {1, 7, 31, 77, 300}) {
        // No exponent is all ones: of two NaNs either may be the result.
        const auto n = static_cast<std::size_t>(count);
        std::vector<std::byte> a(n * size_of(form) + 3), b(a.size()), expected(a.size()), out(a.size());
        for (std::size_t i = 0; i < a.size(); i++) {
          random ^= random << 13, random ^= random >> 7, random ^= random << 17;
          a[i] = static_cast<std::byte>(random & 0xbf), b[i] = static_cast<std::byte>(random >> 8 & 0xbf);
        }
        narrow(a.data() + 1, b.data() + 2, expected.data(), count);
        wide(a.data() + 1, b.data() + 2, out.data(), count);
        EXPECT_TRUE(out == expected) << "operation " << static_cast<int>(kind) << ", form " << f;
        std::vector<std::byte> over = b;
        wide(a.data() + 1, over.data() + 2, over.data() + 2, count);
        EXPECT_EQ(std::memcmp(over.data() + 2, expected.data(), n * size_of(form)), 0);
        over = a;
        wide(over.data() + 1, b.data() + 2, over.data() + 1, count);
        EXPECT_EQ(std::memcmp(over.data() + 1, expected.data(), n * size_of(form)), 0);
      }
    }
  EXPECT_GE(different, 50);
}

}  // namespace
}  // namespace loadstone::datatype
