#include "launch/causes.hpp"

#include <gtest/gtest.h>

using namespace loadstone::launch;

namespace {

rank_end failed(std::uint32_t met = 0) {
  return {true, true, met};
}

TEST(causes, a_rank_that_has_met_no_death_died_of_itself) {
  EXPECT_EQ(cause_of({failed(), failed()}, 1, false), 1u);
}

TEST(causes, one_that_has_died_of_it) {
  EXPECT_EQ(cause_of({failed(3), failed(1), failed()}, 0, false), 2u);
  EXPECT_EQ(cause_of({failed(3), failed(1), failed()}, 1, false), 2u) << "through another";
}

TEST(causes, the_end_of_the_one_it_names_is_worth_waiting_for) {
  EXPECT_EQ(cause_of({failed(2), {}}, 0, false), std::nullopt);
  EXPECT_EQ(cause_of({failed(2), {}}, 0, true), 0u) << "not for ever";
  EXPECT_EQ(cause_of({failed(2), failed(3), {}}, 0, false), std::nullopt);
  EXPECT_EQ(cause_of({failed(2), failed(3), {}}, 0, true), 1u);
}

TEST(causes, who_ended_well_is_not_to_blame) {
  EXPECT_EQ(cause_of({failed(2), {true, false, 0}}, 0, false), 0u);
}

TEST(causes, a_circle_and_nonsense_end) {
  EXPECT_EQ(cause_of({failed(2), failed(1)}, 0, false), 0u);
  EXPECT_EQ(cause_of({failed(1), failed()}, 0, false), 0u);
  EXPECT_EQ(cause_of({failed(77), failed()}, 0, false), 0u);
}

}  // namespace
