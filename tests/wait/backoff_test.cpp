#include "wait/backoff.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

namespace loadstone::wait {
namespace {

struct tally {
  int looks = 0, yields = 0;
};

// Follows the advice until it is to sleep.
tally until_sleep(backoff& b) {
  tally t;
  b.restart();
  for (;;) {
    switch (b.next()) {
      case advice::poll_again:
        ++t.looks;
        break;
      case advice::yield:
        ++t.yields;
        break;
      case advice::sleep:
        return t;
    }
  }
}

TEST(policy, cores_against_processes) {
  EXPECT_EQ(choose_policy(2, 2).yields, 0u);
  EXPECT_EQ(choose_policy(2, 2).spin_ns, 20'000u);
  EXPECT_EQ(choose_policy(2, 2).most_awake(), 0u)
      << "a thread that waits would take the core of one that does not";
  EXPECT_EQ(choose_policy(9, 2).threads, 4u);
  EXPECT_EQ(choose_policy(9, 2).most_awake(), 16u);
  EXPECT_EQ(choose_policy(9, 2, mode::adaptive, 3).threads, 3u);
  EXPECT_EQ(choose_policy(9, 2, mode::adaptive, 1).most_awake(), 0u) << "bound to one core";
  EXPECT_EQ(choose_policy(2, 3).most_awake(), 0u);
  EXPECT_EQ(choose_policy(2, 3).yields, 100u);
  EXPECT_EQ(choose_policy(2, 3).spin_ns, 0u);
  EXPECT_EQ(choose_policy(2, 2).how, mode::adaptive);
  EXPECT_EQ(choose_policy(2, 3, mode::block).how, mode::block);
}

TEST(backoff, yields_only_with_too_few_cores) {
  backoff enough(choose_policy(2, 2)), few(choose_policy(1, 2));
  EXPECT_EQ(until_sleep(enough).yields, 0);
  EXPECT_EQ(until_sleep(few).yields, 100);
  EXPECT_EQ(until_sleep(few).yields, 100) << "the next wait begins anew";
  EXPECT_LE(until_sleep(few).looks, 2) << "one that may be waiting for this core gets it at once";
}

// Looks before the first yield of a wait that ends with it.
int looks_before_yield(backoff& b) {
  b.restart();
  b.begin(false);
  int looks = 0;
  while (b.next() == advice::poll_again) ++looks;
  return looks;
}

// Keeps this thread where it is: the kernel could move it between two looks.
class bound_here {
 public:
  bound_here() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~bound_here() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

TEST(backoff, is_patient_with_those_only_that_run_beside_us) {
  const bound_here here;
  presence_word mine, peer;
  backoff b(choose_policy(2, 3));
  b.say_presence(&mine);
  const auto looks_for = [&](std::uint32_t word) {
    peer = word;
    b.wait_for(&peer, true);
    return looks_before_yield(b);
  };
  constexpr std::uint32_t gone = 0x8000'0000, another = 10'000;
  EXPECT_GT(looks_for(another), 8) << "it runs on another core";
  EXPECT_LE(looks_for(another | gone), 2) << "it has given that away";
  EXPECT_LE(looks_for(mine), 2) << "it would have to run on ours";
  EXPECT_LE(looks_for(mine | gone), 2);
  EXPECT_LE(looks_for(presence::nowhere), 2) << "it does not say";
  b.wait_for(nullptr, true);
  EXPECT_LE(looks_before_yield(b), 2) << "nobody in particular";
}

TEST(backoff, says_when_it_runs) {
  presence_word mine = 0;
  backoff b(choose_policy(2, 3));
  b.say_presence(&mine);
  EXPECT_NE(mine, presence::nowhere);
  EXPECT_EQ(mine, presence::core_of(mine));
  b.leave();
  EXPECT_NE(mine, presence::core_of(mine)) << "away";
  b.yield();
  EXPECT_EQ(mine, presence::core_of(mine)) << "back";
}

std::uint64_t fake_now, every_look_at_it = 0;
std::uint64_t fake_clock() {
  return fake_now += every_look_at_it;
}

// The number of waits that do not yield before the first that does.
int waits_without_yield(backoff& b) {
  for (int waits = 0;; ++waits) {
    b.restart();
    advice what = b.next();
    while (what == advice::poll_again) what = b.next();
    if (what == advice::yield) return waits;
  }
}

TEST(backoff, a_slow_yield_is_followed_by_waits_without) {
  backoff b(choose_policy(1, 2), fake_clock);
  int before = 0;
  for (int i = 0; i < 12; ++i) {  // a computing process on this core, for long
    every_look_at_it = 2'000'000;
    b.yield();
    every_look_at_it = 0;
    const int waits = waits_without_yield(b);
    EXPECT_TRUE(waits > before || waits >= 1000) << "the more slow yields in a row, the fewer yields; " << i;
    before = waits;
  }
  EXPECT_LT(before, 2000);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(until_sleep(b).yields, 100);
  every_look_at_it = 2'000'000;
  b.yield();
  every_look_at_it = 0;
  EXPECT_LT(waits_without_yield(b), 32) << "it went away";
}

// Waits that need a yield, until it has had enough of its peer's company; -1: more than `most`.
// `others`: messages that come before the one that ends the wait.
int waits_until_crowded(backoff& b, const presence_word& peer, int most, bool goes_first = true,
                        int others = 0) {
  b.wait_for(&peer, goes_first);
  for (int waits = 1; waits <= most; ++waits) {
    (void)looks_before_yield(b);
    if (b.cores().crowded()) return waits;
    b.yield();
    for (int i = 0; i < others; ++i) b.restart();
    b.end();
  }
  return -1;
}

TEST(backoff, notices_that_it_changes_places_with_its_peer) {
  const bound_here here;
  presence_word mine, peer, elsewhere = 10'000;
  backoff b(choose_policy(2, 3), fake_clock);
  b.say_presence(&mine);
  const auto crowded_after = [&](int most, bool goes_first = true, int others = 0) {
    peer = mine.load();
    return waits_until_crowded(b, peer, most, goes_first, others);
  };
  EXPECT_EQ(crowded_after(1000, true, 1), -1) << "it gathers messages of many";
  EXPECT_EQ(waits_until_crowded(b, elsewhere, 1000), -1);
  const int first = crowded_after(1000), second = crowded_after(1000);
  EXPECT_GE(first, 64);
  EXPECT_GT(second, first) << "it did not help";
  EXPECT_EQ(waits_until_crowded(b, elsewhere, 1000), -1);
  EXPECT_LT(crowded_after(1000), second) << "it did for a while";
  EXPECT_EQ(waits_until_crowded(b, elsewhere, 1000), -1);
  EXPECT_GT(crowded_after(1000, false), first) << "its peer goes first";
  EXPECT_EQ(waits_until_crowded(b, elsewhere, 1000), -1);
  every_look_at_it = 200'000;
  EXPECT_EQ(crowded_after(1000), -1) << "somebody computes there";
  every_look_at_it = 0;
}

// How long it looks, in ns, each look taking 100 ns, before it goes to sleep, when a sleep costs so
// much; *yields: how often it gives the core away meanwhile.
std::uint64_t looks_for(backoff& b, std::uint64_t sleep_costs, int* yields = nullptr) {
  b.restart();
  const std::uint64_t begin = fake_now;
  for (;;) {
    fake_now += 100;
    const advice what = b.next();
    if (what == advice::yield && yields != nullptr) ++*yields;
    if (what == advice::sleep && !b.polls_on(policy::poll_ns(sleep_costs))) return fake_now - begin;
  }
}

TEST(backoff, looks_for_as_long_as_a_sleep_costs) {
  backoff b(choose_policy(2, 2), fake_clock);
  constexpr std::uint64_t free = 13'000 + 1000;
  for (std::uint64_t costs : {0u, 6000u, 100'000u, 200'000u, 1'000'000u, 6000u}) {
    EXPECT_GE(looks_for(b, costs), policy::poll_ns(costs));
    EXPECT_LT(looks_for(b, costs), policy::poll_ns(costs) + free);
  }
}

TEST(backoff, does_not_look_on_with_too_few_cores_or_when_told_to_block) {
  backoff few(choose_policy(1, 2), fake_clock);
  EXPECT_LT(looks_for(few, 200'000), 20'000u);
  policy p;
  p.how = mode::block;
  backoff block(p, fake_clock);
  EXPECT_EQ(looks_for(block, 200'000), 100u);
}

// After a slow yield the core is kept, but as long is looked: two that answer each other would fall
// asleep otherwise.
TEST(backoff, looks_as_long_without_yields_after_a_slow_one) {
  backoff b(choose_policy(2, 2), fake_clock);
  int yields = 0;
  const std::uint64_t usual = looks_for(b, 200'000, &yields);
  EXPECT_GT(yields, 10);
  every_look_at_it = 2'000'000;
  b.yield();
  every_look_at_it = 0;
  yields = 0;
  EXPECT_EQ(looks_for(b, 200'000, &yields), usual);
  EXPECT_EQ(yields, 0);
  backoff another(choose_policy(2, 2), fake_clock);
  another.learn_from(b);
  EXPECT_EQ(looks_for(another, 200'000, &yields), usual);
  EXPECT_EQ(yields, 0);
  for (int i = 0; i < 16; ++i) looks_for(b, 200'000);
  looks_for(b, 200'000, &yields);
  EXPECT_GT(yields, 10) << "it went away";
}

TEST(backoff, a_wait_begins_with_looks_that_are_free) {
  policy p;
  backoff b(p);
  EXPECT_FALSE(b.begun());
  for (int wait = 0; wait < 2; ++wait) {
    b.begin(false);
    EXPECT_TRUE(b.begun());
    std::uint32_t looks = 0;
    while (b.next_is_free()) ++looks;
    EXPECT_EQ(looks, p.free_polls);
    EXPECT_FALSE(b.next_is_free());
    EXPECT_TRUE(b.begun());
    EXPECT_EQ(b.next(), advice::poll_again) << "it goes on from there";
    b.end();
    EXPECT_FALSE(b.begun());
  }
  p.how = mode::block;
  EXPECT_FALSE(backoff(p).next_is_free());
}

TEST(backoff, block_sleeps_at_once_and_spin_never) {
  policy p;
  p.how = mode::block;
  backoff block(p);
  EXPECT_EQ(until_sleep(block).looks, 0);
  p.how = mode::spin;
  p.spin_ns = 1000;
  backoff spin(p);
  spin.restart();
  for (int i = 0; i < 100'000; ++i) ASSERT_NE(spin.next(), advice::sleep);
}

std::uint64_t yield_took = 0;  // by the clock of the next test, which is read around each
std::uint64_t clock_of_yields() {
  static std::uint64_t now = 0;
  return now += yield_took;
}

TEST(backoff, looks_around_after_many_quick_yields) {
  backoff b(choose_policy(1, 2), clock_of_yields);
  const auto yield = [&](int times, std::uint64_t ns) {
    yield_took = ns;
    for (int i = 0; i < times; ++i) b.yield();
  };
  ASSERT_TRUE(b.may_yield());
  EXPECT_FALSE(backoff(choose_policy(2, 2)).may_yield()) << "there are enough cores";
  yield(127, 1000);
  EXPECT_FALSE(b.cores().may_look_around(4));
  yield(1, 1000);
  EXPECT_TRUE(b.cores().may_look_around(4));
  EXPECT_FALSE(b.cores().may_look_around(4)) << "once";
  b.cores().moved();
  yield(255, 1000);
  EXPECT_FALSE(b.cores().may_look_around(4)) << "later after a move";
  EXPECT_TRUE(b.may_yield());
  yield(1, wait::policy::slow_yield_ns + 1);
  EXPECT_FALSE(b.may_yield()) << "a slow one stops them";
  yield(255, 1000);
  EXPECT_FALSE(b.cores().may_look_around(4)) << "and is counted from";
  yield(1, 1000);
  EXPECT_FALSE(b.cores().may_look_around(100)) << "so many are dearer to look at";
  EXPECT_TRUE(b.cores().may_look_around(4));
  yield(36, 100'000);
  EXPECT_FALSE(b.cores().may_look_around(4));
  yield(1, 100'000);
  EXPECT_TRUE(b.cores().may_look_around(4)) << "fewer that take longer are as much time";
}

}  // namespace
}  // namespace loadstone::wait
