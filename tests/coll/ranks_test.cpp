// The same scenarios on real ranks, as threads of this process: blocking, several outstanding, restarted,
// from several threads.
#include "p2p/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "coll/neighborhood.hpp"
#include "coll/scenario.hpp"
#include "coll/schedule.hpp"
#include "coll/simulated_job.hpp"
#include "memory/locality.hpp"

namespace loadstone::coll::test {
namespace {

using loadstone::testing::run_ranks;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t effort = 1;
constexpr std::int64_t longest = 20000;
#else
const std::uint64_t effort = std::getenv("EFFORT") != nullptr ? std::stoull(std::getenv("EFFORT")) : 8;
constexpr std::int64_t longest = 60000;
#endif

// What one rank knows of the communicators of a test: all processes, and, with more than one, the first third
// and the rest.
struct world {
  world(loadstone::rank& r, int n, std::uint64_t context)
      : r(r),
        self(static_cast<int>(r.self)),
        n(n),
        a(n / 3 ? n / 3 : 1),
        intra(context, n, 0, false),
        inter(context + 16, a, n - a, n > 1) {}
  ~world() {
    const std::lock_guard guard(r.endpoint->gate());
    intra.leave_areas(self);
  }

  communicator& of(const specification& s) { return s.inter ? inter : intra; }
  // Fits a specification to the communicators.
  specification fitted(specification s) const {
    s.inter = s.inter && n > 1;
    s.in_place = s.in_place && !s.inter;
    s.size[0] = s.inter ? a : n, s.size[1] = s.inter ? n - a : 1;
    s.root_group = s.inter ? s.root_group : 0;
    s.root %= s.size[s.root_group];
    return s;
  }
  std::unique_ptr<call> make(const specification& s) {
    return make_call(s, of(s).group(self), of(s).rank(self));
  }

  loadstone::rank& r;
  int self, n, a;
  communicator intra, inter;
};

void blocking(loadstone::rank& r, world& w, const specification& s) {
  auto c = w.make(s);
  c->fill(0);
  std::int32_t error;
  {
    const std::lock_guard guard(r.endpoint->gate());
    error = r.coll->run(c->build(*r.coll, w.of(s).view(w.self)), {});
  }
  EXPECT_EQ(error, 0) << s.text() << ", process " << w.self;
  EXPECT_EQ(c->check(0), "") << s.text() << ", process " << w.self;
}

// Several at once on both communicators; waited for in an order of each process' own.
void outstanding(loadstone::rank& r, world& w, const std::vector<specification>& list) {
  std::vector<std::unique_ptr<call>> calls;
  std::vector<schedule*> schedules;
  std::vector<std::size_t> order;
  for (const specification& s : list) {
    calls.push_back(w.make(s));
    calls.back()->fill(0);
    const std::lock_guard guard(r.endpoint->gate());
    schedules.push_back(calls.back()->build(*r.coll, w.of(s).view(w.self)));
    r.coll->start(schedules.back());
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(mix(s.seed, 90, w.self) % (order.size() + 1)),
                 order.size());
  }
  for (std::size_t i : order) {
    {
      const std::lock_guard guard(r.endpoint->gate());
      EXPECT_TRUE(r.p2p->wait(*schedules[i], {}));
      EXPECT_EQ(schedules[i]->result.error, 0);
      r.coll->destroy(schedules[i]);
    }
    EXPECT_EQ(calls[i]->check(0), "") << list[i].text() << ", process " << w.self;
  }
}

void persistent(loadstone::rank& r, world& w, const specification& s, int rounds) {
  auto c = w.make(s);
  schedule* made;
  {
    const std::lock_guard guard(r.endpoint->gate());
    group_view view = w.of(s).view(w.self);
    view.persistent = true;
    made = c->build(*r.coll, view);
  }
  for (int round = 0; round < rounds; ++round) {
    c->fill(round);
    {
      const std::lock_guard guard(r.endpoint->gate());
      r.coll->start(made);
      EXPECT_TRUE(r.p2p->wait(*made, {}));
      EXPECT_EQ(made->result.error, 0);
    }
    EXPECT_EQ(c->check(round), "") << s.text() << ", process " << w.self << ", round " << round;
  }
  const std::lock_guard guard(r.endpoint->gate());
  r.coll->destroy(made);
}

class Ranks : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Ranks, ::testing::Values(1u, 2u, 3u, 4u, 7u, 8u, 16u),
                         [](const auto& info) { return "of" + std::to_string(info.param); });

TEST_P(Ranks, Blocking) {
  const std::uint32_t n = GetParam();
  run_ranks(n, [&](loadstone::rank& r) {
    world w(r, static_cast<int>(n), 0x200);
    for (std::uint64_t i = 0; i < 25 * effort; ++i)
      blocking(r, w, w.fitted(random_specification(mix(n, 1, i), 8)));
  });
}

TEST_P(Ranks, SeveralOutstanding) {
  const std::uint32_t n = GetParam();
  run_ranks(n, [&](loadstone::rank& r) {
    world w(r, static_cast<int>(n), 0x200);
    for (std::uint64_t batch = 0; batch < 2 * effort; ++batch) {
      std::vector<specification> list;
      for (std::uint64_t i = 0; i < 10; ++i)
        list.push_back(w.fitted(random_specification(mix(n, 2, batch, i), 8)));
      outstanding(r, w, list);
    }
  });
}

TEST_P(Ranks, Persistent) {
  const std::uint32_t n = GetParam();
  run_ranks(n, [&](loadstone::rank& r) {
    world w(r, static_cast<int>(n), 0x200);
    for (std::uint64_t i = 0; i < 6 * effort; ++i)
      persistent(r, w, w.fitted(random_specification(mix(n, 3, i), 8)), 5);
  });
}

TEST(Processes, BlockingAndOutstanding) {
  constexpr std::uint32_t n = 4;
  loadstone::testing::run_processes(n, [&](loadstone::rank& r) {
    world w(r, n, 0x200);
    for (std::uint64_t i = 0; i < 10 * effort; ++i) {
      const specification s = w.fitted(random_specification(mix(n, 6, i), 8));
      blocking(r, w, s);
      if (i % 10 == 0) outstanding(r, w, {s, w.fitted(random_specification(mix(n, 7, i), 8)), s});
    }
  });
}

