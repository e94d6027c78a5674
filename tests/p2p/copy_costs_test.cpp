// Which way large messages take that both ends wait for, by what copying is measured to cost.
#include "p2p/copy_costs.hpp"

#include <gtest/gtest.h>

namespace loadstone::testing {
namespace {

using p2p::copy_costs;
using way = copy_costs::way;

// A pair of processes, of which the costs are set; nanoseconds for a KiB.
class pair_of_cores {
 public:
  double cells = 40, kernel = 120;

  way message() {
    const way chosen = costs_.choose(rules);
    switch (chosen) {
      case way::cells:
        costs_.settle(1 << 20);
        [[fallthrough]];
      case way::trial:
        for (int part = 0; part < 4; ++part)
          if (costs_.settled(rules)) costs_.through_cells(rules, 1024, cells);
        break;
      case way::kernel:
        costs_.by_kernel(1024, kernel);
        break;
    }
    return chosen;
  }
  // How many of so many messages took that way.
  int count(way which, int messages) {
    int n = 0;
    for (int i = 0; i < messages; ++i) n += message() == which ? 1 : 0;
    return n;
  }
  copy_costs& costs() { return costs_; }
  copy_costs::rules rules;

 private:
  copy_costs costs_;
};

TEST(copy_costs, the_first_go_through_cells_whatever_they_cost) {
  pair_of_cores p;
  p.cells = 10'000;
  EXPECT_EQ(p.count(way::cells, 8), 8);
}

TEST(copy_costs, quick_cells_are_kept_and_the_kernel_is_looked_at) {
  pair_of_cores p;
  p.kernel = 90;
  p.count(way::cells, 8);
  EXPECT_EQ(p.count(way::kernel, 320), 10);
  EXPECT_EQ(p.count(way::trial, 320), 0);
}

// They shall cost a hundredth of the time: a message by the kernel takes 400 / 1.75 / 40 as long, so much more.
TEST(copy_costs, dear_looks_are_rare) {
  pair_of_cores p;
  p.kernel = 400;
  p.count(way::cells, 64);
  const int looks = p.count(way::kernel, 10'000);
  EXPECT_GE(looks, 20);
  EXPECT_LE(looks, 22);
  p.kernel = 1e9;
  EXPECT_GE(p.count(way::kernel, 10'000), 8) << "but a change is seen some time";
}

TEST(copy_costs, what_will_be_chosen_can_be_asked) {
  pair_of_cores p;
  for (int i = 0; i < 500; ++i) {
    const way said = p.costs().next(p.rules);
    ASSERT_EQ(p.message(), said);
    if (i == 250) p.cells = 400;
  }
}

TEST(copy_costs, where_both_copy_the_kernel_is_quicker) {
  pair_of_cores p;
  p.cells = 90;  // less than 120, more than 4/7 of it
  p.count(way::cells, 64);
  EXPECT_EQ(p.count(way::cells, 32), 0);
  pair_of_cores alone;
  alone.cells = 90;
  alone.rules.together = 1;
  alone.count(way::cells, 64);
  EXPECT_EQ(alone.count(way::cells, 32), 31);
}

TEST(copy_costs, a_host_that_moves_the_cores_apart_and_back_is_followed) {
  pair_of_cores p;
  p.count(way::cells, 64);
  p.cells = 400;
  int late = 0;
  while (p.message() == way::cells) ++late;
  EXPECT_LE(late, 2);
  EXPECT_EQ(p.count(way::cells, 320), 0);
  EXPECT_EQ(p.count(way::trial, 320), 10);
  p.cells = 40;
  int until = 0;
  while (p.message() != way::cells) ++until;
  EXPECT_LE(until, 64);
  EXPECT_GE(p.count(way::cells, 320), 300);
}

TEST(copy_costs, one_copy_in_which_the_core_was_lost_changes_nothing) {
  pair_of_cores p;
  p.count(way::cells, 64);
  p.costs().through_cells(p.rules, 1024, 4'000'000);
  EXPECT_NE(p.message(), way::trial);
  EXPECT_GE(p.count(way::cells, 32), 31);
}

TEST(copy_costs, without_looks_what_is_not_known_is_not_chosen) {
  pair_of_cores p;
  p.rules.trial_every = 0;
  p.rules.settle = 0;
  p.cells = 1e6;
  EXPECT_EQ(p.count(way::cells, 100), 100);
}

}  // namespace
}  // namespace loadstone::testing
