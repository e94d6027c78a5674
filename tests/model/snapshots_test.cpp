#include "model/snapshots.hpp"

#include <gtest/gtest.h>

using loadstone::model::forecast;
using loadstone::model::snapshot_load;

namespace {

constexpr double mib = 1 << 20;
const snapshot_load usual{.bytes = 64 * mib,
                          .interval = 1,
                          .ranks = 4,
                          .buffer = 128 * mib,
                          .copy_rate = 6400 * mib,
                          .write_rate = 1024 * mib};

TEST(snapshots, OnlyTheCopyIsSeenWhereEverythingFits) {
  const auto f = forecast(usual);
  EXPECT_EQ(f.overflow, 0);
  EXPECT_TRUE(f.keeps_up);
  EXPECT_DOUBLE_EQ(f.unbuffered, 0.25);
  EXPECT_DOUBLE_EQ(f.visible, 0.01);
  EXPECT_DOUBLE_EQ(f.hidden, 0.96);
  EXPECT_DOUBLE_EQ(f.least_buffer, 64 * mib);
  EXPECT_DOUBLE_EQ(f.least_interval, 0.25);
  EXPECT_DOUBLE_EQ(f.most_bytes, 128 * mib);
  EXPECT_EQ(f.most_ranks, 16);
}

TEST(snapshots, OverflowIsSeenAtTheSpeedOfTheDisk) {
  snapshot_load small = usual;
  small.buffer = 48 * mib;
  const auto f = forecast(small);
  EXPECT_DOUBLE_EQ(f.overflow, 16 * mib);
  EXPECT_DOUBLE_EQ(f.visible, 48.0 / 6400 + 64.0 / 1024);
}

TEST(snapshots, WhatTheFileSystemDoesNotTakeInTheIntervalIsSeen) {
  snapshot_load often = usual;
  often.interval = 0.1;
  const auto f = forecast(often);
  EXPECT_FALSE(f.keeps_up);
  EXPECT_DOUBLE_EQ(f.visible, 0.01 + 0.15);
  EXPECT_EQ(f.most_ranks, 1);
  EXPECT_DOUBLE_EQ(f.most_bytes, 25.6 * mib);
}

TEST(snapshots, WithoutABufferNothingIsHidden) {
  snapshot_load none = usual;
  none.buffer = 0;
  const auto f = forecast(none);
  EXPECT_DOUBLE_EQ(f.visible, f.unbuffered);
  EXPECT_EQ(f.hidden, 0);
}

}  // namespace
