#include "coll/member_set.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::coll {
namespace {

TEST(MemberSet, HoldsEveryMemberThatMayHaveAreas) {
  member_set s;
  EXPECT_TRUE(s.empty());
  for (std::int32_t m = 0; m < member_set::most; ++m) {
    EXPECT_FALSE(s.has(m));
    s.add(m);
    EXPECT_TRUE(s.has(m));
    EXPECT_EQ(s.count(), m + 1);
  }
  EXPECT_EQ(s, member_set::all());
  EXPECT_EQ(s.without(64).count(), member_set::most - 1);
  EXPECT_FALSE(s.without(64).has(64));
}

TEST(MemberSet, IsSeenInOrderUntilOneStops) {
  member_set s = member_set::of(127) | member_set::of(3);
  s.add(64);
  std::vector<std::int32_t> seen;
  EXPECT_TRUE(s.each([&](std::int32_t m) { return seen.push_back(m), true; }));
  EXPECT_EQ(seen, (std::vector<std::int32_t>{3, 64, 127}));
  seen.clear();
  EXPECT_FALSE(s.each([&](std::int32_t m) { return seen.push_back(m), m < 64; }));
  EXPECT_EQ(seen, (std::vector<std::int32_t>{3, 64}));
}

TEST(MemberSet, OfOthersLeavesOneOut) {
  const member_set s = member_set::others(70, 66);
  EXPECT_EQ(s.count(), 69);
  EXPECT_TRUE(s.has(0) && s.has(69));
  EXPECT_FALSE(s.has(66) || s.has(70));
}

}  // namespace
}  // namespace loadstone::coll
