#include "base/learned.hpp"

#include <gtest/gtest.h>

namespace loadstone::base {
namespace {

TEST(learned, the_first_figure_and_cheaper_ones_are_believed_at_once) {
  learned cost;
  EXPECT_FALSE(cost.known());
  cost.saw(8);
  EXPECT_TRUE(cost.known());
  EXPECT_EQ(cost.value(), 8);
  cost.saw(2);
  EXPECT_EQ(cost.value(), 2);
}

TEST(learned, an_accident_adds_a_quarter_at_most) {
  learned cost;
  cost.saw(4);
  cost.saw(1e9);
  EXPECT_EQ(cost.value(), 5);
  cost.saw(4);
  EXPECT_EQ(cost.value(), 4) << "and is forgotten with the next";
  cost.saw(4.4);
  EXPECT_NEAR(cost.value(), 4.1, 1e-9) << "a small rise counts for a quarter";
}

TEST(learned, what_has_risen_is_known_after_some) {
  learned cost;
  cost.saw(1);
  int samples = 0;
  for (; cost.value() < 9; ++samples) {
    ASSERT_LT(samples, 100);
    cost.saw(10);
  }
  EXPECT_GE(samples, 8);
  EXPECT_LE(samples, 16);
}

TEST(learned_mean, the_dear_ones_count_as_the_others) {
  learned_mean cost;
  EXPECT_FALSE(cost.known());
  cost.saw(8);
  EXPECT_EQ(cost.value(), 8);
  cost.saw(4);
  EXPECT_EQ(cost.value(), 7);
  double sum = 0;
  for (int i = 0; i < 400; ++i) {
    cost.saw(i % 2 == 0 ? 1 : 10);
    if (i >= 200) sum += cost.value();
  }
  EXPECT_NEAR(sum / 200, 5.5, 0.1);
}

}  // namespace
}  // namespace loadstone::base
