#include "wait/test_loop.hpp"

#include <gtest/gtest.h>

namespace loadstone::wait {
namespace {

constexpr std::uint64_t us = 1000, ms = 1000 * us;

// Tests every 100 ns from `now` on, none of which finds anything: the first after which the core is
// given away.
std::uint64_t given_away_at(test_loop& tests, std::uint64_t now, std::uint64_t turn_ns = 0) {
  while (!tests.found_nothing(now, turn_ns)) now += 100;
  return now;
}

TEST(test_loop, gives_the_core_away_after_three_tests) {
  test_loop tests{choose_policy(2, 8)};
  EXPECT_EQ(given_away_at(tests, 1 * ms), 1 * ms + 200);
  tests.gave_away(1 * ms + 200, 1 * ms + 2200);
  EXPECT_EQ(given_away_at(tests, 1 * ms + 2300), 1 * ms + 2300) << "at once from then on";
}

TEST(test_loop, keeps_the_core_when_something_has_been_found) {
  test_loop tests{choose_policy(2, 8)};
  tests.gave_away(1 * ms, given_away_at(tests, 1 * ms));
  tests.found();
  EXPECT_EQ(given_away_at(tests, 2 * ms), 2 * ms + 200);
}

TEST(test_loop, keeps_the_core_of_a_program_that_does_something_between_tests) {
  test_loop tests{choose_policy(2, 8)};
  for (std::uint64_t now = 1 * ms; now < 2 * ms; now += 11 * us) EXPECT_FALSE(tests.found_nothing(now, 0));
}

TEST(test_loop, gives_the_core_away_once_in_a_turn) {
  test_loop tests{choose_policy(2, 8)};
  tests.gave_away(1 * ms, 1 * ms + 50);
  EXPECT_EQ(given_away_at(tests, 1 * ms + 150, 8 * us), 1 * ms + 8 * us + 50);
}

// Processes that all test on one core must not take each other for such ones for long.
TEST(test_loop, keeps_the_core_for_less_than_its_share_after_a_process_that_computes) {
  test_loop two{choose_policy(2, 4)}, four{choose_policy(2, 8)};
  two.gave_away(1 * ms, 5 * ms);
  EXPECT_EQ(given_away_at(two, 5 * ms + 100), 5 * ms + 250 * us);
  four.gave_away(1 * ms, 5 * ms);
  EXPECT_EQ(given_away_at(four, 5 * ms + 100), 5 * ms + 125 * us);
}

}  // namespace
}  // namespace loadstone::wait
