// Counts and displacements of both widths.
#include "base/integers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::base {
namespace {

template <class T>
class Integers : public ::testing::Test {};
using widths = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, widths);

TYPED_TEST(Integers, BeginAsOthersOnlyIfAllAreTheSame) {
  const std::vector<TypeParam> given{0, -1, 7, 1 << 30, 5};
  const integers list{given.data(), sizeof(TypeParam)};
  std::vector<std::int64_t> kept(given.begin(), given.end());
  for (std::size_t n = 0; n <= kept.size(); ++n) EXPECT_TRUE(list.begins_as(kept.data(), n));
  for (std::size_t changed = 0; changed < kept.size(); ++changed) {
    EXPECT_EQ(list[changed], kept[changed]);
    kept[changed] += std::int64_t{1} << 32;  // the lower half is the same
    for (std::size_t n = 0; n <= kept.size(); ++n)
      EXPECT_EQ(list.begins_as(kept.data(), n), n <= changed) << changed << ", " << n;
    kept[changed] = given[changed];
  }
}

}  // namespace
}  // namespace loadstone::base
