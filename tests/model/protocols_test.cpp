// Predictions on a machine made up for the purpose: every cost is a round number.
#include "model/protocols.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace loadstone::model::protocols_test {
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

constexpr reach alone{.cores = false, .both = false}, shared{.source_mapped = true, .target_mapped = true};

TEST(Predictions, Short) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(way::short_message, 8, m, {}), 0.1);
  // One further line streams behind the first: 64 bytes of 0.2 µs a KiB.
  EXPECT_NEAR(predict(way::short_message, 64, m, {}), 0.1 + 0.2 / 16, 1e-9);
}

TEST(Predictions, EagerCopiesTwiceAndAtTheSameTimeWhereEachHasACore) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(way::eager, 4096, m, alone), 0.1 + 0.4 + 0.8);
  EXPECT_DOUBLE_EQ(predict(way::eager, 4095, m, {}), predict(way::eager, 4095, m, alone)) << "nobody follows";
  // Parts of 16 KiB: 1.6 in, 3.2 out.
  EXPECT_NEAR(predict(way::eager, 65536, m, {}), 0.1 + 1.6 + 4 * 3.2, 1e-9);
  machine strings = m;
  strings.strings = true;
  EXPECT_NEAR(predict(way::eager, 16384, strings, {}), 0.1 + 0.8 + 2 * 1.6, 1e-9) << "two parts";
  EXPECT_NEAR(predict(way::eager, 16384, m, {}), 0.1 + 0.4 + 4 * 0.8, 1e-9) << "four parts";
}

TEST(Predictions, SingleCopyByOneSideOrBoth) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(way::single_copy, 65536, m, {}), 0.1 + 1 + 0.15 * 64);
  EXPECT_DOUBLE_EQ(predict(way::both_sides, 65536, m, {}), 0.2 + 1 + 0.075 * 64);
  EXPECT_EQ(predict(way::both_sides, 65536, m, alone), 0);
  EXPECT_EQ(predict(way::single_copy, 65536, m, {.kernel = false}), 0);
  // Asking for help costs a line: for little data one side is quicker.
  EXPECT_LT(predict(way::single_copy, 64, m, {}), predict(way::both_sides, 64, m, {}));
  EXPECT_DOUBLE_EQ(predict("single_copy", 65536, m, {}), predict(way::single_copy, 65536, m, {}));
  EXPECT_DOUBLE_EQ(predict("both_sides", 65536, m, {}), predict(way::both_sides, 65536, m, {}));
}

TEST(Predictions, WhatCanBeMappedIsCopiedOnce) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(way::direct_both, 65536, m, shared), 0.3 + 0.05 * 64);
  EXPECT_DOUBLE_EQ(predict(way::direct, 65536, m, shared), 0.2 + 0.2 * 64);
  EXPECT_DOUBLE_EQ(predict(way::push, 65536, m, shared), 0.3 + 0.1 * 64);
  EXPECT_EQ(predict(way::direct, 65536, m, {.target_mapped = true}), 0);
  EXPECT_EQ(predict(way::push, 65536, m, {.source_mapped = true}), 0);
  EXPECT_EQ(predict(way::direct_both, 65536, m, {.source_mapped = true}), 0);
  EXPECT_DOUBLE_EQ(predict("direct", 512, m, shared), 0.2 + 0.1);
}

TEST(Predictions, WhoHasBeenToldOfTheReceiveCopiesAlone) {
  const machine m = round_numbers();
  EXPECT_DOUBLE_EQ(predict(way::advert, 1 << 20, m, {.told = true}), 0.1 + 1 + 0.15 * 1024);
  EXPECT_DOUBLE_EQ(predict(way::advert, 1 << 20, m, {.target_mapped = true, .told = true}), 0.1 + 0.1 * 1024);
  EXPECT_DOUBLE_EQ(predict("advert", 1 << 20, m, {.told = true}),
                   predict(way::advert, 1 << 20, m, {.told = true}));
  EXPECT_EQ(predict(way::advert, 1 << 20, m, {}), 0);
  EXPECT_EQ(predict(way::advert, 1 << 20, m, {.kernel = false, .told = true}), 0);
  EXPECT_GT(predict(way::advert, 1 << 20, m, {.kernel = false, .target_mapped = true, .told = true}), 0);
}

