#include "io/pieces.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "io/coverage.hpp"

namespace loadstone::io {
namespace {

std::vector<bool> bytes_of(const pieces& p, std::size_t window) {
  std::vector<bool> bytes(window);
  for (std::int64_t i = 0; i < p.count; ++i)
    for (std::int64_t k = 0; k < p.length; ++k)
      bytes[static_cast<std::size_t>(p.offset + i * p.stride + k)] = true;
  return bytes;
}

// In any two that lie apart no byte is the same; and what programs have is recognised.
TEST(pieces, lie_apart_only_where_they_do) {
  std::mt19937 random(7);
  const auto below = [&random](std::int64_t n) { return static_cast<std::int64_t>(random()) % n; };
  int apart = 0, known = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::int64_t stride = 1 + below(12);
    pieces two[2];
    for (pieces& p : two) {
      p.length = 1 + below(6);
      p.count = 1 + below(4);
      p.stride = p.count == 1 ? 0 : p.length + (below(3) == 0 ? below(9) : stride);
      p.offset = below(30);
    }
    const std::vector<bool> a = bytes_of(two[0], 150), b = bytes_of(two[1], 150);
    bool meet = false;
    for (std::size_t k = 0; k < a.size(); ++k) meet = meet || (a[k] && b[k]);
    if (!meet) ++apart;
    if (!lie_apart(two[0], two[1])) continue;
    ++known;
    ASSERT_FALSE(meet) << two[0].offset << " " << two[0].length << " " << two[0].count << " " << two[0].stride
                       << "; " << two[1].offset << " " << two[1].length << " " << two[1].count << " "
                       << two[1].stride;
  }
  EXPECT_GT(known, apart / 2);
  EXPECT_TRUE(lie_apart({0, 8, 1000, 16}, {8, 8, 1000, 16}));
  EXPECT_TRUE(lie_apart({8, 8, 1000, 16}, {16, 8, 999, 16}));
  EXPECT_TRUE(
      lie_apart({0, 4, 1, 0}, {4, 8, 1000, 16}));  // a part of a block that began in the window before
  EXPECT_TRUE(lie_apart({0, 8, 10, 16}, {160, 8, 10, 16}));
}

// Several add at once, as members do.
TEST(coverage, runs_are_what_was_added) {
  std::mt19937 random(11);
  const auto below = [&random](std::int64_t n) { return static_cast<std::int64_t>(random()) % n; };
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t window = 1 + below(700);
    std::vector<coverage::word> words(static_cast<std::size_t>(coverage::bytes_for(window) / 8));
    for (coverage::word& w : words) w.store(~std::uint64_t{0});
    coverage bits(words.data(), window);
    bits.clear();
    std::vector<bool> oracle(static_cast<std::size_t>(window));
    {
      coverage::adding one(bits), other(bits);
      std::int64_t at[2] = {0, 0};
      for (int k = 0; k < 40; ++k) {
        const int who = static_cast<int>(below(2));
        const std::int64_t from = at[who] + below(30), length = 1 + below(below(4) == 0 ? 200 : 9);
        if (from + length > window) continue;
        (who == 0 ? one : other).add(from, length);
        for (std::int64_t i = from; i < from + length; ++i) oracle[static_cast<std::size_t>(i)] = true;
        at[who] = from + length;
      }
    }
    std::vector<bool> seen(static_cast<std::size_t>(window));
    std::int64_t before = -1;
    bits.runs([&](std::int64_t from, std::int64_t length) {
      EXPECT_GT(from, before);  // there is a gap
      before = from + length;
      for (std::int64_t i = from; i < from + length; ++i) seen[static_cast<std::size_t>(i)] = true;
      return true;
    });
    ASSERT_EQ(seen, oracle);
  }
}

}  // namespace
}  // namespace loadstone::io
