#include "coll/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace loadstone::coll {
namespace {

std::vector<int> balanced(std::int64_t nodes, std::vector<int> dims) {
  EXPECT_TRUE(balance(nodes, dims));
  return dims;
}
using ints = std::vector<int>;

TEST(Balance, ExamplesOfTheStandard) {
  EXPECT_EQ(balanced(6, {0, 0}), (ints{3, 2}));
  EXPECT_EQ(balanced(7, {0, 0}), (ints{7, 1}));
  EXPECT_EQ(balanced(6, {0, 3, 0}), (ints{2, 3, 1}));
  ints dims{0, 3, 0};
  EXPECT_FALSE(balance(7, dims));
}

TEST(Balance, FixedEntriesStay) {
  EXPECT_EQ(balanced(24, {2, 0, 3}), (ints{2, 4, 3}));
  EXPECT_EQ(balanced(6, {2, 3}), (ints{2, 3}));
  ints dims{2, 2};
  EXPECT_FALSE(balance(6, dims));
  ints none;
  EXPECT_TRUE(balance(1, none));
  EXPECT_FALSE(balance(2, none));
}

TEST(Balance, IsAsCloseAsPossible) {
  EXPECT_EQ(balanced(16, {0, 0, 0}), (ints{4, 2, 2}));
  EXPECT_EQ(balanced(64, {0, 0, 0}), (ints{4, 4, 4}));
  EXPECT_EQ(balanced(12, {0, 0}), (ints{4, 3}));
  EXPECT_EQ(balanced(36, {0, 0, 0}), (ints{4, 3, 3}));
  EXPECT_EQ(balanced(1, {0, 0, 0}), (ints{1, 1, 1}));
  EXPECT_EQ(balanced(2147483647, {0, 0}), (ints{2147483647, 1}));
  EXPECT_EQ(balanced(2095133040, {0, 0, 0, 0, 0, 0}).size(), 6u);  // 1600 divisors
}

// Against trying everything.
TEST(Balance, SmallestSpreadOfAll) {
  for (int nodes = 1; nodes <= 200; ++nodes) {
    int best = nodes;
    for (int a = 1; a <= nodes; ++a)
      for (int b = 1; b <= nodes / a; ++b)
        if (nodes % (a * b) == 0) {
          const int c = nodes / (a * b);
          best = std::min(best, std::max({a, b, c}) - std::min({a, b, c}));
        }
    const ints dims = balanced(nodes, {0, 0, 0});
    EXPECT_EQ(dims[0] * dims[1] * dims[2], nodes);
    EXPECT_TRUE(dims[0] >= dims[1] && dims[1] >= dims[2]);
    EXPECT_EQ(dims[0] - dims[2], best) << nodes;
  }
}

TEST(Grid, RankAndCoordinatesAreInverse) {
  const ints dims{3, 4, 2}, periods{0, 1, 0};
  const grid g{dims, periods};
  EXPECT_EQ(g.size(), 24);
  for (int r = 0; r < 24; ++r) {
    ints c(3);
    g.coordinates(r, c);
    EXPECT_EQ(g.rank(c), r);
    EXPECT_EQ((c[0] * 4 + c[1]) * 2 + c[2], r);
  }
  EXPECT_EQ(g.rank(ints{1, -1, 0}), g.rank(ints{1, 3, 0}));
  EXPECT_EQ(g.rank(ints{1, 9, 0}), g.rank(ints{1, 1, 0}));
  EXPECT_EQ(g.rank(ints{3, 0, 0}), no_neighbour);
  EXPECT_EQ((grid{{}, {}}.rank({})), 0);
}

TEST(Grid, Shift) {
  const ints dims{3, 4}, periods{0, 1};
  const grid g{dims, periods};
  EXPECT_EQ(g.shift(0, 0, 1).source, no_neighbour);
  EXPECT_EQ(g.shift(0, 0, 1).destination, 4);
  EXPECT_EQ(g.shift(0, 1, 1).source, 3);
  EXPECT_EQ(g.shift(0, 1, -5).destination, 3);
  EXPECT_EQ(g.shift(5, 1, 0).source, 5);
  EXPECT_EQ(g.shift(8, 0, 2).source, 0);
  EXPECT_EQ(g.shift(8, 0, 2147483647).destination, no_neighbour);
  EXPECT_EQ(g.neighbours(0), (std::vector<std::int32_t>{no_neighbour, 4, 3, 1}));
}

TEST(Grid, Subgrids) {
  const ints dims{2, 3, 4}, periods{0, 0, 0};
  const grid g{dims, periods};
  const ints remain{1, 0, 1};
  for (int r = 0; r < 24; ++r) {
    ints c(3);
    g.coordinates(r, c);
    const grid::part p = g.subgrid(r, remain);
    EXPECT_EQ(p.number, c[1]);
    EXPECT_EQ(p.rank, c[0] * 4 + c[2]);
  }
  EXPECT_EQ(g.subgrid(17, ints{0, 0, 0}).rank, 0);
  EXPECT_EQ(g.subgrid(17, ints{0, 0, 0}).number, 17);
}

TEST(Graph, Neighbours) {
  const ints index{2, 3, 4, 6}, edges{1, 3, 0, 3, 0, 2};
  auto of = [&](int i) {
    const auto s = graph_neighbours(index, edges, i);
    return ints(s.begin(), s.end());
  };
  EXPECT_EQ(of(0), (ints{1, 3}));
  EXPECT_EQ(of(1), (ints{0}));
  EXPECT_EQ(of(3), (ints{0, 2}));
}

// --- placement ---

TEST(placement, each_domain_gets_a_box) {
  const std::vector<int> dims = {2, 4}, periods = {0, 0}, domain = {0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::int32_t> expected = {0, 1, 4, 5, 2, 3, 6, 7};
  EXPECT_EQ(place_on({dims, periods}, domain), expected);
}

TEST(placement, is_a_permutation_wherever_ranks_run) {
  const std::vector<int> dims = {6, 4, 2}, periods = {1, 0, 1};
  std::vector<int> domain(48);
  for (std::size_t i = 0; i < domain.size(); ++i) domain[i] = static_cast<int>(i % 4) * 10;  // scattered
  auto places = place_on({dims, periods}, domain);
  ASSERT_EQ(places.size(), 48u);
  std::sort(places.begin(), places.end());
  for (std::int32_t i = 0; i < 48; ++i) EXPECT_EQ(places[static_cast<std::size_t>(i)], i);
}

TEST(placement, leaves_things_alone_when_it_cannot_help) {
  const std::vector<int> line = {8}, open = {0};
  EXPECT_TRUE(place_on({line, open}, std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}).empty());  // as good in order
  EXPECT_TRUE(place_on({line, open}, std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0}).empty());  // nothing to divide
  EXPECT_TRUE(place_on({line, open}, std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1}).empty());  // unequal
}

}  // namespace
}  // namespace loadstone::coll
