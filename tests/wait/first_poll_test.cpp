#include "wait/first_poll.hpp"

#include <gtest/gtest.h>

#include <random>

#include "wait/pause.hpp"

namespace loadstone::wait {
namespace {

constexpr std::uint32_t look = 50;  // turns

struct outcome {
  double in_vain;  // first looks that did not find the answer: their share, probes among them
  double late;     // by how many turns the others were late, on average
};

// Waits of a program whose answers take `time(i)` turns, and `back` more when a look in vain has taken the line away. Of the
// second half of them, those count that `counts`.
template <class Time, class Counts>
outcome waits(first_poll& f, int number, Time&& time, Counts&& counts) {
  constexpr std::uint32_t back = 80;
  double in_vain = 0, late = 0, counted = 0;
  for (int i = 0; i < number; ++i) {
    const std::uint32_t begin = f.begin(), at = time(i);
    const std::uint32_t there = begin < at ? at + back : at;
    const std::uint32_t looks = begin < there ? (there - begin + look - 1) / look : 0;
    f.end(looks);
    if (i < number / 2 || !counts(i)) continue;
    ++counted;
    if (looks != 0)
      ++in_vain;
    else
      late += begin - at;
  }
  return {in_vain / counted, late / counted};
}
template <class Time>
outcome waits(first_poll& f, int number, Time&& time) {
  return waits(f, number, time, [](int) { return true; });
}

TEST(first_poll, comes_when_the_answer_is_there) {
  std::mt19937 random(1);
  for (std::uint32_t when : {40u, 200u, 700u, 4000u}) {
    first_poll f(look, true);
    const outcome got = waits(f, 10'000, [&](int) { return when + random() % 8; });
    EXPECT_LT(got.in_vain, 0.2) << when;  // one in six, and probes
    EXPECT_LT(got.late, 16) << when;
  }
}

TEST(first_poll, comes_at_once_when_the_answer_is_there_already) {
  first_poll f(look, true);
  waits(f, 10'000, [](int) { return 300u; });
  EXPECT_GT(f.begin(), 200u);
  EXPECT_EQ(waits(f, 1000, [](int) { return 0u; }).late, 0);
}

TEST(first_poll, follows_the_program) {
  first_poll f(look, true);
  for (std::uint32_t when : {300u, 60u, 2000u, 100u}) {
    const outcome got = waits(f, 10'000, [&](int) { return when; });
    EXPECT_LT(got.in_vain, 0.2) << when;
    EXPECT_LT(got.late, 24) << when;
  }
}

TEST(first_poll, is_hardly_late_when_answers_come_at_any_time) {
  std::mt19937 random(1);
  first_poll f(look, true);
  EXPECT_LT(waits(f, 100'000, [&](int) { return random() % 4000; }).late, look);
}

// One quick answer in each period, whatever that is, and wherever in it: seen by probes, if not by each eight of them.
TEST(first_poll, is_never_late_for_ever_when_some_are_there_already) {
  for (int period = 2; period <= 40; ++period) {
    for (int phase = 0; phase < period; ++phase) {
      first_poll f(look, true);
      const auto quick = [&](int i) { return i % period == phase; };
      const outcome got = waits(f, 40'000, [&](int i) { return quick(i) ? 0u : 2000u; }, quick);
      EXPECT_LT(got.late, period < 8 ? 600 : 1700) << period << ", " << phase;
    }
  }
}

TEST(first_poll, comes_at_once_in_long_waits) {
  first_poll f(look, true);
  waits(f, 10'000, [](int) { return 300u; });
  waits(f, 10'000, [](int) { return look * (first_poll::close + 10); });
  EXPECT_EQ(f.begin(), 0u);
}

TEST(first_poll, learns_nothing_when_told_so) {
  first_poll f(look, false);
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