// Through every protocol below: from nothing to some megabytes.
void every_collective(std::uint32_t n, const loadstone::testing::ranks_config& config, std::uint64_t seed,
                      std::initializer_list<std::int64_t> sizes) {
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (int what = 1; what < static_cast<int>(collective::count); ++what)
          for (std::int64_t units : sizes) {
            specification s;
            s.what = static_cast<collective>(what);
            s.units = units;
            s.seed = mix(units, static_cast<std::uint64_t>(what), seed);
            s.root = what % static_cast<int>(n);
            s.in_place = units == 900 && s.what != collective::bcast;
            s.op = units == 5000 ? operation::composition : operation::predefined_sum;
            blocking(r, w, w.fitted(s));
          }
      },
      config);
}

TEST(Sizes, EveryCollective) {
  every_collective(4, {}, 0, {30, 900, 5000, longest});
}

// Both ends of a message copy it, or its receiver alone.
TEST(Sizes, EveryCollectiveByBothEndsOfItsMessages) {
  loadstone::testing::ranks_config config;
  config.rank.p2p.eager_limit = 4096;
  config.rank.p2p.pipeline_limit = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    config.rank.p2p.both_sides = seed % 4 == 0 ? 0 : 1;
    every_collective(2 + seed % 3, config, seed, {900, 5000, longest / 3});
  }
}

TEST(Threads, OnCommunicatorsOfTheirOwn) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::ranks_config config;
  config.rank.threads = true;
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        std::vector<std::thread> threads;
        for (std::uint64_t t = 0; t < 4; ++t)
          threads.emplace_back([&r, t] {
            world w(r, n, 0x1000 * (t + 1));
            for (std::uint64_t i = 0; i < 8 * effort; ++i) {
              specification s = w.fitted(random_specification(mix(t, 4, i), 8));
              if (i % 3 == 0) {
                persistent(r, w, s, 3);
              } else if (i % 3 == 1) {
                outstanding(r, w, {s, w.fitted(random_specification(mix(t, 5, i), 8)), s});
              } else {
                blocking(r, w, s);
              }
            }
          });
        for (std::thread& t : threads) t.join();
      },
      config);
}

TEST(Barrier, NobodyLeavesBeforeAllHaveArrived) {
  for (std::uint32_t n : {2u, 5u, 8u}) {
    std::atomic<std::uint32_t> arrived{0};
    run_ranks(n, [&](loadstone::rank& r) {
      world w(r, static_cast<int>(n), 0x200);
      for (std::uint32_t round = 1; round <= 200; ++round) {
        arrived.fetch_add(1);
        const std::lock_guard guard(r.endpoint->gate());
        EXPECT_EQ(r.coll->run(r.coll->barrier(w.intra.view(w.self)), {}), 0);
        EXPECT_GE(arrived.load(), n * round);
      }
    });
  }
}

// In areas: with a core for every member, and with fewer.
class AreasOf : public ::testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {
 protected:
  static std::uint32_t ranks() { return std::get<0>(GetParam()); }
  static loadstone::testing::ranks_config config() {
    loadstone::testing::ranks_config c;
    c.job.cpus = std::get<1>(GetParam());
    return c;
  }
};
INSTANTIATE_TEST_SUITE_P(RanksAndCores, AreasOf,
                         ::testing::Values(std::tuple(2u, 1u), std::tuple(2u, 2u), std::tuple(5u, 2u),
                                           std::tuple(5u, 8u), std::tuple(17u, 2u)),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "_on_" +
                                  std::to_string(std::get<1>(info.param));
                         });

std::uint64_t messages_of(loadstone::rank& r) {
  const deposit::statistics& s = r.endpoint->counts();
  return s.inline_sent + s.cells_sent + s.queued_sent;
}

// The i-th of a row, which fits a slot.
specification short_one(std::uint64_t n, std::uint64_t i, collective what, bool in_rank_order = true) {
  specification s;
  s.what = what;
  s.units = static_cast<std::int64_t>(mix(n, i, 5) % 3);
  s.seed = mix(n, i, static_cast<std::uint64_t>(what));
  s.root = static_cast<int>(mix(i, 7) % n);
  s.in_place = mix(i, 9) % 2 == 0 && what != collective::bcast;
  s.op = mix(i, 11) % 2 == 0 && in_rank_order ? operation::composition : operation::predefined_sum;
  return s;
}

// Each in turn, with different roots: nothing travels but through slots, whose owners may be two ahead.
TEST_P(AreasOf, ShortCollectivesSendNoMessages) {
  const std::uint32_t n = ranks();
  loadstone::testing::ranks_config in_areas = config();  // also where messages are quicker
  for (const choices::known& k : choices::table()) in_areas.rank.coll.set(k.collective, "area");
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        const collective shared[] = {
            collective::barrier,   collective::bcast,      collective::gather,
            collective::scatter,   collective::gatherv,    collective::scatterv,
            collective::allgather, collective::allgatherv, collective::alltoall,
            collective::reduce,    collective::allreduce,  collective::reduce_scatter_block,
            collective::scan,      collective::exscan};
        const auto round = [&](std::uint64_t i) {
          for (const collective what : shared) {
            blocking(r, w, w.fitted(short_one(n, i, what)));
          }
        };
        round(0);  // they meet
        const std::uint64_t before = messages_of(r);
        for (std::uint64_t i = 1; i <= 4 * effort; ++i) round(i);
        EXPECT_EQ(messages_of(r), before);
      },
      in_areas);
}

// Along the levels of a machine that is only told of: ranks fill caches of three cores, two to a
// package, or lie in the packages by turns.
void tell_places(loadstone::rank& r, std::uint32_t n, bool in_turn) {
  if (r.self != 0) return;
  std::vector<memory::locality> all(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::uint8_t>(in_turn ? i % 2 * 6 + i / 2 % 6 : i);
    all[i] = {static_cast<std::uint8_t>(place / 6), static_cast<std::uint8_t>(place / 6),
              static_cast<std::uint8_t>(place / 3), place, place};
  }
  memory::publish_localities(*r.job, r.self, all);
}

class LevelsOf : public ::testing::TestWithParam<std::tuple<std::uint32_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(RanksAndOrder, LevelsOf,
                         ::testing::Combine(::testing::Values(2u, 5u, 8u, 17u), ::testing::Bool()),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_in_turn" : "_in_order");
                         });

