#include "memory/process_id.hpp"

#include <gtest/gtest.h>

#include <set>
#include <unordered_set>

using namespace loadstone::memory;

namespace {

constexpr process_id a0{.job = 7, .index = 0}, a1{.job = 7, .index = 1}, b0{.job = 8, .index = 0};

TEST(process_id, same_index_in_another_job_is_another_process) {
  EXPECT_NE(a0, b0);
  EXPECT_NE(a0, a1);
  EXPECT_EQ(a0, (process_id{7, 0}));
}

TEST(process_id, order_is_by_job_and_then_by_index) {
  EXPECT_EQ((std::set<process_id>{b0, a1, a0}), (std::set<process_id>{a0, a1, b0}));
  EXPECT_LT(a0, a1);
  EXPECT_LT(a1, b0);
}

TEST(process_id, finds_its_place_in_hash_tables) {
  std::unordered_set<process_id> known;
  for (std::uint64_t job = 1; job <= 100; ++job) {
    for (std::uint32_t index = 0; index < 100; ++index) known.insert({job, index});
  }
  EXPECT_EQ(known.size(), 10000u);
  EXPECT_TRUE(known.count({50, 50}) == 1 && known.count({101, 50}) == 0);
  std::unordered_set<std::size_t> hashes;
  for (const process_id& who : known) hashes.insert(std::hash<process_id>{}(who));
  EXPECT_EQ(hashes.size(), known.size()) << "neighbours have different hashes";
}

TEST(process_id, mixed_with_a_number_differs_by_each_part) {
  EXPECT_NE(mix(a0, 1), mix(a0, 2));
  EXPECT_NE(mix(a0, 1), mix(b0, 1));
  EXPECT_NE(mix(a0, 1), mix(a1, 1));
  EXPECT_NE(mix(a0, 1), mix(a1, 0));
}

TEST(process_id, has_a_name_with_both_parts) {
  EXPECT_EQ(name_of({.job = 0x7f3a, .index = 12}), "process 12 of job 7f3a");
}

}  // namespace
