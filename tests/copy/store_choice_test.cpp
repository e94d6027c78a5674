#include "copy/store_choice.hpp"

#include <gtest/gtest.h>

namespace loadstone::copy {
namespace {

struct machine {
  std::uint64_t through, past;  // ns for 64 lines
};
constexpr std::size_t payload = 4096;

// So many payloads; how many went past the caches.
int sent(store_choice& stores, int payloads, machine m) {
  int past = 0;
  for (int i = 0; i < payloads; ++i) {
    const store_choice::plan plan = stores.next();
    past += plan.way == store_way::past ? 1 : 0;
    if (plan.timed) stores.took(plan.way, payload, plan.way == store_way::past ? m.past : m.through);
  }
  return past;
}

TEST(store_choice, go_through_the_caches_unless_that_is_several_times_dearer) {
  const machine near{160, 200}, far{1600, 200};
  store_choice stores;
  EXPECT_LE(sent(stores, 1280, near), 10) << "now and then, to see";
  sent(stores, 64, far);
  EXPECT_EQ(stores.better(), store_way::past);
  EXPECT_GE(sent(stores, 1280, far), 1270);
  sent(stores, 2 * store_choice::other_every, near);
  EXPECT_EQ(stores.better(), store_way::through) << "the host has moved us back";
  EXPECT_LE(sent(stores, 1280, near), 10);
}

TEST(store_choice, dear_looks_are_rare_but_the_way_back_is_not) {
  store_choice stores;
  sent(stores, 1280, {160, 160 * 11});
  EXPECT_LE(sent(stores, 12'800, {160, 160 * 11}), 13) << "each takes as long as ten more";
  EXPECT_GE(sent(stores, 12'800, {160, 160 * 11}), 11);
  sent(stores, 128, {160 * 100, 160 * 11});  // one in eight is timed, and adds a quarter at most
  EXPECT_EQ(stores.better(), store_way::past);
  sent(stores, 2 * store_choice::other_every, {160, 160 * 11});
  EXPECT_EQ(stores.better(), store_way::through);
}

TEST(store_choice, an_interruption_changes_nothing) {
  store_choice stores;
  sent(stores, 1280, {160, 200});
  stores.took(store_way::through, payload, 5'000'000);
  EXPECT_EQ(stores.better(), store_way::through);
  sent(stores, 64, {160, 200});
  EXPECT_EQ(stores.better(), store_way::through);
}

TEST(store_choice, where_they_cost_less_than_twice_as_much_the_caches_are_kept) {
  store_choice stores;
  sent(stores, 1280, {380, 200});
  EXPECT_EQ(stores.better(), store_way::through);
}

}  // namespace
}  // namespace loadstone::copy