// Between flat ones, persistent ones and others that are outstanding; operations that do not commute,
// too, which are flat where groups are not of neighbours.
TEST_P(LevelsOf, ShortCollectivesSendNoMessages) {
  const auto [n, in_turn] = GetParam();
  loadstone::testing::ranks_config along;
  for (const choices::known& k : choices::table())
    if (!along.rank.coll.set(k.collective, "levels")) along.rank.coll.set(k.collective, "area");
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        tell_places(r, n, in_turn);
        world w(r, static_cast<int>(n), 0x200);
        const collective shared[] = {collective::barrier,
                                     collective::bcast,
                                     collective::reduce,
                                     collective::allreduce,
                                     collective::scan,
                                     collective::reduce_scatter,
                                     collective::reduce_scatter_block};
        const auto one = [&](std::uint64_t i, collective what) {
          return w.fitted(short_one(n, i, what, !in_turn));
        };
        for (int i = 0; i < 3; ++i) blocking(r, w, one(0, collective::barrier));  // told, and met
        const std::uint64_t before = messages_of(r);
        for (std::uint64_t i = 1; i <= 5 * effort; ++i)
          for (const collective what : shared)
            if (mix(i, 13, static_cast<std::uint64_t>(what)) % 3 != 0) blocking(r, w, one(i, what));
        EXPECT_EQ(messages_of(r), before);
        for (std::uint64_t i = 0; i < effort; ++i) {
          std::vector<specification> list;
          for (std::uint64_t k = 0; k < 6; ++k)
            list.push_back(w.fitted(random_specification(mix(n, 14, i, k), 8)));
          outstanding(r, w, list);
          persistent(r, w, one(i, shared[i % std::size(shared)]), 4);
          blocking(r, w, list.back());
        }
      },
      along);
}

// Such a schedule is kept (repeats.hpp): other data, another choice of algorithms, two of the same at
// once, and communicators that come and go.
TEST_P(AreasOf, TheSameCallAgain) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        const datatype::type& type = *datatype::predefined_type(datatype::basic::int64);
        const datatype::op& sum = *datatype::predefined_op(0x21);
        std::vector<std::int64_t> mine(700), all(700), blocks(700 * n);
        for (int life = 0; life < 2; ++life) {
          world w(r, static_cast<int>(n), 0x200 + 64 * static_cast<std::uint64_t>(life));
          for (int i = 0; i < 27; ++i) {
            const std::int64_t count = i % 2 == 0 ? 3 : 700;
            const char* const ways[] = {"auto", "doubling", "area"};
            if (i % 13 == 0) {
              const std::lock_guard guard(r.endpoint->gate());
              EXPECT_TRUE(r.coll->algorithms().set("allreduce", ways[i / 13 % 3]));
            }
            for (std::size_t k = 0; k < mine.size(); ++k)
              mine[k] = static_cast<std::int64_t>(k) * (i + life + 1) + w.self;
            const std::lock_guard guard(r.endpoint->gate());
            const group_view view = w.intra.view(w.self);
            EXPECT_EQ(
                r.coll->run(r.coll->allreduce(view, mine.data(), all.data(), count, &type, &sum, false), {}),
                0);
            EXPECT_EQ(r.coll->run(r.coll->allgather(view, {mine.data(), count, &type},
                                                    {blocks.data(), count, &type}, false),
                                  {}),
                      0);
            schedule* const barriers[] = {r.coll->barrier(view), r.coll->barrier(view)};
            for (schedule* b : barriers) r.coll->start(b);
            for (schedule* b : barriers) {
              EXPECT_TRUE(r.p2p->wait(*b, {}));
              r.coll->destroy(b);
            }
            for (std::int64_t k = 0; k < count; ++k) {
              const std::int64_t each = k * (i + life + 1);
              EXPECT_EQ(all[static_cast<std::size_t>(k)], each * n + n * (n - 1) / 2);
              for (std::int64_t from = 0; from < n; ++from)
                EXPECT_EQ(blocks[static_cast<std::size_t>(from * count + k)], each + from);
            }
          }
        }
      },
      config());
}

template <auto F>
void apply_each(void*, const void* in, void* inout, std::int64_t count, const datatype::type&) {
  auto* const to = static_cast<std::int64_t*>(inout);
  for (std::int64_t i = 0; i < count; ++i) to[i] = F(static_cast<const std::int64_t*>(in)[i], to[i]);
}

// Schedules with operations of the user are kept, too, and these alive: another one, with another function, does not
// get the address of one that has been freed.
TEST_P(AreasOf, TheSameCallsWithOperationsOfTheUser) {
  const std::uint32_t n = ranks();
  constexpr auto larger = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
  const datatype::op::user_call functions[] = {apply_each<std::plus<>{}>, apply_each<larger>};
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        const datatype::type& type = *datatype::predefined_type(datatype::basic::int64);
        world w(r, static_cast<int>(n), 0x200);
        {
          const std::lock_guard guard(r.endpoint->gate());
          EXPECT_TRUE(r.coll->algorithms().set("allreduce", "area"));
        }
        for (int life = 0; life < 6; ++life) {
          const datatype::op* const op = datatype::op::create(functions[life % 2], nullptr, true);
          ASSERT_NE(op, nullptr);
          const std::int64_t mine = w.self + life, ends[] = {life, life + n - 1};
          std::int64_t all[2] = {};
          schedule* built[2] = {};
          for (int i = 0; i < 6; ++i) {
            const std::lock_guard guard(r.endpoint->gate());
            for (int k = 0; k < 2; ++k) {
              schedule* const s =
                  r.coll->allreduce(w.intra.view(w.self), &mine, &all[k], 1, &type, op, false);
              EXPECT_TRUE(std::exchange(built[k], s) == s || i < 4);
            }
            for (int k = 0; k < 2; ++k) {
              EXPECT_EQ(r.coll->run(built[k], {}), 0);
              EXPECT_EQ(all[k], life % 2 == 0 ? (ends[0] + ends[1]) * n / 2 : ends[1]);
            }
          }
          op->release();
        }
      },
      config());
}

