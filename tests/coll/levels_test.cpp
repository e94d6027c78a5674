// Trees by the levels of a machine: on machines of words, for every root.
#include "coll/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coll/choices.hpp"

namespace loadstone::coll {
namespace {

// Member i is on core core_of(i) of a machine with so many caches to a package, and cores to a cache.
template <class CoreOf>
std::vector<memory::locality> machine_of(std::int32_t members, int caches, int cores, CoreOf&& core_of) {
  std::vector<memory::locality> all;
  for (std::int32_t i = 0; i < members; ++i) {
    const int core = core_of(i);
    const auto package = static_cast<std::uint8_t>(core / cores / caches);
    const auto at = static_cast<std::uint8_t>(core);
    all.push_back({package, package, static_cast<std::uint8_t>(core / cores), at, at});
  }
  return all;
}
std::vector<memory::locality> filled(std::int32_t members, int caches, int cores) {
  return machine_of(members, caches, cores, [](std::int32_t i) { return i; });
}

using order = std::vector<std::int32_t>;

// What one member has when all below it have given it theirs, in the order of the folds.
order folded(const levels& l, std::int32_t rank, std::int32_t root, const model::fans& most,
             std::map<std::int32_t, int>* seen) {
  ++(*seen)[rank];
  order sum = {rank};
  for (const order& group : l.seat_of(rank, root, most).below) {
    order next;
    for (const std::int32_t one : group) {
      if (one != rank) {
        EXPECT_EQ(l.seat_of(one, root, most).above, rank);
      }
      const order part = one == rank ? sum : folded(l, one, root, most, seen);
      next.insert(next.end(), part.begin(), part.end());
    }
    sum = std::move(next);
  }
  return sum;
}

constexpr model::fans fans[] = {{1, 1, 1}, {2, 3, 1}, {15, 15, 15}};

TEST(Levels, EachIsTakenOnceAndInRankOrder) {
  for (const std::int32_t n : {1, 2, 3, 7, 16, 31, 64, 128})
    for (const auto& [caches, cores] : {std::pair{1, 8}, std::pair{2, 4}, std::pair{8, 4}, std::pair{3, 1}})
      for (const model::fans& most : fans)
        for (std::int32_t root = 0; root < n; ++root) {
          const levels l(filled(n, caches, cores));
          EXPECT_TRUE(l.in_rank_order());
          EXPECT_EQ(l.seat_of(root, root, most).above, -1);
          std::map<std::int32_t, int> seen;
          order all;
          for (std::int32_t i = 0; i < n; ++i) all.push_back(i);
          ASSERT_EQ(folded(l, root, root, most, &seen), all) << n << " members, root " << root;
          for (const auto& [rank, times] : seen) EXPECT_EQ(times, 1) << rank;
        }
}

TEST(Levels, MembersInTurnAreTakenOnceEach) {
  const auto where = machine_of(16, 2, 4, [](std::int32_t i) { return i % 2 * 8 + i / 2; });
  const levels l(where);
  EXPECT_FALSE(l.in_rank_order());
  EXPECT_EQ(l.spread(), (model::spread{4, 8, true}));
  for (std::int32_t root = 0; root < 16; ++root) {
    std::map<std::int32_t, int> seen;
    EXPECT_EQ(folded(l, root, root, {15, 15, 15}, &seen).size(), 16u);
    EXPECT_EQ(seen.size(), 16u);
  }
}

// That is what they are for: 64 members, two packages of eight caches.
TEST(Levels, OneLineOfAGroupCrossesToTheNext) {
  const auto where = filled(64, 8, 4);
  const levels l(where);
  EXPECT_EQ(l.spread(), (model::spread{4, 32, false}));
  for (const std::int32_t root : {0, 5, 63})
    for (const model::fans& most : fans) {
      int packages = 0, caches = 0;
      for (std::int32_t r = 0; r < 64; ++r) {
        const std::int32_t above = l.seat_of(r, root, most).above;
        if (above < 0) continue;
        const auto &a = where[static_cast<std::size_t>(r)], &b = where[static_cast<std::size_t>(above)];
        packages += a[0] != b[0];
        caches += a[0] == b[0] && a[2] != b[2];
      }
      EXPECT_EQ(packages, 1);
      EXPECT_EQ(caches, 14);
    }
}

TEST(Levels, NoFanIsExceeded) {
  const levels l(filled(64, 8, 4));
  for (std::int32_t r = 0; r < 64; ++r)
    for (const order& group : l.seat_of(r, 0, {2, 3, 1}).below) EXPECT_LE(group.size(), 4u);
}

TEST(Levels, WhereNothingIsKnownAllShareACache) {
  memory::locality unknown;
  unknown.fill(memory::nowhere);
  const levels l(std::vector<memory::locality>(5, unknown));
  EXPECT_EQ(l.spread(), (model::spread{5, 5, false}));
  EXPECT_EQ(l.seat_of(0, 0, {15, 15, 15}).below, (std::vector<order>{{0, 1, 2, 3, 4}}));
}

// Each line that one operation moves, along the trees that members really have, on a machine of the
// literature; the first reader of a line pays it, each further one a part of it.
class followed {
 public:
  followed(const model::described& d, std::int32_t members)
      : d_(d),
        where_(filled(members, d.where.of_socket / d.where.of_cache, d.where.of_cache)),
        levels_(where_),
        in_(model::fans_in(model::built_in(), d.where)),
        out_(model::fans_out(model::built_in(), d.where)) {}

  double barrier() const {
    std::vector<double> done(where_.size());
    given(0, gathered(0), done);
    return *std::max_element(done.begin(), done.end());
  }
  double bcast() const {
    std::vector<double> done(where_.size());
    given(0, 2 * step, done);
    return *std::max_element(done.begin(), done.end());
  }

