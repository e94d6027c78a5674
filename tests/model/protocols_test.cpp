// Predictions on a machine made up for the purpose: every cost is a round number.
#include "model/protocols.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::model {
namespace {

// A line takes 0.1 µs; put 0.1, get 0.2, process_vm 0.15 µs a KiB beside 1 µs a call; two cores take half of the time, and less without the call.
machine round_numbers() {
  machine m;
  m.line = 0.1;
  m.call = 1;
  for (const std::int64_t n : {64, 1024, 4096, 65536, 1 << 20}) {
    const double kib = static_cast<double>(n) / 1024;
    m.put.add(n, 0.1 * kib);
    m.get.add(n, 0.2 * kib);
    m.vm.add(n, 1 + 0.15 * kib);
    m.vm_together.add(n, 1 + 0.075 * kib);
    m.together.add(n, 0.05 * kib);
  }
  return m;
}

TEST(Curve, BetweenBelowAndBeyondWhatWasMeasured) {
  curve c;
  EXPECT_FALSE(c.known());
  EXPECT_EQ(c.at(5), 0);
  c.add(100, 2);
  c.add(300, 6);
  EXPECT_EQ(c.at(100), 2);
  EXPECT_EQ(c.at(200), 4);
  EXPECT_EQ(c.at(10), 2);
  EXPECT_EQ(c.at(600), 12);
  EXPECT_DOUBLE_EQ(c.rate(300), 300 / 6.0 / 1e3);
}

TEST(Predictions, Short) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(m, "short", 8, {}), 0.1);
  // One further line streams behind the first: 64 bytes of 0.2 µs a KiB.
  EXPECT_NEAR(predict(m, "short", 64, {}), 0.1 + 0.2 / 16, 1e-9);
}

TEST(Predictions, EagerCopiesTwice) {
  EXPECT_DOUBLE_EQ(predict(round_numbers(), "eager", 4096, {}), 0.1 + 0.4 + 0.8);
}

TEST(Predictions, SingleCopyByOneSideOrBoth) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(m, "single_copy", 65536, {}), 0.1 + 1 + 0.15 * 64);
  EXPECT_DOUBLE_EQ(predict(m, "single_copy", 65536, {true, 1}), 0.1 + 0.1 + 1 + 0.075 * 64);
  EXPECT_DOUBLE_EQ(predict(m, "both_sides", 65536, {}), predict(m, "single_copy", 65536, {true, 1}));
  // Asking for help costs a line: for little data one side is quicker.
  EXPECT_DOUBLE_EQ(predict(m, "single_copy", 1024, {true, 1}), 0.1 + 1 + 0.15);
}

TEST(Predictions, WhatBothMapIsCopiedByOneOrBoth) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(m, "direct", 65536, {}), 0.3 + 0.05 * 64);
  EXPECT_DOUBLE_EQ(predict(m, "direct", 512, {}), 0.2 + 0.1);  // asking for help costs more than it brings
}

TEST(Predictions, PipelineIsAsFastAsItsSlowerSide) {
  const machine m = round_numbers();
  EXPECT_NEAR(predict(m, "pipelined", 1 << 20, {false, 65536}), 0.3 + 6.4 + 15 * 12.8 + 12.8, 1e-9);
  EXPECT_NEAR(predict(m, "pipelined", 1024, {false, 65536}), 0.3 + 0.1 + 0.2, 1e-9);
  // Without an offer, or with the first block in it.
  for (const char* way : {"at_once", "begun"})
    EXPECT_NEAR(predict(m, way, 1024, {false, 65536}), 0.1 + 0.1 + 0.2, 1e-9);
}

TEST(Predictions, WhatIsNotKnownIsNotPredicted) {
  machine m = round_numbers();
  EXPECT_EQ(predict(m, "by_pigeon", 8, {}), 0);
  m.vm = {};
  EXPECT_EQ(predict(m, "single_copy", 65536, {}), 0);
}

TEST(Efficiencies, MultiplyToTheWhole) {
  const efficiencies e = judge(1, 2, 4);
  EXPECT_EQ(e.implementation, 0.5);
  EXPECT_EQ(e.protocol, 0.5);
  EXPECT_EQ(e.communication, 0.25);
  EXPECT_EQ(judge(1, 0, 4).implementation, 0);
  EXPECT_EQ(judge(1, 0, 4).communication, 0.25);
}

TEST(Limit, OneLineThenTheQuickerOfOneCoreAndTwo) {
  const machine m = round_numbers();
  EXPECT_EQ(limit(m, 0), 0.1);
  EXPECT_EQ(limit(m, 64), 0.1);
  EXPECT_NEAR(limit(m, 65536), 0.1 + 3.2, 1e-9);
  for (const std::int64_t n : {8, 64, 1024, 4096, 65536, 1 << 20})
    for (const char* protocol : {"short", "eager", "single_copy", "pipelined"})
      EXPECT_LE(limit(m, n), predict(m, protocol, n, {true, 32768}) + 1e-9) << protocol << ' ' << n;
}

TEST(Crossing, WhereTheLateOneStaysCheaper) {
  const auto meet = [](std::vector<timed> points) { return crossing(points.data(), points.size()); };
  EXPECT_EQ(meet({}), -1);
  EXPECT_EQ(meet({{1000, 1, 2}, {2000, 2, 3}}), -1);
  EXPECT_EQ(meet({{1000, 2, 1}, {2000, 3, 2}}), 1000);
  EXPECT_EQ(meet({{1000, 1, 2}, {2000, 3, 2}}), 1500);
  EXPECT_EQ(meet({{1000, 1, 2}, {2000, 3, 2}, {4000, 4, 5}, {8000, 9, 8}}),
            6000);  // the first meeting did not last
}

}  // namespace
}  // namespace loadstone::model
