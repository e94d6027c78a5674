#include "memory/range_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using loadstone::memory::range_list;

TEST(range_list, neighbours_grow_together) {
  range_list list;
  list.give(0, 100);
  auto a = list.take(10, 1), b = list.take(10, 1), c = list.take(10, 1);
  list.give(*a, 10);
  list.give(*c, 10);
  EXPECT_EQ(list.pieces(), 2u);
  list.give(*b, 10);
  EXPECT_EQ(list.pieces(), 1u);
  EXPECT_EQ(list.free_bytes(), 100u);
  EXPECT_TRUE(list.take(100, 1).has_value());
}

TEST(range_list, tells_what_is_free_before_an_end) {
  range_list list;
  EXPECT_EQ(list.bytes_before(100), 0u);
  list.give(10, 30);
  list.give(60, 40);
  EXPECT_EQ(list.bytes_before(100), 40u);
  EXPECT_EQ(list.bytes_before(40), 30u);
  EXPECT_EQ(list.bytes_before(60), 0u) << "what begins there does not end there";
  EXPECT_EQ(list.bytes_before(99), 0u);
  EXPECT_EQ(list.bytes_before(10), 0u);
}

// Against an array of flags, one a unit.
TEST(range_list, agrees_with_the_obvious_oracle) {
  std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  constexpr std::uint64_t size = 512;
  range_list list;
  list.give(0, size);
  std::vector<bool> used(size);
  struct piece {
    std::uint64_t at, bytes;
  };
  std::vector<piece> taken;
  auto possible = [&](std::uint64_t bytes, std::uint64_t alignment) {
    for (std::uint64_t at = 0; at + bytes <= size; at += alignment) {
      bool free = true;
      for (std::uint64_t i = at; i < at + bytes; ++i) free = free && !used[i];
      if (free) return true;
    }
    return false;
  };
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2) {
      std::uint64_t bytes = random() % 40 + 1, alignment = 1ull << random() % 6;
      auto at = list.take(bytes, alignment);
      ASSERT_EQ(at.has_value(), possible(bytes, alignment));
      if (!at) continue;
      ASSERT_EQ(*at % alignment, 0u);
      for (std::uint64_t i = *at; i < *at + bytes; ++i) {
        ASSERT_FALSE(used[i]);
        used[i] = true;
      }
      taken.push_back({*at, bytes});
    } else if (!taken.empty()) {
      std::size_t i = random() % taken.size();
      for (std::uint64_t k = 0; k < taken[i].bytes; ++k) used[taken[i].at + k] = false;
      list.give(taken[i].at, taken[i].bytes);
      taken[i] = taken.back();
      taken.pop_back();
    }
  }
}
