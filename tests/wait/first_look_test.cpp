#include "wait/first_look.hpp"

#include <gtest/gtest.h>

#include <random>

#include "wait/pause.hpp"

namespace loadstone::wait {
namespace {

constexpr std::uint32_t look = 50;  // turns

struct outcome {
  double in_vain;  // first looks that did not find the answer: their share, without probes'
  double late;     // by how many turns the others were late, on average
};

// Waits of a program whose answers take `time(i)` turns, and `back` more when a look in vain has taken the line away; the
// second half of them counts.
template <class Time>
outcome waits(first_look& f, int number, Time&& time, std::uint32_t back = 80) {
  double in_vain = 0, late = 0, counted = 0;
  for (int i = 0; i < number; ++i) {
    const std::uint32_t begin = f.begin(), at = time(i);
    const std::uint32_t there = begin < at ? at + back : at;
    const std::uint32_t looks = begin < there ? (there - begin + look - 1) / look : 0;
    f.end(looks);
    if (i < number / 2) continue;
    ++counted;
    if (looks != 0)
      ++in_vain;
    else
      late += begin - at;
  }
  return {in_vain / counted, late / counted};
}

TEST(first_look, comes_when_the_answer_is_there) {
  std::mt19937 random(1);
  for (std::uint32_t when : {40u, 200u, 700u, 4000u}) {
    first_look f(look, true);
    const outcome got = waits(f, 10'000, [&](int) { return when + random() % 8; });
    EXPECT_LT(got.in_vain, 0.2) << when;  // one in seven, and probes
    EXPECT_LT(got.late, 16) << when;
  }
}

TEST(first_look, comes_at_once_when_the_answer_is_there_already) {
  first_look f(look, true);
  waits(f, 10'000, [](int) { return 300u; });
  EXPECT_GT(f.begin(), 200u);
  EXPECT_EQ(waits(f, 1000, [](int) { return 0u; }).late, 0);
}

TEST(first_look, follows_the_program) {
  first_look f(look, true);
  for (std::uint32_t when : {300u, 60u, 2000u, 100u}) {
    const outcome got = waits(f, 10'000, [&](int) { return when; });
    EXPECT_LT(got.in_vain, 0.2) << when;
    EXPECT_LT(got.late, 24) << when;
  }
}

TEST(first_look, is_hardly_late_when_answers_come_at_any_time) {
  std::mt19937 random(1);
  first_look f(look, true);
  EXPECT_LT(waits(f, 100'000, [&](int) { return random() % 4000; }).late, look);
}

// Whatever the period of the program is, and wherever in it the quick answer stands.
TEST(first_look, is_hardly_late_when_some_are_there_already) {
  for (int period = 2; period <= 40; ++period) {
    for (int phase = 0; phase < period; ++phase) {
      first_look f(look, true);
      const auto time = [&](int i) { return i % period == phase ? 0u : 2000u; };
      waits(f, 20'000, time);
      double late = 0, counted = 0;
      for (int i = 0; i < 20'000; ++i) {
        if (time(i) == 0) late += f.begin(), ++counted;
        f.end(f.begin() < time(i) ? (time(i) - f.begin() + look - 1) / look : 0);
      }
      // Not each of few is seen by the last probes.
      EXPECT_LT(late / counted, period < 8 ? 600 : 1700) << period << ", " << phase;
    }
  }
}

TEST(first_look, comes_at_once_in_long_waits) {
  first_look f(look, true);
  waits(f, 10'000, [](int) { return 300u; });
  waits(f, 10'000, [](int) { return look * (first_look::close + 10); });
  EXPECT_EQ(f.begin(), 0u);
}

TEST(first_look, learns_nothing_when_told_so) {
  first_look f(look, false);
  waits(f, 1000, [](int) { return 300u; });
  EXPECT_EQ(f.begin(), look);
}

TEST(pause, takes_some_turns) {
  const std::uint32_t turns = turns_of_a_pause();
  EXPECT_GE(turns, 8u);
  EXPECT_LE(turns, 1024u);
  EXPECT_EQ(turns, turns_of_a_pause());
}

}  // namespace
}  // namespace loadstone::wait