 private:
  static constexpr double step = 0.025, further = 0.15;  // as in model/collectives.cpp
  double line(std::int32_t a, std::int32_t b) const {
    const auto &one = where_[static_cast<std::size_t>(a)], &other = where_[static_cast<std::size_t>(b)];
    if (one[0] != other[0]) return d_.where.between_sockets;
    return one[2] != other[2] ? d_.where.between_caches : model::built_in().line;
  }
  double gathered(std::int32_t rank) const {
    double now = 0;
    for (const order& group : levels_.seat_of(rank, 0, in_).below) {
      double share = 1;
      for (auto one = group.rbegin(); one != group.rend(); ++one) {
        if (*one == rank) continue;
        now = std::max(now, gathered(*one)) + share * line(*one, rank) + step;
        share = further;
      }
    }
    return now;
  }
  void given(std::int32_t rank, double now, std::vector<double>& done) const {
    done[static_cast<std::size_t>(rank)] = now;
    const auto below = levels_.seat_of(rank, 0, out_).below;
    for (auto group = below.rbegin(); group != below.rend(); ++group) {
      int readers = 0;
      for (const std::int32_t one : *group)
        if (one != rank) given(one, now + line(rank, one) * (1 + further * readers++) + 2 * step, done);
    }
  }

  const model::described& d_;
  std::vector<memory::locality> where_;
  levels levels_;
  model::fans in_, out_;
};

TEST(Model, PricesTreesAsTheirLinesCost) {
  for (const model::described& d : model::larger_machines())
    for (const std::int32_t p : {8, 16, 31, 32, 64}) {
      if (p > d.where.cores) continue;
      SCOPED_TRACE(std::string(d.name) + ", " + std::to_string(p) + " members");
      const followed f(d, p);
      const auto predicted = [&](std::string_view what) {
        return model::cost_of("levels", {.what = what, .members = p, .bytes = 8}, model::built_in(), d.where);
      };
      const double barrier = predicted("barrier"), bcast = predicted("bcast");
      if (barrier == 0) continue;  // all share a cache
      EXPECT_GE(f.barrier(), 0.6 * barrier);
      EXPECT_LE(f.barrier(), 1.1 * barrier);
      EXPECT_GE(f.bcast(), 0.5 * bcast);
      EXPECT_LE(f.bcast(), 1.1 * bcast);
    }
}

// The library knows how many members share a cache and a package, but only the usual prices of lines
// between them, and nothing of the memory's limits.
TEST(Choice, IsNothingSillyOnMachinesOfTheLiterature) {
  const auto here = std::make_shared<const model::machine>(model::built_in());
  int levels_taken = 0;
  for (const model::described& d : model::larger_machines())
    for (const std::int32_t p : {2, 3, 4, 7, 8, 16, 31, 64, 128})
      for (const bool in_turn : {false, true}) {
        if (p > d.where.cores) continue;
        model::places where = d.where;
        where.in_turn = in_turn;
        choices library;
        library.set_machine(here, static_cast<std::uint32_t>(where.cores), static_cast<std::uint32_t>(p));
        const members all(p, {std::min(p, where.of_cache), std::min(p, where.of_socket), in_turn});
        for (const choices::known& k : choices::table()) {
          operation what{};
          if (!choices::named(k.collective, &what)) continue;
          for (std::int64_t n = 8; n <= 8 << 20; n *= 4) {
            const choices::weighed w = library.weigh(what, all, n, true);
            const model::algorithm& taken = w.all[w.taken];
            levels_taken += taken.name == "levels";
            const auto really = [&](std::string_view name) {
              return model::cost_of(name,
                                    {.what = k.collective,
                                     .members = p,
                                     .bytes = n,
                                     .areas = p <= model::most_with_areas,
                                     .chain = false},
                                    *here, where);
            };
            for (const model::algorithm& a : w.all)
              if (const double other = really(a.name); other > 0) {
                EXPECT_LE(really(taken.name), 1.5 * other)
                    << d.name << ", " << p << " members" << (in_turn ? " in turn, " : ", ") << k.collective
                    << ' ' << n << ": " << taken.name << ", not " << a.name;
              }
          }
        }
      }
  EXPECT_GT(levels_taken, 0);
}

TEST(Choice, IsAlongLevelsOnlyWhereThereAreSome) {
  choices c;
  c.set_machine(std::make_shared<const model::machine>(model::built_in()), 64, 64);
  const auto in = [&](const members& m, const choices::possible& can) {
    return c.how_in_area(operation::allreduce, m, {8, 8}, can);
  };
  constexpr auto by_levels = choices::in_area::levels;
  EXPECT_EQ(in({64, {4, 32, false}}, {}), by_levels);
  c.set_machine(std::make_shared<const model::machine>(model::built_in()), 129, 129);
  EXPECT_EQ(in({128, {8, 64, false}}, {}), by_levels);
  EXPECT_EQ(in({129, {8, 64, false}}, {}), choices::in_area::no) << "more than may have areas";
  c.set_machine(std::make_shared<const model::machine>(model::built_in()), 64, 64);
  EXPECT_NE(in({64, {4, 32, true}}, {.levels = false}), by_levels) << "the operation does not commute";
  EXPECT_NE(in({4, {4, 4, false}}, {}), by_levels) << "all share a cache";
  c.set_reproducible(true);
  EXPECT_NE(in({64, {4, 32, false}}, {}), by_levels) << "the order is fixed";
}

}  // namespace
}  // namespace loadstone::coll
