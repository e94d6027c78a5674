// One-sided predictions on a machine made up for the purpose: every cost is a round number.
#include "model/one_sided.hpp"

#include <gtest/gtest.h>

namespace loadstone::model {
namespace {

// A line takes 0.1 µs, waking 30; put 0.1, get 0.2, process_vm 0.15 µs a KiB beside 1 µs a call, and 0.5 a piece.
machine round_numbers() {
  machine m;
  m.line = 0.1, m.wake = 30, m.call = 1, m.piece = 0.5;
  for (const std::int64_t n : {64, 1024, 4096, 65536, 1 << 20}) {
    const double kib = static_cast<double>(n) / 1024;
    m.put.add(n, 0.1 * kib);
    m.get.add(n, 0.2 * kib);
    m.vm.add(n, 1 + 0.15 * kib);
    m.together.add(n, 0.05 * kib);
  }
  return m;
}

TEST(OneSided, DirectIsACopy) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(access::direct, {.bytes = 4096}, m), 0.4);
  EXPECT_DOUBLE_EQ(predict(access::direct, {.get = true, .bytes = 4096}, m), 0.8);
  EXPECT_DOUBLE_EQ(predict(access::direct, {.bytes = 4096, .asleep = true}, m), 0.4)
      << "the target is not asked";
}

TEST(OneSided, TheSystemTakesACallAndEachFurtherPiece) {
  machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(access::system, {.bytes = 1024}, m), 1.15);
  EXPECT_DOUBLE_EQ(predict(access::system, {.bytes = 1024, .blocks = 5}, m), 1.15 + 4 * 0.5);
  EXPECT_DOUBLE_EQ(predict(access::system, {.get = true, .bytes = 1024, .asleep = true}, m), 1.15);
  m.piece = 0;  // of a machine that was measured before there was this figure
  EXPECT_DOUBLE_EQ(predict(access::system, {.bytes = 1024}, m), 1.15);
  EXPECT_EQ(predict(access::system, {.bytes = 1024, .blocks = 5}, m), 0);
  m.vm = {};
  EXPECT_EQ(predict(access::system, {.bytes = 8}, m), 0) << "refused";
}

TEST(OneSided, WhoIsAskedAnswers) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(access::asked, {.bytes = 8}, m), 0.1 + 0.1) << "a line each way";
  EXPECT_DOUBLE_EQ(predict(access::asked, {.bytes = 8, .asleep = true}, m), 0.2 + 30);
  // An eager message one way, a line the other, whichever way the data goes.
  const double put = predict(access::asked, {.bytes = 1024}, m);
  EXPECT_DOUBLE_EQ(put, 0.1 + 0.1 + 0.2 + 0.1);
  EXPECT_DOUBLE_EQ(predict(access::asked, {.get = true, .bytes = 1024}, m), put);
  EXPECT_DOUBLE_EQ(predict(access::asked, {.bytes = 1024, .blocks = 128}, m), put)
      << "regular blocks are one run";
  // More than a cell holds: several messages.
  const double cell = predict(access::asked, {.bytes = 256 * 1024}, m);
  EXPECT_NEAR(predict(access::asked, {.bytes = 512 * 1024}, m), 2 * cell - 0.1, 1e-9);
}

TEST(OneSided, CollectedPutsTakeOneCall) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(collected(1, {.bytes = 1024}, m), predict(access::system, {.bytes = 1024}, m));
  EXPECT_DOUBLE_EQ(collected(64, {.bytes = 16}, m), 1.15 + 63 * 0.5);
  EXPECT_LT(collected(64, {.bytes = 16}, m), 64 * predict(access::system, {.bytes = 16}, m));
}

TEST(OneSided, WhatIsHandedIsCopiedTwice) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(handed(1024, m), 3 * 0.1 + 0.1 + 0.2);
  EXPECT_LT(handed(1 << 20, m), 3 * 0.1 + 1024 * (0.1 + 0.2)) << "the two copies overlap";
}

TEST(OneSided, AccumulatesToOrdinaryMemory) {
  machine m = round_numbers();
  EXPECT_EQ(accumulate(changed_by::both, 1 << 20, m), 0) << "not known how long it takes to add";
  m.fold = 0.05;
  EXPECT_DOUBLE_EQ(accumulate(changed_by::owner, 1024, m), handed(1024, m)) << "it adds where it would copy";
  const double system = accumulate(changed_by::system, 1 << 20, m),
               both = accumulate(changed_by::both, 1 << 20, m);
  EXPECT_DOUBLE_EQ(system, 2 * (1 + 153.6) + 51.2);
  EXPECT_LT(both, system / 2) << "the owner copies once";
  EXPECT_GT(both, system / 4);
  m.fold = 2;
  EXPECT_NEAR(accumulate(changed_by::owner, 1 << 20, m), 2048, 5) << "the other copy overlaps";
}

TEST(OneSided, Synchronisation) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(fence(1, m), 0);
  EXPECT_DOUBLE_EQ(fence(2, m), 0.1);
  EXPECT_DOUBLE_EQ(fence(5, m), 3 * 0.1);
  EXPECT_DOUBLE_EQ(fence(8, m), 3 * 0.1);
  EXPECT_DOUBLE_EQ(post(0, m), 0);
  EXPECT_DOUBLE_EQ(post(1, m), 0.2);
  EXPECT_GT(post(3, m), post(2, m));
  EXPECT_DOUBLE_EQ(lock(true, m), 0.1);
  EXPECT_DOUBLE_EQ(lock(false, m), 0);
}

TEST(OneSided, ManyBlocksAreToBeAskedFor) {
  machine m = round_numbers();
  // 1 KiB: 1.15 + 0.5 for each further block, asked 0.5 at once.
  EXPECT_EQ(blocks_to_ask({.bytes = 1024}, m), 1);
  m.line = 1;  // asked 2.3: 1.15, 1.65, 2.65
  EXPECT_EQ(blocks_to_ask({.bytes = 1024}, m), 4);
  m.piece = 1e-9;
  EXPECT_EQ(blocks_to_ask({.bytes = 1024}, m), -1);
}

}  // namespace
}  // namespace loadstone::model
