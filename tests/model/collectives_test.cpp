// What algorithms of collectives cost: on several machines, of these ranks and sizes.
#include "model/collectives.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadstone::model {
namespace {

// A line takes 0.1 µs; put, get 0.1, 0.2 µs a KiB; process_vm_readv 0.15 beside 1 µs a call.
machine round_numbers(bool system) {
  machine m;
  m.line = 0.1, m.wake = 30, m.call = system ? 1 : 0, m.turn = 1, m.fold = 0.05;
  for (std::int64_t n = 64; n <= 64 << 20; n *= 2) {
    const double k = static_cast<double>(n) / 1024;
    m.put.add(n, 0.1 * k);
    m.get.add(n, 0.2 * k);
    m.together.add(n, 0.15 * k);
    if (!system) continue;
    m.vm.add(n, 1 + 0.15 * k);
    m.vm_together.add(n, 1.5 + 0.08 * k);
  }
  return m;
}

struct setting {
  std::string name;
  machine here;
  places where;
};

std::vector<setting> settings() {
  std::vector<setting> all = {{"built in, 16 cores", built_in(), {.cores = 16}},
                              {"round numbers", round_numbers(true), {}},
                              {"round numbers, 64 cores", round_numbers(true), {.cores = 64}},
                              {"no process_vm_readv", round_numbers(false), {.cores = 4}}};
  for (const machine& m : built_in_machines())
    all.push_back({"built in, number " + std::to_string(&m - built_in_machines().data()), m, {}});
  for (const described& d : larger_machines()) all.push_back({std::string(d.name), built_in(), d.where});
  return all;
}

constexpr std::int32_t members[] = {2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 64, 128};
constexpr std::int64_t sizes[] = {8, 64, 1024, 4096, 8192, 16384, 65536, 262144, 1 << 20, 8 << 20};

double time(const setting& s, std::string_view what, std::int32_t p, std::int64_t n, bool areas = true) {
  return quickest({.what = what, .members = p, .bytes = n, .areas = areas, .chain = false}, s.here, s.where)
      .time;
}

constexpr const char* guidelines[] = {"allreduce, reduce + bcast", "reduce_scatter, allreduce",
                                      "gather, allgather", "bcast, scatter + allgather",
                                      "barrier, allreduce"};
constexpr std::int32_t few = 8;
constexpr double of_few[] = {1.1, 1.2, 1.45, 1.1, 1.45}, of_many[] = {1.35, 1.3, 2.1, 1.8, 1.3};

template <class Check>
void everywhere(Check&& check) {
  for (const setting& s : settings())
    for (const std::int32_t p : members)
      for (const std::int64_t n : sizes)
        for (const bool areas : {true, false}) {
          SCOPED_TRACE(s.name + ", " + std::to_string(p) + " members, " + std::to_string(n) + " bytes" +
                       (areas ? "" : ", no areas"));
          check(s, p, n, areas);
        }
}

TEST(Collectives, EachHasAnAlgorithmEverywhere) {
  everywhere([](const setting& s, std::int32_t p, std::int64_t n, bool areas) {
    for (const std::string_view what : collectives()) EXPECT_GT(time(s, what, p, n, areas), 0) << what;
  });
}

// What a program could do in place of a collective is not much quicker: the guidelines of Traeff,
// Gropp and Thakur ("Self-consistent MPI performance guidelines", 2010). How much is what is not
// there yet: a gather through blocks that all map, broadcasts of more than 1 MiB to many in parts,
// and a reduce_scatter of two that leaves its sums where the operands were, as their allreduce does.
TEST(Collectives, AreNotSlowerThanWhatTheyCouldBeMadeOf) {
  everywhere([&](const setting& s, std::int32_t p, std::int64_t n, bool areas) {
    const auto t = [&](std::string_view what, std::int64_t bytes) { return time(s, what, p, bytes, areas); };
    const auto hold = [&](int which, double one, double other) {
      const double bound = p <= few ? of_few[which] : of_many[which];
      EXPECT_LE(one, bound * other) << guidelines[which];
    };
    hold(0, t("allreduce", n), t("reduce", n) + t("bcast", n));
    hold(1, t("reduce_scatter", n), t("allreduce", n));
    hold(2, t("gather", n), t("allgather", n));
    if (n >= 8 * p && n % p == 0) hold(3, t("bcast", n), t("scatter", n / p) + t("allgather", n / p));
    hold(4, t("barrier", 0), t("allreduce", n));
  });
}

TEST(Collectives, CostMoreWithMoreBytes) {
  for (const setting& s : settings())
    for (const std::int32_t p : members)
      for (const std::string_view what : collectives())
        for (const algorithm& a : algorithms_of({.what = what, .members = p, .bytes = 8}, s.here, s.where)) {
          double before = 0;
          for (const std::int64_t n : sizes) {
            const double now = cost_of(a.name, {.what = what, .members = p, .bytes = n}, s.here, s.where);
            if (now == 0) continue;
            EXPECT_GE(now, before * 0.8) << s.name << ' ' << what << ' ' << a.name << ' ' << p << ' ' << n;
            before = now;
          }
        }
}

TEST(Collectives, WhatIsNotPossibleSaysWhy) {
  const machine m = round_numbers(false);
  const auto why = [&](std::string_view what, std::string_view name, std::int64_t n, bool areas) {
    for (const algorithm& a :
         algorithms_of({.what = what, .members = 4, .bytes = n, .areas = areas, .chain = false}, m, {}))
      if (a.name == name) {
        EXPECT_EQ(a.time > 0, a.why_not.empty());
        return std::string(a.why_not);
      }
    return std::string("no such algorithm");
  };
  EXPECT_EQ(why("bcast", "area", 8, true), "");
  EXPECT_EQ(why("bcast", "area", 8, false), "the members have no areas");
  EXPECT_EQ(why("bcast", "area", 9000, true), "more than a slot holds");
  EXPECT_EQ(why("alltoall", "area", 4096, true), "more than a slot holds");
  EXPECT_EQ(why("allreduce", "buffers", 1 << 20, true), "the system refuses process_vm_readv");
  EXPECT_EQ(why("allreduce", "scattered", 16, true), "fewer elements than members");
  EXPECT_EQ(why("bcast", "chain", 1 << 20, true), "for links of limited bandwidth");
  for (const algorithm& a :
       algorithms_of({.what = "allreduce", .members = 4, .bytes = 1 << 20, .stays = false}, built_in(), {}))
    if (a.name == "buffers" || a.name == "blocks") {
      EXPECT_EQ(a.why_not, "the type has gaps") << a.name;
    }
  EXPECT_TRUE(algorithms_of({.what = "dance"}, m, {}).empty());
  EXPECT_EQ(quickest({.what = "dance"}, m, {}).time, 0);
}

// What several read, and what all exchange, goes through a block where cores are short, or readers are many.
TEST(Collectives, OfSeveralReadersGoThroughBlocks) {
  const auto why = [](std::string_view what, std::int32_t members, std::int64_t n, std::int32_t cores) {
    for (const algorithm& a :
         algorithms_of({.what = what, .members = members, .bytes = n}, built_in(), {.cores = cores}))
      if (a.name == "blocks") return a.why_not;
    return std::string_view("no such algorithm");
  };
  EXPECT_EQ(why("bcast", 4, 1 << 20, 2), "");
  EXPECT_EQ(why("bcast", 4, 8 << 20, 2), "");
  EXPECT_EQ(why("bcast", 4, 65536, 4), "each of a few members has a core");
  EXPECT_EQ(why("bcast", 16, 65536, 16), "");
  EXPECT_EQ(why("bcast", 16, 2 << 20, 16), "more than is copied twice");
  EXPECT_EQ(why("allgather", 4, 1 << 20, 2), "");
  EXPECT_EQ(why("allgather", 8, 1 << 20, 2), "");
  EXPECT_EQ(why("alltoall", 16, 64 << 10, 16), "each member has a core");
  for (const std::string_view exchange : {"allgather", "alltoall"}) {
    EXPECT_EQ(why(exchange, 2, 64 << 10, 2), "");
    EXPECT_EQ(why(exchange, 2, 2 << 20, 2), "more than is copied twice");
  }
  EXPECT_EQ(why("bcast", 2, 64 << 10, 2), "each of a few members has a core");
  EXPECT_EQ(why("alltoall", 8, 1 << 20, 2), "");
  EXPECT_EQ(why("alltoall", 16, 64 << 10, 2), "");
  EXPECT_EQ(why("alltoall", 16, 1 << 20, 2), "pieces would have short parts");
}

// Reductions go from member to member where members share cores, and there is enough for each.
TEST(Collectives, OfMembersThatShareCoresGoAlongThem) {
  for (const std::string_view what : {"reduce", "allreduce", "reduce_scatter"}) {
    const auto chained = [&](std::int64_t n, std::int32_t cores) {
      for (const algorithm& a :
           algorithms_of({.what = what, .members = 4, .bytes = n}, built_in(), {.cores = cores}))
        if (a.name == "chain") return a;
      return algorithm{};
    };
    EXPECT_GT(chained(1 << 20, 2).time, 0);
    EXPECT_LT(chained(1 << 20, 2).time,
              cost_of("blocks", {.what = what, .members = 4, .bytes = 1 << 20}, built_in(), {.cores = 2}));
    EXPECT_EQ(chained(1 << 20, 4).why_not, "each member has a core");
    EXPECT_EQ(chained(64 << 10, 2).why_not, "less than a turn of each is worth");
  }
}

// With fewer cores than members what counts is how often all have to run.
TEST(Collectives, OfManyMembersOnFewCoresRunEachOnce) {
  const machine m = round_numbers(true);
  EXPECT_EQ(quickest({.what = "barrier", .members = 16}, m, {.cores = 2}).name, "area");
  EXPECT_EQ(quickest({.what = "barrier", .members = 16, .areas = false}, m, {.cores = 2}).name, "linear");
  EXPECT_EQ(quickest({.what = "barrier", .members = 16, .areas = false}, m, {.cores = 16}).name,
            "dissemination");
}

// Exchanges by messages cost what is measured: with more members than cores more than short blocks
// in slots, and long ones of two more than a reduction in blocks (seen on Zen 3 and 5).
TEST(Collectives, ExchangesByMessagesAreNotTakenForCheap) {
  for (const machine& m : built_in_machines()) {
    SCOPED_TRACE(&m - built_in_machines().data());
    const auto best = [&](std::string_view what, std::int32_t members, std::int64_t n) {
      return quickest({.what = what, .members = members, .bytes = n}, m, {.cores = 2}).name;
    };
    for (const std::string_view what : {"alltoall", "allgather", "allreduce", "reduce_scatter"})
      EXPECT_EQ(best(what, 4, 8), "area") << what;
    EXPECT_NE(best("allreduce", 2, 1 << 20), "scattered");
    if (m.strings) {
      EXPECT_EQ(best("allreduce", 2, 1 << 20), "blocks");
    }
  }
}

// On machines of the literature: long vectors are not sent whole along trees, short ones not cut.
TEST(Collectives, ChooseNothingSillyOnLargerMachines) {
  for (const described& d : larger_machines()) {
    const std::int32_t p = d.where.cores;
    const auto best = [&](std::string_view what, std::int64_t n) {
      return quickest({.what = what, .members = p, .bytes = n, .chain = false}, built_in(), d.where);
    };
    const auto of = [&](std::string_view what, std::string_view name, std::int64_t n) {
      return cost_of(name, {.what = what, .members = p, .bytes = n}, built_in(), d.where);
    };
    SCOPED_TRACE(d.name);
    for (const std::string_view what : {"barrier", "bcast", "reduce", "allreduce"})
      EXPECT_EQ(best(what, 8).name, "levels") << what;
    for (const std::int64_t n : {std::int64_t{1} << 20, std::int64_t{8} << 20}) {
      EXPECT_NE(best("allreduce", n).name, "doubling");
      EXPECT_NE(best("allreduce", n).name, "by_root");
      EXPECT_LE(2 * best("allreduce", n).time, of("allreduce", "doubling", n));
      EXPECT_NE(best("reduce", n).name, "binomial");
    }
    for (const std::int64_t n : {std::int64_t{8}, std::int64_t{64}}) {
      EXPECT_NE(best("allreduce", n).name, "scattered");
      EXPECT_NE(best("allgather", n).name, "ring");
    }
  }
}

}  // namespace
}  // namespace loadstone::model