// Communicators that take turns do not drive each other's kept schedules out.
TEST_P(AreasOf, TheSameCallsOnSixteenCommunicatorsAreKept) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        const datatype::type& type = *datatype::predefined_type(datatype::basic::int64);
        const datatype::op& sum = *datatype::predefined_op(0x21);
        std::vector<std::unique_ptr<world>> worlds;
        for (std::uint64_t k = 0; k < 16; ++k)
          worlds.push_back(std::make_unique<world>(r, static_cast<int>(n), 0x200 + 64 * k));
        std::int64_t mine = 1, all = 0;
        std::map<std::pair<const world*, int>, schedule*> built;
        for (int turn = 0; turn < 6; ++turn) {
          int anew = 0;
          for (const auto& w : worlds) {
            const std::lock_guard guard(r.endpoint->gate());
            const group_view view = w->intra.view(w->self);
            schedule* const calls[] = {r.coll->barrier(view),
                                       r.coll->allreduce(view, &mine, &all, 1, &type, &sum, false)};
            for (int call = 0; call < 2; ++call) {
              anew += std::exchange(built[{w.get(), call}], calls[call]) != calls[call];
              EXPECT_EQ(r.coll->run(calls[call], {}), 0);
            }
            EXPECT_EQ(all, n);
          }
          EXPECT_TRUE(turn < 4 || anew == 0) << anew << " of 32 in turn " << turn;
        }
      },
      config());
}

// The v forms are kept by what their lists say, in whichever array that is: other counts in the same one, roots
// by turns, nothing at all, blocks that are too long for a slot, and displacements out of order.
TEST_P(AreasOf, TheSameListsAgain) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        const datatype::type& type = *datatype::predefined_type(datatype::basic::int64);
        const datatype::op& sum = *datatype::predefined_op(0x21);
        world w(r, static_cast<int>(n), 0x200);
        for (const char* name : {"gather", "scatter"}) {
          const std::lock_guard guard(r.endpoint->gate());
          EXPECT_TRUE(r.coll->algorithms().set(name, "area"));
        }
        constexpr int lengths[] = {1, 0, 3, 64, 65, 2000};
        const auto self = static_cast<std::size_t>(w.self);
        std::vector<std::int64_t> out(2001 * n), in(2001 * n);
        std::vector<int> counts(n), places(n);
        // The i-th set of them, and that after the next is the same.
        const auto list = [&](std::uint64_t i, bool all_alike) {
          int end = 0;
          for (std::size_t k = n; k-- > 0; end += counts[k] + static_cast<int>(k % 2)) {
            counts[k] = lengths[mix(i / 6 * 2 + i % 2, all_alike ? 0 : k, 91) % 6];
            places[k] = end;
          }
          return end;
        };
        const auto given = [](std::uint64_t i, std::size_t from, std::size_t to, int k) {
          return static_cast<std::int64_t>(mix(i, from, to, k));
        };
        const auto run = [&](schedule* s) { EXPECT_EQ(r.coll->run(s, {}), 0); };
        for (std::uint64_t i = 0; i < 12 + 6 * effort; ++i) {
          const std::lock_guard guard(r.endpoint->gate());
          const group_view view = w.intra.view(w.self);
          const auto root = static_cast<std::int32_t>(i / 3 % n);
          const int end = list(i, false);
          const vector_side listed{in.data(), {counts.data()}, {places.data()}, &type, nullptr};
          const vector_side spread{out.data(), {counts.data()}, {places.data()}, &type, nullptr};
          const auto expect = [&](std::size_t block, int at, std::size_t from, std::size_t to) {
            for (int k = 0; k < counts[block]; ++k)
              ASSERT_EQ(in[static_cast<std::size_t>(at + k)], given(i, from, to, k)) << i << " from " << from;
          };
          // From each one block, to one and to all.
          for (int k = 0; k < counts[self]; ++k) out[static_cast<std::size_t>(k)] = given(i, self, 0, k);
          for (const bool to_all : {false, true}) {
            std::fill(in.begin(), in.end(), -1);
            const p2p::buffer mine{out.data(), counts[self], &type};
            run(to_all ? r.coll->allgatherv(view, mine, listed, false)
                       : r.coll->gatherv(view, mine, listed, root, false));
            for (std::size_t k = 0; (to_all || w.self == root) && k < n; ++k) expect(k, places[k], k, 0);
          }
          // In place, and a part of a list as if there were no more.
          if (w.self == root)
            for (int k = 0; k < counts[self]; ++k)
              in[static_cast<std::size_t>(places[self] + k)] = given(i, self, 0, k);
          run(r.coll->gatherv(view, {out.data(), counts[self], &type}, listed, root, w.self == root));
          for (std::size_t k = 0; w.self == root && k < n; ++k) expect(k, places[k], k, 0);
          // To each one.
          std::fill(in.begin(), in.end(), -1);
          for (std::size_t to = 0; to < n; ++to)
            for (int k = 0; k < counts[to]; ++k)
              out[static_cast<std::size_t>(places[to] + k)] = given(i, self, to, k);
          run(r.coll->scatterv(view, spread, {in.data(), counts[self], &type}, root, false));
          expect(self, 0, static_cast<std::size_t>(root), self);
          EXPECT_EQ(in[static_cast<std::size_t>(counts[self])], -1);
          // Each to each.
          list(i, true);
          for (std::size_t to = 0; to < n; ++to)
            for (int k = 0; k < counts[to]; ++k)
              out[static_cast<std::size_t>(places[to] + k)] = given(i, self, to, k);
          run(r.coll->alltoallv(view, spread, listed, false));
          for (std::size_t from = 0; from < n; ++from) expect(from, places[from], from, self);
          // Sums of other parts.
          const int all = list(i, false) - static_cast<int>(n / 2);
          (void)end;
          for (int k = 0; k < all; ++k) out[static_cast<std::size_t>(k)] = k + w.self;
          run(r.coll->reduce_scatter(view, out.data(), in.data(), {counts.data()}, &type, &sum, false));
          std::int64_t first = 0;
          for (std::size_t k = 0; k < self; ++k) first += counts[k];
          for (int k = 0; k < counts[self]; ++k)
            ASSERT_EQ(in[static_cast<std::size_t>(k)],
                      static_cast<std::int64_t>(n) * (first + k) + n * (n - 1) / 2);
        }
        // Which schedule it is.
        const std::lock_guard guard(r.endpoint->gate());
        const group_view view = w.intra.view(w.self);
        const auto of_counts = [&](int each) {
          std::fill(counts.begin(), counts.end(), each);
          for (std::size_t k = 0; k < n; ++k) places[k] = static_cast<int>(k) * each;
          schedule* const s =
              r.coll->gatherv(view, {out.data(), each, &type},
                              {in.data(), {counts.data()}, {places.data()}, &type, nullptr}, 0, false);
          run(s);
          return s;
        };
        schedule* const kept = of_counts(2);
        EXPECT_EQ(of_counts(2), kept);
        EXPECT_NE(of_counts(3), kept);
      },
      config());
}

