#include "io/two_ways.hpp"

#include <gtest/gtest.h>

namespace loadstone::io {
namespace {

// How many of the next `count` writes are stored, if a byte takes so many ns either way.
int stored(two_ways& ways, int count, std::uint64_t windows, std::uint64_t stores) {
  int all = 0;
  for (int i = 0; i < count; ++i) {
    const bool s = ways.stores();
    all += s ? 1 : 0;
    ways.note(s, 1000, (s ? stores : windows) * 1000);
  }
  return all;
}

TEST(two_ways, both_are_measured_first_and_the_slower_one_now_and_then) {
  two_ways a, b;
  EXPECT_EQ(stored(a, 4, 2, 1), 2);
  EXPECT_EQ(stored(a, 320, 2, 1), 310);
  EXPECT_EQ(stored(b, 4, 1, 2), 2);
  EXPECT_EQ(stored(b, 320, 1, 2), 10);
  // Pages are written back meanwhile, so that storing takes longer.
  stored(a, 40, 2, 5);
  EXPECT_LT(stored(a, 320, 2, 5), 32);
}

TEST(two_ways, what_the_first_of_each_took_does_not_count) {
  two_ways a;
  stored(a, 2, 1, 100);
  EXPECT_EQ(stored(a, 2, 2, 1), 1);
  EXPECT_GT(stored(a, 64, 2, 1), 60);
}

}  // namespace
}  // namespace loadstone::io
