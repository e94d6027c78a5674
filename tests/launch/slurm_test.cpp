// What Slurm's variables say of this node.
#include "launch/slurm.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

namespace loadstone::launch {
namespace {

constexpr std::optional<std::uint32_t> nothing;

TEST(slurm, tasks_per_node) {
  EXPECT_EQ(tasks_of_node("4", 0), 4U);
  EXPECT_EQ(tasks_of_node("4", 1), nothing);
  const std::uint32_t expected[] = {4, 4, 2, 7, 7, 7};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(tasks_of_node("4(x2),2,7(x3)", i), expected[i]) << i;
  EXPECT_EQ(tasks_of_node("4(x2),2,7(x3)", 6), nothing);
  EXPECT_EQ(tasks_of_node("1(x4294967295),9", 4'294'967'294U), 1U);
  for (const char* text : {"", ",", "x", "4(", "4(x", "4(x2", "4(x)", "-1", "4;2", "99999999999"})
    EXPECT_EQ(tasks_of_node(text, 0), nothing) << text;
}

TEST(slurm, lists_of_nodes) {
  EXPECT_EQ(place_in_nodes("n1", "n1"), 0U);
  EXPECT_EQ(place_in_nodes("n1", "n2"), nothing);
  EXPECT_EQ(place_in_nodes("n[1-3,07],m,r[0-1]n[01-03]", "n3"), 2U);
  EXPECT_EQ(place_in_nodes("n[1-3,07],m,r[0-1]n[01-03]", "n07"), 3U);
  EXPECT_EQ(place_in_nodes("n[1-3,07],m,r[0-1]n[01-03]", "n7"), nothing);
  EXPECT_EQ(place_in_nodes("n[1-3,07],m,r[0-1]n[01-03]", "m"), 4U);
  EXPECT_EQ(place_in_nodes("n[1-3,07],m,r[0-1]n[01-03]", "r1n02"), 9U);
  EXPECT_EQ(place_in_nodes("gpu[098-102]-ib", "gpu101-ib"), 3U);
  for (const char* list : {"", "n[", "n[1", "n[]", "n[3-1]", "n[1-]", "n[-2]", "n[a]", "n[0-4294967295][]",
                           "n[0-4294967295]", "[1][1][1][1][1][1][1][1][1]"})
    EXPECT_EQ(place_in_nodes(list, "other"), nothing) << list;
}

std::optional<std::uint32_t> tasks(std::map<std::string, const char*> set, const char* host = "n2") {
  return slurm_tasks([&](const char* name) { return set.count(name) != 0 ? set.at(name) : nullptr; }, host);
}

TEST(slurm, tasks_of_this_node) {
  EXPECT_EQ(tasks({}), nothing);
  EXPECT_EQ(tasks({{"SLURM_TASKS_PER_NODE", "4"}, {"SLURM_NODEID", "0"}}), nothing) << "no allocation";
  EXPECT_EQ(tasks({{"SLURM_JOB_ID", "1"}, {"SLURM_TASKS_PER_NODE", "4(x2),2"}, {"SLURM_NODEID", "2"}}), 2U);
  EXPECT_EQ(tasks({{"SLURM_JOB_ID", "1"}, {"SLURM_NTASKS_PER_NODE", "6"}, {"SLURM_NODEID", "2"}}), 6U);
  EXPECT_EQ(tasks({{"SLURM_JOB_ID", "1"}, {"SLURM_TASKS_PER_NODE", "4"}, {"SLURM_NODEID", "1"}}), nothing);
  // A shell of salloc, or one that came by ssh: the place of this host in the list.
  const std::map<std::string, const char*> shell = {
      {"SLURM_JOB_ID", "1"}, {"SLURM_TASKS_PER_NODE", "4,3(x2)"}, {"SLURM_JOB_NODELIST", "n[1-3]"}};
  EXPECT_EQ(tasks(shell, "n1"), 4U);
  EXPECT_EQ(tasks(shell, "n2.cluster"), 3U);
  EXPECT_EQ(tasks(shell, "login"), nothing);
  EXPECT_EQ(tasks({{"SLURM_JOB_ID", "1"}, {"SLURM_TASKS_PER_NODE", "4"}}), nothing) << "which node is this?";
}

TEST(slurm, whatever_the_variables_hold_there_is_an_answer) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const char letters[] = "0123456789[]-,()xn";
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 24, ' ');
    for (char& c : text) c = letters[random() % (sizeof letters - 1)];
    const auto place = place_in_nodes(text, "n3");
    if (place) {
      EXPECT_LT(*place, 1U << 20) << text;
    }
    static_cast<void>(tasks_of_node(text, random() % 4));
    static_cast<void>(tasks({{"SLURM_JOB_ID", "1"},
                             {"SLURM_NODEID", text.c_str()},
                             {"SLURM_JOB_NODELIST", text.c_str()},
                             {"SLURM_TASKS_PER_NODE", text.c_str()}}));
  }
}

}  // namespace
}  // namespace loadstone::launch