// Where counts do not match, an error of the program, it ends in an error, or in what a message would have
// brought, and the next one is as ever.
TEST_P(AreasOf, UnequalBlocksThatDoNotMatchEnd) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        const datatype::type& type = *datatype::predefined_type(datatype::basic::int64);
        world w(r, static_cast<int>(n), 0x200);
        for (const char* name : {"gather", "scatter"}) {
          const std::lock_guard guard(r.endpoint->gate());
          EXPECT_TRUE(r.coll->algorithms().set(name, "area"));
        }
        constexpr int sizes[] = {2, 3, 1000, 3000, 20000};
        constexpr std::int32_t truncated = 15;
        std::vector<std::int64_t> out(20001 * n, w.self), in(20001 * n);
        std::vector<int> counts(n), places(n);
        for (std::size_t k = 0; k < n; ++k) places[k] = 20001 * static_cast<int>(k);
        for (int i = 0; i < 25; ++i)
          for (const bool gathers : {true, false}) {
            const int at_root = sizes[i / 5], at_others = sizes[i % 5];
            const auto root = static_cast<std::int32_t>(static_cast<std::uint32_t>(i) % n);
            const bool is_root = w.self == root;
            const bool takes = gathers == is_root;
            std::fill(counts.begin(), counts.end(), at_root);
            if (takes) std::fill_n(in.begin(), gathers ? in.size() : 20001, -1);
            const std::lock_guard guard(r.endpoint->gate());
            const group_view view = w.intra.view(w.self);
            const int mine = is_root ? at_root : at_others;
            const int sent = gathers ? at_others : at_root, room = gathers ? at_root : at_others;
            const vector_side all{
                gathers ? in.data() : out.data(), {counts.data()}, {places.data()}, &type, nullptr};
            schedule* const s = gathers ? r.coll->gatherv(view, {out.data(), mine, &type}, all, root, false)
                                        : r.coll->scatterv(view, all, {in.data(), mine, &type}, root, false);
            const std::int32_t error = r.coll->run(s, {});
            EXPECT_EQ(error, takes && sent > room ? truncated : 0) << at_root << ", " << at_others;
            if (error != 0 || !takes) continue;
            for (std::int32_t from = 0; from < static_cast<std::int32_t>(n); ++from) {
              if (gathers ? from == root : from != root) continue;
              const auto at = static_cast<std::size_t>(gathers ? places[static_cast<std::size_t>(from)] : 0);
              EXPECT_EQ(in[at + static_cast<std::size_t>(sent) - 1], from);
              EXPECT_EQ(in[at + static_cast<std::size_t>(sent)], -1);
            }
          }
      },
      config());
}

// Roots that give and take without waiting, and messages between: whoever is ahead waits for its slot.
TEST_P(AreasOf, AreAgreedOnBySeveralSequences) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (std::uint64_t batch = 0; batch < 2 * effort; ++batch) {
          std::vector<specification> list;
          for (std::uint64_t i = 0; i < 6; ++i)
            list.push_back(w.fitted(random_specification(mix(n, 12, batch, i), 8)));
          outstanding(r, w, list);
          persistent(r, w, list.front(), 4);
          blocking(r, w, list.back());
        }
      },
      config());
}

// What lies in buffers, or in blocks of the arenas, and is worked on by whoever comes (joint.hpp).
void stays(loadstone::rank& r, const char* how, bool of_several) {
  choices& c = r.coll->algorithms();
  for (const char* name : {"reduce", "allreduce", "reduce_scatter", "bcast", "allgather", "alltoall"})
    EXPECT_TRUE(c.set(name, how));
  if (of_several) return;
  for (const char* name : {"gather", "scatter", "scan", "exscan"}) EXPECT_TRUE(c.set(name, how));
}

// In blocks, and reductions from member to member.
void chained(loadstone::rank& r) {
  stays(r, "blocks", true);
  for (const char* name : {"reduce", "allreduce", "reduce_scatter"})
    EXPECT_TRUE(r.coll->algorithms().set(name, "chain"));
}

// Reductions in blocks have many rounds, those from member to member many pieces, and so has what
// one has for others.
struct short_rounds {
  const std::int64_t round = std::exchange(round_work::round_bytes, 600),
                     piece = std::exchange(chain_work::piece_bytes, 200),
                     block = std::exchange(chain_work::block_bytes, 600),
                     streamed = std::exchange(stream_work::piece_bytes, 192),
                     in_stream = std::exchange(stream_work::most_in_block, 600);
  ~short_rounds() {
    round_work::round_bytes = round;
    chain_work::piece_bytes = piece;
    chain_work::block_bytes = block;
    stream_work::piece_bytes = streamed;
    stream_work::most_in_block = in_stream;
  }
};

// Without what members ask each other when somebody is late.
std::uint64_t sent_by(loadstone::rank& r) {
  const auto counts = r.p2p->counts();
  return std::accumulate(std::begin(counts.messages), std::end(counts.messages), std::uint64_t{0});
}

TEST_P(AreasOf, DataThatStaysWhereItIsSendsNoMessages) {
  const short_rounds here;
  const std::uint32_t n = ranks();
  loadstone::testing::ranks_config c = config();
  // Who polls for long, as with a core for everyone, keeps its peers from the few cores there are.
  const bool told_of_more = c.job.cpus >= n && n > std::thread::hardware_concurrency();
  if (told_of_more) c.rank.endpoint.waiting = wait::mode::block;
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (std::uint64_t i = 0; i <= 2 + effort; ++i) {
          if (i % 3 == 2)
            chained(r);
          else
            stays(r, i % 3 == 1 ? "blocks" : "buffers", i % 3 == 1);
          for (int what = 1; what < static_cast<int>(collective::count); ++what) {
            specification s;
            s.what = static_cast<collective>(what);
            s.units = static_cast<std::int64_t>(mix(n, i, 5) % (longest / 5 / n));
            s.seed = mix(n, i, static_cast<std::uint64_t>(what));
            s.root = static_cast<int>(mix(i, 7) % n);
            s.in_place = mix(i, 9, static_cast<std::uint64_t>(what)) % 2 == 0 && s.what != collective::bcast;
            s.op = mix(i, 11) % 2 == 0 ? operation::composition : operation::predefined_sum;
            const std::uint64_t before = sent_by(r);
            blocking(r, w, w.fitted(s));
            if (i > 0) {
              EXPECT_EQ(sent_by(r), before) << s.text();
            }
          }
        }
      },
      c);
}

