#include "launch/departures.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "launch/rank_views.hpp"

using namespace loadstone::launch;
using loadstone::memory::process_state;

namespace {

constexpr int second = 1000 / departures::check_every_ms;

using without = departures::without;

// Rank 1 has left. How many checks it takes until it is missed; `checks` at most.
int missed_after(int checks, std::vector<rank_view> ranks,
                 const std::function<void(int, std::vector<rank_view>&)>& go_on,
                 without what = without::finalize) {
  departures d;
  d.add(1, what);
  ranks[1].ended = true;
  if (what == without::init) ranks[1].state = process_state::free;
  for (int i = 1; i <= checks; ++i) {
    go_on(i, ranks);
    const auto missed = d.missed(ranks);
    if (!missed) continue;
    EXPECT_EQ(*missed, 1u);
    return i;
  }
  return checks;
}

const auto nothing = [](int, auto&) {};

// A part of the job of which no rank calls MPI_Init.
std::vector<rank_view> beside_another_program(std::vector<rank_view> ranks) {
  for (rank_view& rank : ranks) rank.application = 1;
  ranks[1].application = 0;
  return ranks;
}

TEST(departures, who_waits_for_it_misses_it_at_once) {
  EXPECT_EQ(missed_after(second, {waiting(1), running(), running()}, [](int, auto&) {}), 1);
}

TEST(departures, who_is_awake_in_its_wait_may_go_on) {
  rank_view awake = waiting(1);
  awake.waits[0].awake = true;
  EXPECT_EQ(missed_after(100 * second, {awake, running(), waiting(0)}, nothing), 100 * second);
}

TEST(departures, who_computes_does_not) {
  EXPECT_EQ(missed_after(100 * second, {running(), running(), waiting(0)}, [](int, auto&) {}), 100 * second);
}

TEST(departures, polls_in_vain_are_believed_after_ten_seconds) {
  EXPECT_EQ(
      missed_after(100 * second, {running(), running(), waiting(0)}, [](int, auto& r) { r[0].polls += 77; }),
      10 * second + 1);
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

// Their sleeps are longer than any poll is believed alone, and never end together.
TEST(departures, several_who_sleep_in_turn_between_their_polls_miss_it) {
  EXPECT_EQ(missed_after(1000 * second, {running(), running(), running(), waiting(0)},
                         [](int i, auto& r) { r[0].polls += i % 14 == 0, r[2].polls += i % 14 == 7; }),
            100 * 14);
  EXPECT_EQ(missed_after(1000 * second, {running(), running(), running()},
                         [](int i, auto& r) { r[0].polls += i % 3 == 0, r[2].polls += i % 31 == 0; }),
            100 * 31);
}

TEST(departures, but_not_when_one_of_them_has_begun_to_compute) {
  EXPECT_EQ(missed_after(1000 * second, {running(), running(), running()},
                         [](int i, auto& r) {
                           if (i <= 20 * second) ++r[0].polls;
                           r[2].polls += i % 7 == 0;
                         }),
            1000 * second);
}

TEST(departures, nothing_is_known_while_others_come_and_go) {
  EXPECT_EQ(missed_after(100 * second, {running(), running(), running()},
                         [](int i, auto& r) {
                           r[0].polls += 77;
                           r[2] = i / (9 * second) % 2 == 0 ? waiting(0) : running();
                         }),
            100 * second);
}

TEST(departures, one_without_init_is_missed_by_who_waits_for_it) {
  EXPECT_EQ(missed_after(second, {waiting(1), running(), running()}, nothing, without::init), 1);
  EXPECT_EQ(missed_after(second, beside_another_program({waiting(1), running(), running()}), nothing,
                         without::init),
            1);
  EXPECT_EQ(missed_after(second, beside_another_program({waiting(1), running(), waiting(0)}), nothing,
                         without::init),
            1);
}

TEST(departures, one_without_init_is_missed_by_all_who_wait_and_poll_in_its_program) {
  EXPECT_EQ(missed_after(second, {waiting(-1), running(), waiting(-2)}, nothing, without::init), 1);
  EXPECT_EQ(missed_after(
                100 * second, {waiting(-1), running(), running()}, [](int, auto& r) { ++r[2].polls; },
                without::init),
            10 * second + 1);
}

// A thread of each serves, and others compute, say.
TEST(departures, another_program_that_has_ended_is_not_missed_by_them) {
  EXPECT_EQ(missed_after(
                100 * second, beside_another_program({waiting(-1), running(), running(), waiting(-2)}),
                [](int, auto& r) { ++r[2].polls; }, without::init),
            100 * second);
}

TEST(departures, one_without_init_is_not_to_blame_for_others_who_wait_for_each_other) {
  EXPECT_EQ(missed_after(100 * second, {waiting(2), running(), waiting(0)}, nothing, without::init),
            100 * second);
  EXPECT_EQ(missed_after(100 * second, {waiting(2), running(), waiting(0)}, nothing), 1);
}

TEST(departures, the_one_that_is_waited_for_is_blamed) {
  departures d;
  std::vector<rank_view> ranks = {running(), running(), running(), waiting(2)};
  for (const std::uint32_t gone : {0u, 1u, 2u}) ranks[gone].ended = true;
  ranks[0].state = process_state::free;
  d.add(0, without::init);
  d.add(1, without::finalize);
  d.add(2, without::finalize);
  EXPECT_EQ(d.missed(ranks), 2u);
  ranks[3] = waiting(0);
  EXPECT_EQ(d.missed(ranks), 0u);
  EXPECT_EQ(d.warning(4),
            "mpiexec: warning: ranks 1, 2 of 4 exited with status 0 without calling "
            "MPI_Finalize. No other rank missed them.\n");
}

TEST(departures, nothing_is_said_of_one_without_init) {
  departures d;
  d.add(0, without::init);
  EXPECT_TRUE(d.any());
  EXPECT_EQ(d.warning(2), "");
}

}  // namespace
