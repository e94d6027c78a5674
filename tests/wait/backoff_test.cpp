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
  EXPECT_EQ(choose_policy(2, 3).yields, 5u);
  EXPECT_EQ(choose_policy(2, 3).spin_ns, 1000u);
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
  EXPECT_EQ(until_sleep(few).yields, 5);
  EXPECT_EQ(until_sleep(few).yields, 5) << "the next wait begins anew";
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
