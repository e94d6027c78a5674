// Where ranks are placed, on machines made of words.
#include "launch/placement.hpp"

#include <gtest/gtest.h>

#include "launch/machine.hpp"
#include "launch/placement_words.hpp"

namespace loadstone::launch {

namespace {

constexpr std::uint32_t all_usable = 1 << 20;
constexpr std::uint32_t shares = 0;  // threads of a rank: as many as there are cores for it

constexpr const char* small = "package:1 core:2 pu:1";
constexpr const char* two_sockets = "package:2 l3:1 core:8 pu:2";
constexpr const char* four_caches = "package:2 l3:2 core:4 pu:1";

using list = std::vector<std::string>;
using counts = std::vector<std::uint32_t>;

placement on(const char* machine, const std::vector<demand>& ranks, const placement_wish& wish = {},
             std::uint32_t usable = all_usable) {
  const std::vector<core> cores = read_cores(machine, true);
  EXPECT_FALSE(cores.empty()) << machine;
  return place(cores, ranks, wish, usable);
}

list written(const placement& p) {
  list all;
  for (const processors& one : p.places) all.push_back(launch::written(one));
  return all;
}

placement_wish bound_to(const char* text) {
  placement_wish wish;
  EXPECT_EQ(read_bind_to(text, &wish), "");
  return wish;
}

placement_wish mapped_by(const char* text) {
  placement_wish wish;
  EXPECT_EQ(read_map_by(text, &wish), "");
  return wish;
}

TEST(placement, of_ranks_with_one_thread_is_core_by_core) {
  EXPECT_EQ(written(on(small, {{2, 1}})), (list{"0", "1"}));
  const placement p = on(two_sockets, {{3, 1}});
  EXPECT_EQ(written(p), (list{"0-1", "2-3", "4-5"})) << "both hardware threads of neighbouring cores";
  EXPECT_EQ(p.threads, (counts{1, 1, 1}));
  EXPECT_FALSE(p.crowded);
}

TEST(placement, gives_ranks_that_may_have_threads_their_share) {
  const placement p = on(two_sockets, {{2, shares}});
  EXPECT_EQ(written(p), (list{"0-15", "16-31"}));
  EXPECT_EQ(p.threads, (counts{8, 8})) << "cores, not hardware threads";
  EXPECT_EQ(written(on(small, {{1, shares}})), list{"0-1"});
  EXPECT_EQ(written(on(small, {{2, shares}})), (list{"0", "1"}));
  EXPECT_EQ(on(four_caches, {{3, shares}}).threads, (counts{5, 5, 5})) << "equal ranks, equal sets";
}

list servers(const placement& p) {
  list all;
  for (const processors& one : p.servers) all.push_back(launch::written(one));
  return all;
}

TEST(placement, gives_io_processes_cores_that_ranks_leave) {
  const auto with = [](const char* machine, const std::vector<demand>& ranks, std::uint32_t count,
                       const placement_wish& wish = {}) {
    return place(read_cores(machine, true), ranks, wish, all_usable, count);
  };
  placement p = with(four_caches, {{4, 1}}, 1);
  EXPECT_EQ(written(p), (list{"0", "1", "2", "3"})) << "as without";
  EXPECT_EQ(servers(p), list{"4"}) << "in the same socket";
  p = with(four_caches, {{4, 1}}, 2, mapped_by("socket"));
  EXPECT_EQ(written(p), (list{"0", "8", "1", "9"}));
  EXPECT_EQ(servers(p), (list{"2", "3"})) << "near ranks 0 and 2";
  p = with(four_caches, {{12, 1}}, 2);
  EXPECT_EQ(servers(p), (list{"12", "13"})) << "others are not free";
  p = with(four_caches, {{2, shares}}, 2);
  EXPECT_EQ(written(p), (list{"0-6", "8-14"})) << "ranks of many threads leave them one each";
  EXPECT_EQ(servers(p), (list{"7", "15"}));
  EXPECT_EQ(p.threads, (counts{7, 7}));
  EXPECT_EQ(p.served, 2u);
  p = with(two_sockets, {{2, 1}}, 1, bound_to("socket"));
  EXPECT_EQ(servers(p), list{"30-31"}) << "whole sockets less one core";
  p = with(small, {{1, 1}}, 3);
  EXPECT_EQ(servers(p), list{"1"}) << "no more than there are";
  EXPECT_EQ(p.served, 1u);
  for (const std::uint32_t ranks : {2U, 3U}) {
    p = with(small, {{ranks, 1}}, 1);
    EXPECT_EQ(p.served, 0u) << "none is left";
    EXPECT_EQ(servers(p), list{});
    EXPECT_EQ(p.places, on(small, {{ranks, 1}}).places);
  }
  p = with(four_caches, {{2, shares}}, 2, bound_to("none"));
  EXPECT_EQ(p.served, 2u);
  EXPECT_EQ(p.threads, (counts{7, 7})) << "nobody is bound, but there is time for them";
}

TEST(placement, gives_ranks_as_many_cores_as_they_are_told_to_have_threads) {
  EXPECT_EQ(written(on(four_caches, {{2, 3}})), (list{"0-2", "3-5"}));
  EXPECT_EQ(written(on(four_caches, {{1, 1}, {2, 4}})), (list{"0", "1-4", "5-8"})) << "several programs";
  EXPECT_EQ(on(four_caches, {{1, 1}, {3, shares}}).threads, (counts{1, 5, 5, 5}));
  const placement p = on(four_caches, {{4, 8}});
  EXPECT_EQ(p.threads, (counts{4, 4, 4, 4})) << "more than there are: equal shares";
}

TEST(placement, binds_nobody_where_there_is_not_a_core_for_each) {
  for (const std::uint32_t threads : {shares, 1U, 4U}) {
    const placement p = on(small, {{8, threads}});
    EXPECT_EQ(written(p), list{});
    EXPECT_EQ(p.threads, counts(8, 1));
    EXPECT_TRUE(p.crowded);
  }
  const placement p = on(four_caches, {{2, shares}}, bound_to("none"));
  EXPECT_EQ(written(p), list{});
  EXPECT_EQ(p.threads, (counts{8, 8}));
  EXPECT_FALSE(p.crowded);
}

TEST(placement, keeps_to_a_quota) {
  EXPECT_EQ(written(on(four_caches, {{2, shares}}, {}, 4)), (list{"0-1", "2-3"}));
  EXPECT_EQ(written(on(four_caches, {{5, 1}}, {}, 4)), list{});
  EXPECT_EQ(on(four_caches, {{2, shares}}, bound_to("none"), 4).threads, (counts{2, 2}));
  EXPECT_EQ(on(four_caches, {{2, shares}}, bound_to("socket"), 4).threads, (counts{2, 2}));
}

TEST(placement, binds_to_what_was_asked_for) {
  EXPECT_EQ(written(on(four_caches, {{3, 1}}, bound_to("socket"))), (list{"0-7", "8-15", "0-7"}));
  EXPECT_EQ(on(four_caches, {{3, 1}}, bound_to("socket")).threads, (counts{4, 8, 4}))
      << "a socket is divided";
  EXPECT_EQ(written(on(four_caches, {{5, 1}}, bound_to("l3cache"))),
            (list{"0-3", "4-7", "8-11", "12-15", "0-3"}));
  EXPECT_EQ(written(on("package:2 numa:2 core:2 pu:1", {{4, 1}}, bound_to("numa"))),
            (list{"0-1", "2-3", "4-5", "6-7"}));
  EXPECT_EQ(written(on(four_caches, {{2, shares}}, bound_to("core"))), (list{"0", "1"}));
  EXPECT_EQ(written(on(four_caches, {{2, shares}}, bound_to("core:3"))), (list{"0-2", "3-5"}));
  EXPECT_EQ(written(on(two_sockets, {{3, 1}}, bound_to("hwthread"))), (list{"0", "2", "4"}))
      << "of different cores";
}

TEST(placement, maps_by_what_was_asked_for) {
  EXPECT_EQ(written(on(four_caches, {{4, 1}}, mapped_by("socket"))), (list{"0", "8", "1", "9"}));
  EXPECT_EQ(written(on(four_caches, {{2, shares}}, mapped_by("l3cache"))), (list{"0-3", "4-7"}));
  EXPECT_EQ(written(on(four_caches, {{3, shares}}, mapped_by("socket"))), (list{"0-3", "8-11", "4-7"}));
  EXPECT_EQ(written(on(four_caches, {{3, 1}}, mapped_by("socket:PE=2"))), (list{"0-1", "8-9", "2-3"}));
  EXPECT_EQ(written(on(four_caches, {{4, 1}}, mapped_by("ppr:2:socket"))), (list{"0", "1", "8", "9"}));
  EXPECT_EQ(written(on(two_sockets, {{3, 1}}, mapped_by("hwthread"))), (list{"0", "1", "2"}));
  EXPECT_EQ(written(on(four_caches, {{17, 1}}, mapped_by("socket"))), list{});
  EXPECT_EQ(written(on(four_caches, {{9, 1}}, mapped_by("ppr:9:socket"))), list{}) << "nine on eight cores";
  placement_wish both = mapped_by("slot:SPAN");
  EXPECT_EQ(read_bind_to("l3cache", &both), "");
  EXPECT_EQ(written(on(four_caches, {{5, 1}}, both)), (list{"0-3", "0-3", "0-3", "0-3", "4-7"}));
}

TEST(placement, counts_hardware_threads_as_cores_if_it_shall) {
  placement_wish wish;
  wish.hwthreads = true;
  EXPECT_EQ(written(on(two_sockets, {{20, 1}}, wish)).size(), 20U);
  wish.cores = 3;
  const placement p = on(two_sockets, {{2, 1}}, wish);
  EXPECT_EQ(written(p), (list{"0-2", "3-5"}));
  EXPECT_EQ(p.threads, (counts{3, 3}));
}

TEST(placement, shares_cores_where_binding_was_asked_for_and_says_so) {
  const placement p = on(small, {{5, 1}}, bound_to("core"));
  EXPECT_EQ(written(p), (list{"0", "1", "0", "1", "0"}));
  EXPECT_EQ(p.note, "--bind-to core: 5 ranks do not fit on 2 cores; they share them");
  EXPECT_TRUE(p.crowded);
  EXPECT_EQ(p.threads, counts(5, 1));
  placement_wish wide;
  EXPECT_EQ(read_cores_per_rank("3", &wide), "");
  EXPECT_EQ(on(four_caches, {{6, 1}}, wide).note,
            "6 ranks of 3 cores each do not fit on 16; they share them");
  EXPECT_NE(on(small, {{2, 1}}, bound_to("l3cache")).note, "") << "a machine that shows none";
}

TEST(placement, never_has_more_threads_than_cores) {
  const std::vector<placement_wish> wishes = {{},
                                              bound_to("none"),
                                              bound_to("core"),
                                              bound_to("socket"),
                                              bound_to("l3cache"),
                                              mapped_by("socket"),
                                              mapped_by("numa:PE=2")};
  for (const char* machine : {small, two_sockets, four_caches}) {
    const std::size_t cores = read_cores(machine, true).size();
    for (const placement_wish& wish : wishes) {
      for (std::uint32_t ranks = 1; ranks <= 20; ++ranks) {
        for (const std::uint32_t quota : {1U, 3U, all_usable}) {
          const placement p = on(machine, {{ranks, shares}}, wish, quota);
          ASSERT_EQ(p.threads.size(), ranks);
          std::size_t sum = 0;
          for (const std::uint32_t n : p.threads) sum += n;
          EXPECT_LE(sum, std::max<std::size_t>(std::min<std::size_t>(cores, quota), ranks))
              << machine << ' ' << ranks << " ranks, quota " << quota;
          EXPECT_TRUE(p.places.empty() || p.places.size() == ranks);
        }
      }
    }
  }
}

TEST(localities, follow_the_placement_or_the_cores_in_turn) {
  const char* machine = "package:2 numa:2 core:2 pu:1";
  setenv("LOADSTONE_TOPOLOGY", machine, 1);
  constexpr std::size_t numa = 1, whole_core = 4;
  const auto nodes = [](const std::vector<memory::locality>& all) {
    counts numbers;
    for (const memory::locality& one : all) numbers.push_back(one[numa]);
    return numbers;
  };
  EXPECT_EQ(nodes(localities(9, {})), (counts{0, 0, 1, 1, 2, 2, 3, 3, 0}));
  const std::vector<memory::locality> spread = localities(4, on(machine, {{4, shares}}, mapped_by("numa")));
  EXPECT_EQ(nodes(spread), (counts{0, 1, 2, 3}));
  EXPECT_EQ(spread[0][whole_core], memory::nowhere) << "not kept within one core";
  EXPECT_EQ(nodes(localities(2, on(machine, {{2, shares}}))), counts(2, memory::nowhere)) << "a socket each";
  unsetenv("LOADSTONE_TOPOLOGY");
}

TEST(placement, words_that_cannot_be_read_are_refused) {
  placement_wish wish;
  for (const char* text : {"", "cores", "automatic", "socket:2", "core:0", "core:x", "l2cache"})
    EXPECT_NE(read_bind_to(text, &wish), "") << text;
  for (const char* text :
       {"", "none", "automatic", "cores", "ppr", "ppr:2", "ppr:x:socket", "socket:PE=0", "socket:4"})
    EXPECT_NE(read_map_by(text, &wish), "") << text;
  for (const char* text : {"", "0", "-1", "x", "2x"}) EXPECT_NE(read_cores_per_rank(text, &wish), "") << text;
  EXPECT_EQ(read_bind_to("Core:overload-allowed", &wish), "");
  EXPECT_EQ(read_map_by(":PE=2,OVERSUBSCRIBE", &wish), "");
  EXPECT_EQ(wish.cores, 2U);
}

}  // namespace

}  // namespace loadstone::launch
