#include "launch/departures.hpp"

#include <gtest/gtest.h>

#include <functional>

using namespace loadstone::launch;
using loadstone::memory::process_state;

namespace {

constexpr int second = 1000 / departures::look_every_ms;

rank_view running() {
  rank_view rank;
  rank.state = process_state::initialized;
  return rank;
}

rank_view waiting(std::int32_t peer) {
  rank_view rank = running();
  rank.waits.push_back({300, peer, 0, 0, lasting_ns, {}});
  return rank;
}

// Rank 1 has left. How many looks it takes until it is missed; `looks` at most.
int missed_after(int looks, std::vector<rank_view> ranks,
                 const std::function<void(int, std::vector<rank_view>&)>& go_on) {
  departures d;
  d.add(1);
  ranks[1].ended = true;
  for (int i = 1; i <= looks; ++i) {
    go_on(i, ranks);
    if (d.missed(ranks)) return i;
  }
  return looks;
}

TEST(departures, who_waits_for_it_misses_it_at_once) {
  EXPECT_EQ(missed_after(second, {waiting(1), running(), running()}, [](int, auto&) {}), 1);
}

TEST(departures, who_computes_does_not) {
  EXPECT_EQ(missed_after(100 * second, {running(), running(), waiting(0)}, [](int, auto&) {}), 100 * second);
}

TEST(departures, polls_in_vain_are_believed_after_ten_seconds) {
  EXPECT_EQ(
      missed_after(100 * second, {running(), running(), waiting(0)}, [](int, auto& r) { r[0].polls += 77; }),
      10 * second);
}

TEST(departures, so_are_rare_ones) {
  EXPECT_EQ(
      missed_after(100 * second, {running(), running()}, [](int i, auto& r) { r[0].polls += i % 3 == 0; }),
      30 * second);
}

TEST(departures, polls_that_find_something_are_none_in_vain) {
  EXPECT_EQ(missed_after(100 * second, {running(), running(), running()},
                         [](int i, auto& r) {
                           r[0].polls += 77, r[2].polls += 3;
                           if (i % (9 * second) == 0) ++r[0].moved;
                         }),
            100 * second);
}

TEST(departures, nor_are_those_of_one_that_computes_now) {
  EXPECT_EQ(missed_after(100 * second, {running(), running(), running()},
                         [](int i, auto& r) {
                           if (i <= 20 * second) r[0].polls += 77;
                           if (i == 20 * second + 6) r[2] = waiting(0);  // what rank 0 will find is under way
                         }),
            100 * second);
}

}  // namespace
