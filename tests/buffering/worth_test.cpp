// The rule of when to buffer, with costs of our own in place of measured ones.
#include "buffering/worth.hpp"

#include <gtest/gtest.h>

using loadstone::buffering::worth;

namespace {

constexpr std::uint64_t device = 7, mib = 1 << 20, second = 1'000'000'000;

// Costs in ns a byte. Writes 64 MiB so often, as the rule says, and tells it what that took; answers
// how much of the last write but trials was made at once.
struct machine {
  double copy, carry, at_once;
};

std::uint64_t last_of(worth& rule, const machine& m, int writes, double busy = 1, bool past_cache = false) {
  constexpr std::uint64_t bytes = 64 * mib;
  std::uint64_t now = 0, carried = 0;
  double carry_ns = 0;
  for (int i = 0; i < writes; ++i) {
    rule.carried(device, carried, static_cast<std::uint64_t>(carry_ns), static_cast<std::uint64_t>(carry_ns));
    now = rule.at_once(device, past_cache, bytes, second, static_cast<std::uint64_t>(busy * second));
    const std::uint64_t held = bytes - now;
    if (now > 0) rule.written(device, now, static_cast<std::uint64_t>(m.at_once * static_cast<double>(now)));
    if (held > 0) rule.copied(held, static_cast<std::uint64_t>(m.copy * static_cast<double>(held)));
    carried += held;
    carry_ns += m.carry * static_cast<double>(held);
  }
  return now;
}

TEST(worth, WithACoreToSpareEverythingIsBuffered) {
  worth rule(1, 2);
  for (int writes : {1, 2, 20}) EXPECT_EQ(last_of(rule, {1, 1, 0.1}, writes), 0u);
}

TEST(worth, ThreadsOfTheProgramTakeCores) {
  worth rule(1, 2);
  EXPECT_EQ(last_of(rule, {1, 1, 0.1}, 10, 2.0), 64 * mib);
}

TEST(worth, CarryingThroughMemoryDoesNotPayOnBusyCores) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.15, 0.4, 0.4}, 10), 64 * mib);
}

TEST(worth, CarryingPastTheCacheDoes) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.15, 0.05, 0.4}, 10, 1, true), 0u);
}

// What finds no room waits where carrying is quicker than writing, shared among all who wait; and
// writes now and then, as it may have become quicker.
TEST(worth, WhatFindsNoRoomGoesTheQuickerWay) {
  worth rule(2, 2);
  EXPECT_FALSE(rule.waits(device, 2)) << "nothing is known";
  rule.carried(device, 64 * mib, 1000, 64 * mib / 2);
  EXPECT_FALSE(rule.waits(device, 2)) << "nor what a call takes";
  rule.written(device, 64 * mib, 64 * mib * 2);
  EXPECT_TRUE(rule.waits(device, 2));
  EXPECT_TRUE(rule.waits(device, 3));
  EXPECT_FALSE(rule.waits(device, 4));
  int written = 0;
  for (std::uint32_t i = 0; i < 4 * worth::trial_every; ++i) written += !rule.waits(device, 2);
  EXPECT_EQ(written, 4);
}

// A write that is stored into the file's pages is no question of the rule, and no turn of its trials.
TEST(worth, LookingTakesNoTurnOfATrial) {
  worth rule(2, 2), looked_at(2, 2);
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k <= i % 3; ++k) looked_at.look(64 * mib);
    EXPECT_EQ(looked_at.at_once(device, false, 64 * mib, second, second),
              rule.at_once(device, false, 64 * mib, second, second))
        << i;
  }
}

// What is written at once is in the page cache, and not on the device.
TEST(worth, PagesHaveToBeWrittenBack) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.4, 0.1, 0.4}, 10, 1, true), 0u);
  EXPECT_EQ(last_of(rule, {0.4, 0.1, 0.4}, 10), 64 * mib);
}

TEST(worth, ASlowDevicePaysForTheCopy) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.15, 0.4, 3}, 10), 0u);
}

TEST(worth, RanksThatWaitMakeRoomForTheCarrier) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.15, 0.4, 0.4}, 10, 0.5), 0u);
}

TEST(worth, ADeviceThatBecomesSlowIsNoticed) {
  worth rule(2, 2);
  EXPECT_EQ(last_of(rule, {0.15, 0.3, 0.3}, 10), 64 * mib);
  EXPECT_EQ(last_of(rule, {0.15, 0.3, 4}, 20), 0u);
}

TEST(worth, ATrialIsAnEighthOfASixteenth) {
  worth rule(2, 2);
  last_of(rule, {0.15, 0.05, 0.4}, 64);
  std::uint64_t tried = 0;
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t now = rule.at_once(device, false, 64 * mib, second, second);
    EXPECT_LE(now, 8 * mib);
    tried += now;
  }
  EXPECT_EQ(tried, 4 * 8 * mib);
}

TEST(worth, ShortWritesMakeNoTrials) {
  worth rule(2, 2);
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t now = rule.at_once(device, true, 64 << 10, second, second);
    EXPECT_EQ(now, 0u);
  }
}

// They come too often to look at the process each time.
TEST(worth, ShortWritesGoAsLongOnesFound) {
  constexpr std::uint64_t bytes = 64 << 10;
  for (const double at_once : {0.05, 4.0}) {
    worth rule(2, 2);
    last_of(rule, {0.15, 0.4, at_once}, 10);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(rule.at_once(device, false, bytes), at_once < 1 ? bytes : 0);
  }
}

}  // namespace
