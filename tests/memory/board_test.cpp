#include "memory/board.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace loadstone;
using base::code;

TEST(board, what_one_process_puts_another_gets) {
  auto job = std::move(*memory::job::create({.world_size = 2}));
  auto peer = std::move(*job->second_view());
  std::string value, binary("a\0b", 3);
  EXPECT_FALSE(memory::board_get(*peer, "port", &value));
  ASSERT_TRUE(memory::board_put(*job, 0, "port", binary).ok());
  ASSERT_TRUE(memory::board_get(*peer, "port", &value));
  EXPECT_EQ(value, binary);
  EXPECT_EQ(memory::board_put(*peer, 1, "port", "other").kind, code::invalid);
  EXPECT_FALSE(memory::board_get(*peer, "por", &value));
}

TEST(board, limits_are_errors) {
  auto job = std::move(*memory::job::create({.world_size = 1}));
  EXPECT_EQ(memory::board_put(*job, 0, "", "x").kind, code::invalid);
  EXPECT_EQ(memory::board_put(*job, 0, std::string(56, 'k'), "x").kind, code::invalid);
  EXPECT_EQ(memory::board_put(*job, 0, "k", std::string(449, 'v')).kind, code::invalid);
  EXPECT_TRUE(memory::board_put(*job, 0, std::string(55, 'k'), std::string(448, 'v')).ok());
  for (std::uint32_t i = 1; i < memory::board_slots; ++i)
    ASSERT_TRUE(memory::board_put(*job, 0, "key" + std::to_string(i), "").ok());
  EXPECT_EQ(memory::board_put(*job, 0, "one more", "").kind, code::no_memory);
}

TEST(board, a_slot_of_a_process_that_died_is_passed_over) {
  auto job = std::move(*memory::job::create({.world_size = 2}));
  job->board()[0].state.store(1 + 1);  // process 1 claimed it and never came back
  std::string value;
  ASSERT_TRUE(memory::board_put(*job, 0, "a", "1").ok());
  EXPECT_TRUE(memory::board_get(*job, "a", &value));
}

TEST(board, threads_of_many_ranks) {
  auto job = std::move(*memory::job::create({.world_size = 8}));
  std::vector<std::unique_ptr<memory::job>> views;
  for (int i = 0; i < 8; ++i) views.push_back(std::move(*job->second_view()));
  std::vector<std::thread> ranks;
  for (std::uint32_t r = 0; r < 8; ++r)
    ranks.emplace_back([&, r] {
      for (int i = 0; i < 10; ++i) {
        auto key = std::to_string(r) + "." + std::to_string(i);
        EXPECT_TRUE(memory::board_put(*views[r], r, key, key).ok());
      }
    });
  for (auto& t : ranks) t.join();
  std::string value;
  for (int r = 0; r < 8; ++r)
    for (int i = 0; i < 10; ++i) {
      auto key = std::to_string(r) + "." + std::to_string(i);
      ASSERT_TRUE(memory::board_get(*job, key, &value));
      EXPECT_EQ(value, key);
    }
}