TEST_P(AreasOf, DataThatStaysWhereItIsIsAgreedOnBySeveralSequences) {
  const short_rounds here;
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (std::uint64_t batch = 0; batch < 3 + effort; ++batch) {
          if (batch % 4 == 3)
            chained(r);
          else
            stays(r, batch % 4 == 1 ? "blocks" : batch % 4 == 2 ? "auto" : "buffers", batch % 4 == 1);
          std::vector<specification> list;
          for (std::uint64_t i = 0; i < 6; ++i)
            list.push_back(w.fitted(random_specification(mix(n, 22, batch, i), 8)));
          outstanding(r, w, list);
          persistent(r, w, list.front(), 4);
          blocking(r, w, list.back());
        }
      },
      config());
}

// The v and w forms, whose sizes only their owners know: short blocks in slots, long ones where they are, and
// whatever of them has gaps in arenas, in one call.
TEST_P(AreasOf, BlocksOfUnknownSizesSendNoMessages) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (const char* name : {"gather", "scatter"}) EXPECT_TRUE(r.coll->algorithms().set(name, "buffers"));
        const collective forms[] = {collective::gatherv, collective::scatterv, collective::alltoallv,
                                    collective::alltoallw};
        const auto one = [&](std::uint64_t i) {
          specification s;
          s.what = forms[i % 4];
          constexpr std::int64_t amounts[] = {0, 1, 2, 20, 400, 3000, 20000};
          s.units = std::min<std::int64_t>(amounts[mix(n, i, 5) % 7], 200000 / n);
          s.seed = mix(n, i, 51);
          s.root = static_cast<int>(mix(i, 7) % n);
          s.in_place = mix(i, 9) % 3 == 0;
          return w.fitted(s);
        };
        for (std::uint64_t i = 0; i < 3; ++i) blocking(r, w, one(i));  // they meet
        for (std::uint64_t i = 3; i < 7 + 15 * effort / n; ++i) {
          const std::uint64_t before = sent_by(r);
          blocking(r, w, one(i));
          EXPECT_EQ(sent_by(r), before) << one(i).text();
        }
        for (std::uint64_t i = 0; i < 4 * effort / n + 1; ++i) {
          outstanding(r, w, {one(5 * i), one(5 * i + 1), one(5 * i + 2), one(5 * i + 3)});
          persistent(r, w, one(5 * i + 4), 4);
        }
      },
      config());
}

// Where it is not set, short ones from and to a root lie in slots, too, and long ones are messages, in one call.
TEST_P(AreasOf, ShortBlocksOfUnknownSizesSendNoMessages) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        for (const char* name : {"gather", "scatter"}) EXPECT_TRUE(r.coll->algorithms().set(name, "area"));
        const auto one = [&](std::uint64_t i) {
          specification s;
          s.what = i % 2 == 0 ? collective::gatherv : collective::scatterv;
          constexpr std::int64_t amounts[] = {0,  1,   2,   20,
                                              40, 400, 3000};  // up to 20: no more than 512 bytes
          s.units = amounts[mix(n, i, 5) % 7];
          s.seed = mix(n, i, 53);
          s.root = static_cast<int>(mix(i, 7) % n);
          s.in_place = mix(i, 9) % 3 == 0;
          s.wide = i % 5 == 0;
          return w.fitted(s);
        };
        for (std::uint64_t i = 0; i < 3; ++i) blocking(r, w, one(i));  // they meet
        for (std::uint64_t i = 3; i < 20 + 40 * effort / n; ++i) {
          const std::uint64_t before = sent_by(r);
          blocking(r, w, one(i));
          if (one(i).units <= 20) {
            EXPECT_EQ(sent_by(r), before) << one(i).text();
          }
        }
        for (std::uint64_t i = 0; i < 4 * effort / n + 1; ++i) {
          outstanding(r, w, {one(5 * i), one(5 * i + 1), one(5 * i + 2), one(5 * i + 3)});
          persistent(r, w, one(5 * i + 4), 4);
        }
      },
      config());
}

// Neighbourhoods in all forms; short and long blocks, edges to oneself and several between two; the same call again.
TEST_P(AreasOf, NeighbourhoodsSendNoMessages) {
  const std::uint32_t n = ranks();
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        const auto p = static_cast<std::size_t>(w.self);
        for (std::uint64_t i = 0; i < 12 + 12 * effort / n; ++i) {
          const std::uint64_t seed = mix(n, 61, i);
          const neighbourhood g = i % 2 == 0 ? random_graph(seed, n) : random_grid(seed, static_cast<int>(n));
          const neighbor_kind what = all_neighbor_kinds[i % 5];
          constexpr std::int64_t scales[] = {1, 30, longest / 120, longest / 10, longest / 2};
          neighbor_call c(g, what, seed, p, scales[mix(i, 62) % 5]);
          const std::string where = "graph " + std::to_string(i) + ", process " + std::to_string(w.self);
          const std::uint64_t before = sent_by(r);
          for (int round = 0; round < 3; ++round) {
            c.fill(round);
            {
              const std::lock_guard guard(r.endpoint->gate());
              EXPECT_EQ(r.coll->run(c.build(*r.coll, w.intra.view(w.self)), {}), 0) << where;
            }
            EXPECT_EQ(c.check(), "") << where << ", round " << round;
          }
          r.coll->algorithms();  // forgets it: a communicator has one neighbourhood
          if (i > 0) {
            EXPECT_EQ(sent_by(r), before) << where;
          }
          if (i % 3 != 0) continue;
          schedule* made;
          {
            const std::lock_guard guard(r.endpoint->gate());
            group_view view = w.intra.view(w.self);
            view.persistent = true;
            made = c.build(*r.coll, view);
          }
          for (int round = 1; round < 4; ++round) {
            c.fill(round);
            {
              const std::lock_guard guard(r.endpoint->gate());
              r.coll->start(made);
              EXPECT_TRUE(r.p2p->wait(*made, {}));
              EXPECT_EQ(made->result.error, 0) << where;
            }
            EXPECT_EQ(c.check(), "") << where << ", round " << round;
          }
          const std::lock_guard guard(r.endpoint->gate());
          r.coll->destroy(made);
        }
      },
      config());
}

