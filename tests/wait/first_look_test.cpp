#include "wait/first_look.hpp"

#include <gtest/gtest.h>

#include <random>

namespace loadstone::wait {
namespace {

std::uint64_t fake_now = 0;
std::uint64_t fake_clock() {
  return fake_now;
}

// Waits of a program whose answers take `time(i)` pauses, and `back` more when a look in vain has taken the line
// away. Returns the number in use after so many waits.
template <class Time>
std::uint32_t settled(first_look& f, int waits, Time&& time, std::uint32_t back) {
  for (int i = 0; i < waits; ++i) {
    std::uint32_t at = f.begin(), there = time(i), looks = 0;
    if (at < there) there += back;
    for (; at < there; ++at) ++looks;
    fake_now += at * 100;
    f.end(looks);
  }
  return f.in_use();
}

TEST(first_look, comes_when_the_answer_is_there) {
  for (std::uint32_t when : {3u, 5u, 8u, 12u}) {
    first_look f(first_look::usual, true, fake_clock);
    EXPECT_EQ(settled(f, 20'000, [&](int) { return when; }, 4), when);
  }
}

TEST(first_look, comes_at_once_when_looking_costs_nothing) {
  first_look f(first_look::usual, true, fake_clock);
  EXPECT_EQ(settled(f, 20'000, [](int) { return 0u; }, 4), 0u);
}

TEST(first_look, follows_the_program) {
  first_look f(first_look::usual, true, fake_clock);
  EXPECT_EQ(settled(f, 20'000, [](int) { return 6u; }, 4), 6u);
  EXPECT_EQ(settled(f, 100'000, [](int) { return 1u; }, 4), 1u);
  EXPECT_EQ(settled(f, 100'000, [](int) { return 9u; }, 4), 9u);
}

TEST(first_look, waits_for_nobody_in_particular_when_answers_come_at_any_time) {
  std::mt19937 random(1);
  first_look f(12, true, fake_clock);
  EXPECT_LE(settled(f, 400'000, [&](int) { return random() % 12; }, 1), 4u);
}

TEST(first_look, is_the_usual_one_before_long_waits) {
  first_look f(first_look::usual, true, fake_clock);
  EXPECT_EQ(settled(f, 20'000, [](int) { return 8u; }, 4), 8u);
  EXPECT_EQ(settled(f, 20'000, [](int) { return 100u; }, 4), first_look::usual);
}

TEST(first_look, learns_nothing_when_told_so) {
  first_look f(3, false, fake_clock);
  EXPECT_EQ(settled(f, 50'000, [](int) { return 9u; }, 4), 3u);
}

}  // namespace
}  // namespace loadstone::wait
