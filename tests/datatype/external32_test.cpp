// external32: the bytes of the standard's representation, there and back, over random layouts.
#include "datatype/external32.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "datatype/random_types.hpp"

namespace loadstone::datatype {
namespace {

template <class T>
std::vector<int> packed(basic kind, T value) {
  EXPECT_EQ(info(kind).size, sizeof(T));
  std::vector<std::byte> out(info(kind).external32);
  EXPECT_EQ(external32_size(1, named(kind)), info(kind).external32);
  EXPECT_TRUE(pack_external32(&value, 1, named(kind), out.data()).ok());
  std::vector<int> bytes;
  for (auto b : out) bytes.push_back(static_cast<int>(b));
  return bytes;
}
template <class T>
T there_and_back(basic kind, T value) {
  std::vector<std::byte> out(info(kind).external32);
  EXPECT_TRUE(pack_external32(&value, 1, named(kind), out.data()).ok());
  T back;
  std::memset(&back, 0xee, sizeof back);
  EXPECT_TRUE(unpack_external32(&back, 1, named(kind), out.data()).ok());
  return back;
}
using bytes = std::vector<int>;

TEST(external32, sizes_of_the_table) {
  const std::pair<basic, int> table[] = {{basic::packed, 1},
                                         {basic::byte, 1},
                                         {basic::char_, 1},
                                         {basic::wchar, 2},
                                         {basic::short_, 2},
                                         {basic::int_, 4},
                                         {basic::long_, 4},
                                         {basic::unsigned_long, 4},
                                         {basic::long_long, 8},
                                         {basic::float_, 4},
                                         {basic::double_, 8},
                                         {basic::long_double, 16},
                                         {basic::c_bool, 1},
                                         {basic::int8, 1},
                                         {basic::int64, 8},
                                         {basic::aint, 8},
                                         {basic::count, 8},
                                         {basic::offset, 8},
                                         {basic::c_float_complex, 8},
                                         {basic::c_double_complex, 16},
                                         {basic::c_long_double_complex, 32},
                                         {basic::character, 1},
                                         {basic::logical, 4},
                                         {basic::integer, 4},
                                         {basic::real, 4},
                                         {basic::double_precision, 8},
                                         {basic::complex, 8},
                                         {basic::double_complex, 16},
                                         {basic::cxx_bool, 1},
                                         {basic::cxx_long_double_complex, 32},
                                         {basic::integer1, 1},
                                         {basic::integer16, 16},
                                         {basic::real2, 2},
                                         {basic::real16, 16},
                                         {basic::complex4, 4},
                                         {basic::complex32, 32}};
  for (auto [kind, size] : table) EXPECT_EQ(external32_size(1, named(kind)), size) << info(kind).name;
}

TEST(external32, integers) {
  EXPECT_EQ(packed(basic::short_, short{0x1234}), (bytes{0x12, 0x34}));
  EXPECT_EQ(packed(basic::int_, -2), (bytes{0xff, 0xff, 0xff, 0xfe}));
  EXPECT_EQ(packed(basic::int64, std::int64_t{0x0102030405060708}), (bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(packed(basic::long_, -5L), (bytes{0xff, 0xff, 0xff, 0xfb}));
  EXPECT_EQ(there_and_back(basic::long_, -5L), -5L);
  EXPECT_EQ(there_and_back(basic::long_, long{INT32_MIN}), long{INT32_MIN});
  EXPECT_EQ(there_and_back(basic::unsigned_long, 0xfffffffful), 0xfffffffful);
  EXPECT_EQ(packed(basic::wchar, wchar_t{0x20ac}), (bytes{0x20, 0xac}));
  EXPECT_EQ(there_and_back(basic::wchar, wchar_t{0xffee}), wchar_t{0xffee});
  EXPECT_EQ(there_and_back(basic::integer16, int128{-3} << 90) >> 90, -3);
}

TEST(external32, floating_point) {
  EXPECT_EQ(packed(basic::float_, 1.0f), (bytes{0x3f, 0x80, 0, 0}));
  EXPECT_EQ(packed(basic::double_, -2.0), (bytes{0xc0, 0, 0, 0, 0, 0, 0, 0}));
  // binary128: sign, 15 exponent bits with bias 16383, 112 fraction bits without the leading one.
  EXPECT_EQ(packed(basic::long_double, 1.0L), (bytes{0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(packed(basic::long_double, -1.5L),
            (bytes{0xbf, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(packed(basic::long_double, std::numeric_limits<long double>::infinity()),
            (bytes{0x7f, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  for (long double v :
       {0.0L, 1.0L / 3, -std::numeric_limits<long double>::max(), std::numeric_limits<long double>::min(),
        std::numeric_limits<long double>::denorm_min(), 1e-4940L, 12345.678L})
    EXPECT_EQ(there_and_back(basic::long_double, v), v);
  EXPECT_TRUE(std::signbit(there_and_back(basic::long_double, -0.0L)));
  EXPECT_TRUE(std::isnan(there_and_back(basic::long_double, std::numeric_limits<long double>::quiet_NaN())));
  const std::array<float, 2> z{1.0f, -2.0f};
  EXPECT_EQ(packed(basic::c_float_complex, z), (bytes{0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0}));
  const std::array<long double, 2> w{1.0L / 7, -2.5L};
  EXPECT_EQ(there_and_back(basic::c_long_double_complex, w), w);
}

// Element by element against the conversion of single elements, in type-map order; and back into a cleared
// buffer.
TEST(external32, random_layouts) {
  const std::uint64_t seed = run_seed();
  int checked = 0;
  for (int round = 0; round < 2000; round++) {
    type_maker maker(seed + static_cast<std::uint64_t>(round));
    const sample s = maker.make(round / 400);
    const auto count = maker.pick(0, 3);
    SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {}", seed, round, s.text));
    if (!s.map.disjoint(count)) continue;
    checked++;
    std::int64_t low = 0, high = 1;
    s.map.each_byte(count, [&](std::int64_t d) {
      low = std::min(low, d);
      high = std::max(high, d + 1);
    });
    std::vector<std::byte> memory(static_cast<std::size_t>(high - low));
    auto at = [&](std::vector<std::byte>& in, std::int64_t d) { return in.data() + (d - low); };
    auto origin = [&](std::vector<std::byte>& in) {
      return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(in.data()) -
                                     static_cast<std::uintptr_t>(low));
    };
    // Small positive integers survive every format; as floating point they are tiny but exact.
    std::vector<std::byte> expected;
    for (std::int64_t c = 0; c < count; c++)
      for (auto& i : s.map.items) {
        std::byte* place = at(memory, c * s.map.extent() + i.displacement);
        const auto& row = info(i.kind);
        *place = static_cast<std::byte>(maker.pick(0, 127));
        const auto start = expected.size();
        expected.resize(start + row.external32);
        to_external32(i.kind, place, 1, expected.data() + start);
      }
    ASSERT_EQ(external32_size(count, *s.type), static_cast<std::int64_t>(expected.size()));
    std::vector<std::byte> out(expected.size());
    ASSERT_TRUE(pack_external32(origin(memory), count, *s.type, out.data()).ok());
    EXPECT_EQ(out, expected);
    std::vector<std::byte> back(memory.size());
    ASSERT_TRUE(unpack_external32(origin(back), count, *s.type, out.data()).ok());
    for (std::int64_t c = 0; c < count; c++)
      for (auto& i : s.map.items) {
        const auto d = c * s.map.extent() + i.displacement;
        const bool x87 = info(i.kind).form == number::extended || info(i.kind).form == number::c_extended;
        if (x87) continue;  // one byte alone is no valid number there
        EXPECT_EQ(std::memcmp(at(memory, d), at(back, d), info(i.kind).size), 0) << info(i.kind).name;
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, 500);
}

}  // namespace
}  // namespace loadstone::datatype