TEST(Predictions, PipelineIsAsFastAsItsSlowerSide) {
  const machine m = round_numbers();
  EXPECT_NEAR(predict(way::pipelined, 1 << 20, m, {}), 0.3 + 1.6 + 63 * 3.2 + 3.2, 1e-9);
  EXPECT_NEAR(predict(way::pipelined, 1024, m, {}), 0.3 + 0.1 + 0.2, 1e-9);
  EXPECT_NEAR(predict(way::at_once, 1024, m, {}), 0.1 + 0.1 + 0.2, 1e-9) << "without an offer";
}

TEST(Predictions, WhatIsNotKnownIsNotPredictedAndSaysWhy) {
  machine m = round_numbers();
  EXPECT_EQ(predict("by_pigeon", 8, m, {}), 0);
  EXPECT_EQ(predict(way::short_message, 81, m, {}), 0);
  EXPECT_EQ(predict(way::eager, 256 * 1024 + 1, m, {}), 0);
  EXPECT_GT(predict("eager", 256 * 1024 + 1, m, {}), 0) << "it has been taken";
  m.vm = {};
  EXPECT_EQ(predict(way::single_copy, 65536, m, {}), 0);
  for (std::size_t w = 0; w < ways; ++w)
    for (const reach& r :
         {reach{}, alone, shared, reach{.kernel = false}, reach{.source_mapped = true}, reach{.told = true}})
      for (const std::int64_t n : {8, 4096, 1 << 20}) {
        const bool known = predict(static_cast<way>(w), n, m, r) > 0;
        EXPECT_EQ(known, why_not(static_cast<way>(w), n, m, r).empty())
            << name_of(static_cast<way>(w)) << ' ' << n;
      }
}

TEST(Choice, TheQuickestFirstAndWhatIsNotPossibleLast) {
  const machine m = round_numbers();
  for (const reach& r : {reach{}, alone, shared})
    for (std::int64_t n = 1; n <= 1 << 24; n *= 4) {
      const auto all = choose(n, m, r);
      bool seen[ways] = {};
      for (std::size_t i = 0; i < ways; ++i) {
        EXPECT_FALSE(std::exchange(seen[static_cast<std::size_t>(all[i].which)], true));
        EXPECT_EQ(all[i].time, predict(all[i].which, n, m, r));
        if (i > 0 && all[i].time > 0) {
          EXPECT_GT(all[i - 1].time, 0);
          EXPECT_LE(all[i - 1].time, all[i].time);
        }
      }
    }
  EXPECT_EQ(choose(8, m, {})[0].which, way::short_message);
  EXPECT_EQ(choose(1 << 20, m, {})[0].which, way::both_sides);
  EXPECT_EQ(choose(1 << 20, m, alone)[0].which, way::single_copy);
  EXPECT_EQ(choose(1 << 20, m, shared)[0].which, way::direct_both);
  EXPECT_EQ(choose(1 << 20, m, {.kernel = false})[0].which, way::pipelined);
}

TEST(Thresholds, WhereTheWaysMeet) {
  const machine m = round_numbers();
  // The kernel by both sides: 1.2 µs and 0.075 a KiB; a cell: 0.1 µs, a part, and 0.2 a KiB. 8 KiB: 1.8 and 1.9.
  const thresholds t = thresholds_of(m);
  EXPECT_EQ(t.eager, 4096);
  EXPECT_EQ(t.direct, 4096) << "two that copy 0.05 a KiB are always quicker, but a page is not asked for";
  EXPECT_EQ(t.pipeline, 16384) << "with 3.7 for 2.4 µs they may still be quicker, with 7.3 for 3.6 not";
  machine slow = m;  // ... or never
  slow.vm = slow.vm_together = {};
  EXPECT_EQ(thresholds_of(slow).eager, thresholds::most_unasked);
  EXPECT_EQ(thresholds_of(slow).pipeline, thresholds::unbounded);
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
    for (const char* protocol : {"short", "eager", "single_copy", "pipelined", "direct"})
      EXPECT_LE(limit(m, n), predict(protocol, n, m, shared) + 1e-9) << protocol << ' ' << n;
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
}  // namespace loadstone::model::protocols_test
