#include "wait/backoff.hpp"

#include <gtest/gtest.h>

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
      case advice::look_again:
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
  EXPECT_EQ(choose_policy(2, 3).yields, 100u);
  EXPECT_EQ(choose_policy(2, 3).spin_ns, 0u);
  setenv("LOADSTONE_WAIT", "block", 1);
  EXPECT_EQ(choose_policy_from_environment(2, 2).how, mode::block);
  setenv("LOADSTONE_WAIT", "spin", 1);
  EXPECT_EQ(choose_policy_from_environment(2, 2).how, mode::spin);
  setenv("LOADSTONE_WAIT", "something else", 1);
  EXPECT_EQ(choose_policy_from_environment(2, 2).how, mode::adaptive);
  unsetenv("LOADSTONE_WAIT");
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
  int looks = 0;
  while (b.next() == advice::look_again) ++looks;
  return looks;
}

TEST(backoff, is_patient_while_answers_come_from_beside) {
  backoff b(choose_policy(2, 3));
  const auto patient_of = [&](int waits) {
    int patient = 0;
    for (int i = 0; i < waits; ++i) patient += looks_before_yield(b) > 8 ? 1 : 0;
    return patient;
  };
  EXPECT_EQ(patient_of(80), 10) << "now and then, to see whether it pays";
  const auto answered_at = [&](int look) {
    b.restart();
    for (int i = 0; i < look; ++i)
      if (b.next() == advice::yield) return false;
    return true;
  };
  for (int tries = 0; !answered_at(6); ++tries) ASSERT_LT(tries, 9);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(answered_at(6)) << i;
  EXPECT_EQ(patient_of(80), 4 + 9) << "not much longer than it pays";
  backoff alone(choose_policy(1, 2));
  for (int i = 0; i < 100; ++i) EXPECT_LE(looks_before_yield(alone), 2);
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
    while (what == advice::look_again) what = b.next();
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

// How long it looks, in ns, each look taking 100 ns, before it wants to sleep; the wait ends after `length`.
std::uint64_t looks_for(backoff& b, std::uint64_t length) {
  const std::uint64_t begin = fake_now;
  std::uint64_t looked = 0;
  while (fake_now - begin < length) {
    fake_now += 100;
    if (looked != 0) continue;  // asleep
    if (b.next() == advice::sleep) looked = fake_now - begin;
  }
  b.restart();
  fake_now += 1'000'000;  // the owner computes: of no concern
  return looked == 0 ? length : looked;
}

TEST(backoff, looks_on_while_recent_waits_were_short) {
  backoff b(choose_policy(2, 2), fake_clock);
  EXPECT_LT(looks_for(b, 100'000), 40'000u) << "nothing is known yet";
  for (int i = 0; i < 10; ++i) looks_for(b, 100'000);
  EXPECT_EQ(looks_for(b, 100'000), 100'000u);
  EXPECT_EQ(looks_for(b, 150'000), 150'000u);
  const std::uint64_t in_vain = looks_for(b, 2'000'000);
  EXPECT_GT(in_vain, 150'000u);
  EXPECT_LT(in_vain, 250'000u);
  for (int i = 0; i < 4; ++i) looks_for(b, 2'000'000);
  EXPECT_LT(looks_for(b, 2'000'000), 40'000u) << "long waits are slept through again";
}

TEST(backoff, learns_nothing_with_too_few_cores) {
  backoff b(choose_policy(1, 2), fake_clock);
  for (int i = 0; i < 10; ++i) EXPECT_LT(looks_for(b, 100'000), 20'000u);
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
    EXPECT_EQ(looks, p.free_looks);
    EXPECT_FALSE(b.next_is_free());
    EXPECT_TRUE(b.begun());
    EXPECT_EQ(b.next(), advice::look_again) << "it goes on from there";
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

}  // namespace
}  // namespace loadstone::wait
