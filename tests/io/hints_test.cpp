#include "io/hints.hpp"

#include <gtest/gtest.h>

namespace {

using loadstone::io::usual_window;

TEST(hints_test, windows_are_longer_where_members_share_cores) {
  EXPECT_EQ(usual_window(2, 2), 256 << 10);
  EXPECT_EQ(usual_window(4, 2), 1 << 20);
  EXPECT_EQ(usual_window(4, 0), 256 << 10) << "nobody knows how many cores there are";
}

}  // namespace