// One member has no memory for an area: all go on with messages.
TEST(Areas, AreLeftByAllWhereOneHasNoMemory) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::ranks_config config;
  config.job.arena_limit = 4u << 20;
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        specification s;
        s.what = collective::allreduce;
        // By messages, and what they need of memory is there.
        for (s.seed = 0; s.seed < 2; ++s.seed) blocking(r, w, w.fitted(s));
        std::vector<void*> taken;
        if (w.self == 1)
          for (auto block = r.arena->allocate(1024); block.ok(); block = r.arena->allocate(1024))
            taken.push_back(*block);
        blocking(r, w, w.fitted(s));
        for (void* block : taken) r.arena->release(block);
        const std::uint64_t before = messages_of(r);
        for (; s.seed < 12; ++s.seed) blocking(r, w, w.fitted(s));
        EXPECT_GT(messages_of(r), before);
      },
      config);
}

// Blocks leave messages enough memory: a block that would leave less than half of it is not made.
TEST(Areas, HaveBlocksInAPartOfTheMemory) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::ranks_config config;
  config.job.arena_limit = 2u << 20;
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        stays(r, "blocks", true);
        std::vector<int> data(250000);
        const auto messages_for = [&](std::int64_t count) {
          const std::uint64_t before = messages_of(r);
          std::fill(data.begin(), data.end(), w.self == 1 ? 7 : 0);
          const std::lock_guard guard(r.endpoint->gate());
          EXPECT_EQ(r.coll->run(r.coll->bcast(w.intra.view(w.self),
                                              {data.data(), count, &loadstone::testing::int_type()}, 1),
                                {}),
                    0);
          EXPECT_EQ(data[static_cast<std::size_t>(count) - 1], 7);
          return messages_of(r) - before;
        };
        for (int i = 0; i < 4; ++i) messages_for(25000);  // the members meet
        EXPECT_EQ(messages_for(25000), 0);
        const std::uint64_t sent = messages_for(250000);
        if (w.self == 1) {
          EXPECT_GT(sent, 0);
        }
      },
      config);
}

// One member has no memory for a block: nothing is done there, and all go on with messages, also
// those that sleep as they came first.
TEST_P(AreasOf, BlocksAreLeftByAllWhereOneHasNoMemory) {
  const std::uint32_t n = ranks();
  loadstone::testing::ranks_config c = config();
  c.job.arena_limit = 8u << 20;
  // A message of a rank that has no cell is counted by whom it goes to.
  std::atomic<int> refused{0};
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, static_cast<int>(n), 0x200);
        specification s;
        s.what = collective::allreduce;
        // By messages, and what they need of memory is there; so are areas.
        for (const auto& [name, algorithm] :
             {std::pair("reduce", "scattered"), std::pair("allreduce", "scattered"),
              std::pair("reduce_scatter", "direct")})
          EXPECT_TRUE(r.coll->algorithms().set(name, algorithm));
        const collective all[] = {collective::reduce, collective::allreduce,
                                  collective::reduce_scatter_block};
        for (s.seed = 0; s.seed < 12; ++s.seed) {
          s.what = all[s.seed % 3];
          s.units = s.seed < 6 ? 1500 : 0;
          blocking(r, w, w.fitted(s));
        }
        EXPECT_TRUE(r.coll->algorithms().set("allreduce", "area"));
        s.units = 1;
        s.what = collective::allreduce;
        blocking(r, w, w.fitted(s));
        for (std::uint64_t i = 0; i < 10 + effort; ++i) {
          const bool in_chain = i % 2 == 1;
          if (in_chain)
            chained(r);
          else
            stays(r, "blocks", true);
          std::vector<void*> taken;
          const auto is_full = [&](std::uint64_t rank) {
            return in_chain && rank == n - 1 ? i % 4 == 1 : mix(n, 41, i, rank) % n == 0;
          };
          const bool full = is_full(static_cast<std::uint64_t>(w.self));
          // No block fits what is left, and records of messages do.
          while (full) {
            auto block = r.arena->allocate(12 << 10);
            if (!block) break;
            taken.push_back(*block);
          }
          for (std::size_t k = 10; k < 40 && k < taken.size(); k += 10)
            r.arena->release(std::exchange(taken[k], nullptr));
          s.seed = mix(n, 42, i);
          s.what = all[i % 3];
          s.root = static_cast<int>(i % n);
          // No block that is there already will do.
          const bool longest_yet = in_chain && is_full(n - 1);
          s.units = static_cast<std::int64_t>(1 + 300 * (longest_yet ? 7 + i / 4 : 2 + mix(i, 43) % 4));
          // Those that come first sleep.
          if (mix(n, 44, i) % n == static_cast<std::uint64_t>(w.self))
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
          const std::uint64_t before = sent_by(r);
          blocking(r, w, w.fitted(s));
          // Of a chain the highest alone has a block.
          if (in_chain && !is_full(n - 1)) {
            EXPECT_EQ(sent_by(r), before) << s.text();
          }
          if (in_chain && sent_by(r) > before) ++refused;
          for (void* block : taken)
            if (block != nullptr) r.arena->release(block);
        }
      },
      c);
  EXPECT_GT(refused, 0);
}

// Where the system lets nobody reach the others' memory, nobody tries: messages do it, at all of
// them.
TEST(Areas, BuffersAreLeftAloneWhereTheyMayNotBeReached) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::ranks_config config;
  config.rank.endpoint.vm = false;
  run_ranks(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        stays(r, "buffers", false);
        for (std::uint64_t i = 0; i < 5 * effort; ++i)
          blocking(r, w, w.fitted(random_specification(mix(n, 31, i), 8)));
        specification s;
        s.what = collective::allgather;
        s.units = 500;
        const std::uint64_t before = sent_by(r);
        blocking(r, w, w.fitted(s));
        EXPECT_GT(sent_by(r), before);
      },
      config);
}

// The sum of all members' `in`; the error.
std::int32_t reduce_all(loadstone::rank& r, world& w, const std::vector<int>& in, std::vector<int>& out,
                        const datatype::op* sum) {
  const std::lock_guard guard(r.endpoint->gate());
  return r.coll->run(
      r.coll->allreduce(w.intra.view(w.self), in.data(), out.data(), static_cast<std::int64_t>(in.size()),
                        &loadstone::testing::int_type(), sum, false),
      {});
}

