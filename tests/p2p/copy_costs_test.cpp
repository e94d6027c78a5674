// Which way large messages take that both ends wait for, by how long they take.
#include "p2p/copy_costs.hpp"

#include <gtest/gtest.h>

namespace loadstone::testing {
namespace {

using p2p::copy_costs;
using way = copy_costs::way;

// One end of a pair of processes that exchange messages, whose costs are set; nanoseconds for a KiB.
class pair_of_cores {
 public:
  double cells = 40, kernel = 120;
  // The kernel's copy finds the caches as cells have left them, for so many messages.
  double after_cells = 0;
  int memory = 0;

  way message(std::int64_t bytes = 1 << 20) {
    const way chosen = costs_.choose(rules, bytes);
    double cost = cells;
    if (chosen == way::cells) {
      before_ = memory;
    } else {
      cost = before_ > 0 ? kernel + after_cells : kernel;
      if (before_ > 0) --before_;
    }
    // Sent and received at the same time.
    costs_.begins(bytes, now_);
    costs_.begins(bytes, now_ + 100);
    costs_.goes(chosen);
    now_ += static_cast<std::uint64_t>(2 * cost * static_cast<double>(bytes) / 1024);
    costs_.ends(rules, now_ - 100);
    costs_.ends(rules, now_);
    now_ += 50'000'000;  // the program computes
    return chosen;
  }
  // How many of so many messages took that way.
  int count(way which, int messages) {
    int n = 0;
    for (int i = 0; i < messages; ++i) n += message() == which ? 1 : 0;
    return n;
  }
  void settle() { count(way::cells, 64); }
  copy_costs& costs() { return costs_; }
  copy_costs::rules rules;

 private:
  copy_costs costs_;
  int before_ = 0;
  std::uint64_t now_ = 1000;
};

TEST(copy_costs, the_first_go_through_cells_whatever_they_cost) {
  pair_of_cores p;
  p.cells = 10'000;
  EXPECT_EQ(p.count(way::cells, 8), 8);
}

TEST(copy_costs, the_quicker_way_is_found_soon) {
  pair_of_cores p;
  p.cells = 120;
  p.kernel = 90;
  p.settle();
  EXPECT_EQ(p.count(way::kernel, 24), 24);
  pair_of_cores q;
  q.cells = 90;
  q.settle();
  EXPECT_EQ(q.count(way::cells, 24), 24);
}

// They shall cost a fiftieth of the time, whichever way is the quicker one.
TEST(copy_costs, trials_are_rare) {
  for (bool quick_cells : {true, false}) {
    for (double dearer : {1.2, 2.0, 4.0}) {
      pair_of_cores p;
      p.cells = quick_cells ? 100 : 100 * dearer;
      p.kernel = quick_cells ? 100 * dearer : 100;
      p.settle();
      const int tried = p.count(quick_cells ? way::kernel : way::cells, 10'000);
      EXPECT_GT(tried, 0);
      EXPECT_LE(tried * (dearer - 1), 10'000 * 0.025) << dearer;
    }
  }
}

TEST(copy_costs, a_dear_trial_is_given_up) {
  pair_of_cores p;
  p.settle();
  int longest = 0, now = 0;
  for (int i = 0; i < 4000; ++i) {
    now = p.message() == way::kernel ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  EXPECT_EQ(longest, 3) << "two that do not count, and one";
}

// A single message would not show what the kernel's copy costs as a rule.
TEST(copy_costs, a_trial_is_long_enough_to_fill_the_caches) {
  pair_of_cores p;
  p.cells = 100;
  p.kernel = 70;
  p.after_cells = 200;
  p.memory = 2;
  p.settle();
  EXPECT_EQ(p.count(way::kernel, 32), 32);
}

TEST(copy_costs, a_usual_way_that_becomes_dearer_is_left_within_some_tens_of_messages) {
  pair_of_cores p;
  p.kernel = 50;
  p.cells = 60;
  p.settle();
  EXPECT_GE(p.count(way::kernel, 100), 90);
  p.kernel = 100;
  EXPECT_LE(p.count(way::kernel, 100), 50);
  EXPECT_GE(p.count(way::cells, 100), 90);
  p.kernel = 50;
  // The other one has become cheaper. It is tried after (100 / 60 - 1) * 5 / 0.02 rounds at the most.
  EXPECT_LE(p.count(way::cells, 400), 167 + 2);
}

TEST(copy_costs, what_differs_little_does_not_change_to_and_fro) {
  pair_of_cores p;
  p.cells = 100;
  int changes = 0;
  way last = way::cells;
  for (int i = 0; i < 4000; ++i) {
    p.kernel = i / 7 % 2 == 0 ? 97 : 103;
    const way now = p.message();
    changes += now != last ? 1 : 0;
    last = now;
  }
  EXPECT_LE(changes, 200) << "there and back for each trial";
}

TEST(copy_costs, a_peer_that_decides_is_followed_as_long_as_it_sends) {
  pair_of_cores p;
  for (int i = 0; i < 100; ++i) {
    p.costs().follow(1 << 20, i % 10 == 0 ? way::cells : way::kernel);
    EXPECT_EQ(p.message(), i % 10 == 0 ? way::cells : way::kernel);
  }
  EXPECT_EQ(p.message(1 << 22), way::cells) << "of other lengths nothing has been heard";
  EXPECT_EQ(p.count(way::kernel, 14), 14);
  EXPECT_GE(p.count(way::cells, 100), 90);
}

TEST(copy_costs, lengths_are_judged_apart) {
  pair_of_cores p;
  p.cells = 200;
  p.settle();
  EXPECT_EQ(p.message(), way::kernel);
  EXPECT_EQ(p.message(1 << 22), way::cells);
  EXPECT_EQ(p.message(256 << 10), way::cells);
}

// A round ends when the program has waited: what leaves together goes the same way.
TEST(copy_costs, messages_that_leave_together_go_one_way) {
  copy_costs c;
  copy_costs::rules by{.settle = 0, .trial_every = 8};
  std::uint64_t now = 0;
  for (int round = 0; round < 400; ++round) {
    const way first = c.choose(by, 1 << 18);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(c.choose(by, 1 << 18), first) << round;
    for (int i = 0; i < 6; ++i) c.begins(1 << 18, now);
    c.goes(first);
    now += first == way::cells ? 100'000 : 120'000;
    for (int i = 0; i < 6; ++i) c.ends(by, now);
  }
}

TEST(copy_costs, messages_of_two_lengths_or_ways_at_once_count_for_nothing) {
  copy_costs c;
  copy_costs::rules by{.settle = 0};
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(c.choose(by, 1 << 20), way::cells);
    c.begins(1 << 20, 0);
    c.goes(way::cells);
    if (i % 2 == 0)
      c.begins(1 << 22, 0);
    else
      c.goes(way::kernel);
    c.ends(by, 1'000'000);
    if (i % 2 == 0) c.ends(by, 1'000'000);
  }
}

TEST(copy_costs, without_trials_all_goes_through_cells) {
  pair_of_cores p;
  p.rules.trial_every = 0;
  p.rules.settle = 0;
  p.cells = 1e6;
  EXPECT_EQ(p.count(way::cells, 100), 100);
}

}  // namespace
}  // namespace loadstone::testing