TEST(Deaths, EndAReductionOfBuffers) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::run_processes(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        stays(r, "buffers", false);
        std::vector<int> in(100000, 1), out(100000);
        const datatype::op* const sum = &op_of(operation::predefined_sum);
        const auto reduce = [&] { return reduce_all(r, w, in, out, sum); };
        const auto broadcast = [&] {
          const std::lock_guard guard(r.endpoint->gate());
          return r.coll->run(
              r.coll->bcast(w.intra.view(w.self), {out.data(), 100000, &loadstone::testing::int_type()}, 0),
              {});
        };
        for (int i = 0; i < 8; ++i) {
          EXPECT_EQ(reduce(), 0);
          EXPECT_EQ(out[99999], static_cast<int>(n));
        }
        if (w.self == 2) raise(SIGKILL);
        EXPECT_EQ(reduce(), 58);  // MPI_ERR_PROC_ABORTED
        EXPECT_EQ(broadcast(), w.self == 0 ? 58 : 0);
      },
      {}, 2);
}

// All of a chain wait for each other, wherever in it one is missing: those above the missing one, too,
// where the highest waits for places in its block.
TEST(Deaths, EndAReductionInAChain) {
  constexpr std::uint32_t n = 4;
  struct few_places {
    std::int64_t block = std::exchange(chain_work::block_bytes, 2 * chain_work::piece_bytes);
    ~few_places() { chain_work::block_bytes = block; }
  } const here;
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const told = static_cast<std::atomic<std::uint32_t>*>(shared);  // members, in all rounds
  for (int missing = 0; missing < static_cast<int>(n); ++missing)
    loadstone::testing::run_processes(
        n,
        [&](loadstone::rank& r) {
          world w(r, n, 0x200);
          chained(r);
          std::vector<int> in(100000, 1), out(100000);
          const datatype::op* const sum = &op_of(operation::predefined_sum);
          const auto reduce = [&] { return reduce_all(r, w, in, out, sum); };
          for (int i = 0; i < 8; ++i) {
            EXPECT_EQ(reduce(), 0);
            EXPECT_EQ(out[99999], static_cast<int>(n));
          }
          if (w.self == missing) raise(SIGKILL);
          EXPECT_EQ(reduce(), 58);  // MPI_ERR_PROC_ABORTED
          // Who leaves counts as dead, too: nobody is to hear it from that.
          told->fetch_add(1);
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
          while (told->load() < (static_cast<std::uint32_t>(missing) + 1) * (n - 1) &&
                 std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          EXPECT_EQ(told->load(), (static_cast<std::uint32_t>(missing) + 1) * (n - 1));
        },
        {}, missing);
  munmap(shared, 4096);
}

// The same of a broadcast whose root waits for places in its block: those that take wait for each
// other, too.
TEST(Deaths, EndABroadcastThroughABlock) {
  constexpr std::uint32_t n = 4;
  struct few_places {
    std::int64_t block = std::exchange(stream_work::most_in_block, 2 * stream_work::piece_bytes);
    ~few_places() { stream_work::most_in_block = block; }
  } const here;
  for (int missing = 0; missing < static_cast<int>(n); ++missing)
    loadstone::testing::run_processes(
        n,
        [&](loadstone::rank& r) {
          world w(r, n, 0x200);
          stays(r, "blocks", true);
          std::vector<int> data(200000);
          const auto broadcast = [&] {
            std::fill(data.begin(), data.end(), w.self == 1 ? 7 : 0);
            const std::lock_guard guard(r.endpoint->gate());
            return r.coll->run(r.coll->bcast(w.intra.view(w.self),
                                             {data.data(), 200000, &loadstone::testing::int_type()}, 1),
                               {});
          };
          for (int i = 0; i < 8; ++i) {
            EXPECT_EQ(broadcast(), 0);
            EXPECT_EQ(data[199999], 7);
          }
          if (w.self == missing) raise(SIGKILL);
          EXPECT_EQ(broadcast(), 58);  // MPI_ERR_PROC_ABORTED
        },
        {}, missing);
}

// Rank 2 dies while it adds, rank 1 is stopped there. Rank 0 gives up, but not before rank 1 is done
// with its memory: nothing is written there afterwards.
enum { dies = 1, stops = 2 };
void add_or_not(void* what, const void* in, void* inout, std::int64_t count, const datatype::type&) {
  int* const turn = static_cast<int*>(what);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (*turn == dies) raise(SIGKILL);
  if (*turn == stops) raise(SIGSTOP);
  *turn = 0;
  for (std::int64_t i = 0; i < count; ++i) static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
}

TEST(Deaths, LeaveNobodyWithAPeerThatWritesLater) {
  constexpr std::uint32_t n = 3;
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* const pids = static_cast<std::atomic<pid_t>*>(shared);
  loadstone::testing::ranks_config config;
  config.job.cpus = n;  // each begins with its own share
  loadstone::testing::run_processes(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        pids[w.self] = getpid();
        stays(r, "buffers", false);
        int turn = 0;
        const datatype::op* const sum = datatype::op::create(add_or_not, &turn, true);
        std::vector<int> in(100000, 1), out(100000);
        const auto reduce = [&] { return reduce_all(r, w, in, out, sum); };
        for (int i = 0; i < 4; ++i) {
          EXPECT_EQ(reduce(), 0);
          EXPECT_EQ(out[99999], static_cast<int>(n));
        }
        turn = w.self == 2 ? dies : w.self == 1 ? stops : 0;
        std::thread waker;
        if (w.self == 0)
          waker = std::thread([&] {
            std::this_thread::sleep_for(std::chrono::seconds(2));
            kill(pids[1], SIGCONT);
          });
        EXPECT_EQ(reduce(), 58);  // MPI_ERR_PROC_ABORTED
        std::fill(out.begin(), out.end(), -1);
        if (w.self == 0) {
          waker.join();
          std::this_thread::sleep_for(std::chrono::milliseconds(500));
        }
        EXPECT_EQ(std::count(out.begin(), out.end(), -1), 100000);
        sum->release();
      },
      config, 2);
  munmap(shared, 4096);
}

// Who waits in an area for one that dies is told.
TEST(Deaths, EndACollectiveInAreas) {
  constexpr std::uint32_t n = 3;
  loadstone::testing::run_processes(
      n,
      [&](loadstone::rank& r) {
        world w(r, n, 0x200);
        const auto barrier = [&] {
          const std::lock_guard guard(r.endpoint->gate());
          return r.coll->run(r.coll->barrier(w.intra.view(w.self)), {});
        };
        for (int i = 0; i < 8; ++i) EXPECT_EQ(barrier(), 0);
        if (w.self == 2) raise(SIGKILL);
        EXPECT_EQ(barrier(), 58);  // MPI_ERR_PROC_ABORTED
      },
      {}, 2);
}

}  // namespace
}  // namespace loadstone::coll::test
