// The same synchronisation by each way to a target: what is put between a lock and its unlock, two
// fences, start and complete, is there for the next.
#include <chrono>
#include <thread>

#include "datatype/held.hpp"
#include "rma/accumulate.hpp"
#include "rma/sync.hpp"
#include "rma/windows.hpp"

namespace loadstone::test::ways_test {
namespace {

using datatype::basic;
using datatype::named;
using rma::flavor;
using rma::way;
using rule = transport::choice::rule_kind;

struct setting {
  const char* name;
  flavor kind;
  std::uint32_t ranks;
  bool vm;
  rule transport;
  bool threads;
  way of_first;  // from rank 1 to rank 0
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
  return out << s.name;
}

class ways : public ::testing::TestWithParam<setting> {
 protected:
  // With a window of `longs` numbers, all 0, at each rank.
  template <class Body>
  void run(std::size_t longs, Body&& what) {
    const setting& s = GetParam();
    deposit::endpoint_config config;
    config.vm = s.vm;
    config.transport.rule = s.transport;
    config.threads = s.threads;
    config.progress = s.threads ? deposit::endpoint_config::progress_kind::on
                                : deposit::endpoint_config::progress_kind::off;
    run_processes(s.ranks, config, {}, [&](node& n) {
      member me(n);
      std::vector<std::int64_t> ordinary(longs);
      auto window = me.make({.kind = s.kind,
                             .base = ordinary.data(),
                             .bytes = static_cast<std::int64_t>(8 * longs),
                             .unit = 8});
      std::memset(window->memory(), 0, 8 * longs);
      me.barrier();
      what(me, *window);
      if (me.self() == 1) {
        EXPECT_NE(window->known(0), nullptr);
        EXPECT_EQ(window->known(0)->way, s.of_first);
      }
      me.free(std::move(window));
    });
  }
  static std::int64_t get(rma::window& w, std::int32_t rank, std::int64_t at) {
    std::int64_t value = -1;
    EXPECT_TRUE(w.get(rank, {&value, 1, &named(basic::int64)}, {at, 1, &named(basic::int64)}).ok());
    return value;
  }
  static void put(rma::window& w, std::int32_t rank, std::int64_t at, std::int64_t value) {
    EXPECT_TRUE(w.put(rank, {&value, 1, &named(basic::int64)}, {at, 1, &named(basic::int64)}).ok());
  }
  template <class Call>
  static void gated(member& m, Call&& call) {
    const std::lock_guard hold(m.gate());
    EXPECT_TRUE(call());
  }
};

TEST_P(ways, an_exclusive_lock_excludes) {
  constexpr std::int64_t rounds = 200;
  run(1, [&](member& me, rma::window& w) {
    const auto ranks = static_cast<std::int32_t>(me.size());
    for (std::int64_t i = 0; i < rounds; ++i) {
      const std::int32_t target = i % 4 == 3 ? static_cast<std::int32_t>(i / 4) % ranks : 0;
      gated(me, [&] { return rma::lock(w, target, true, false, {}); });
      put(w, target, 0, get(w, target, 0) + 1);
      gated(me, [&] { return rma::unlock(w, target); });
    }
    me.barrier();
    std::int64_t sum = 0;
    for (std::int32_t r = 0; r < ranks; ++r) {
      gated(me, [&] { return rma::lock(w, r, false, false, {}); });
      sum += get(w, r, 0);
      gated(me, [&] { return rma::unlock(w, r); });
    }
    EXPECT_EQ(sum, rounds * ranks);
  });
}

TEST_P(ways, a_lock_of_all_is_shared) {
  run(8, [&](member& me, rma::window& w) {
    const auto ranks = static_cast<std::int32_t>(me.size()), self = static_cast<std::int32_t>(me.self());
    gated(me, [&] { return rma::lock_all(w, false, {}); });
    me.barrier();  // all have it at once
    for (std::int32_t r = 0; r < ranks; ++r) put(w, r, self, 100 * r + self);
    gated(me, [&] { return w.flush_all().ok(); });
    me.barrier();
    for (std::int32_t r = 0; r < ranks; ++r)
      for (std::int32_t from = 0; from < ranks; ++from) EXPECT_EQ(get(w, r, from), 100 * r + from);
    gated(me, [&] { return rma::unlock_all(w); });
  });
}

// lock_all takes the lock of a target when it is used first, whatever uses it.
TEST_P(ways, a_lock_of_all_waits_for_an_exclusive_one) {
  run(4, [&](member& me, rma::window& w) {
    const datatype::type& type = named(basic::int64);
    const datatype::op& sum = *datatype::predefined_op(0x21);
    ASSERT_EQ(sum.kind(), datatype::op_kind::sum);
    const std::int64_t one = 1;
    std::int64_t old = -1;
    // In contact, so that the shortest ways are taken.
    EXPECT_TRUE(rma::fetch_and_op(w, 0, &one, &old, type, 3, sum).ok());
    gated(me, [&] { return w.flush_all().ok(); });
    for (std::int64_t place = 0; place < 3; ++place) {
      if (me.self() == 1) gated(me, [&] { return rma::lock(w, 0, true, false, {}); });
      me.barrier();
      if (me.self() == 1) {
        EXPECT_EQ(get(w, 0, place), 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_EQ(get(w, 0, place), 0);  // nobody came in
        put(w, 0, place, 100);
        gated(me, [&] { return rma::unlock(w, 0); });
      } else {
        gated(me, [&] { return rma::lock_all(w, false, {}); });
        if (place == 0)
          EXPECT_TRUE(rma::fetch_and_op(w, 0, &one, &old, type, place, sum).ok());
        else if (place == 1)
          EXPECT_TRUE(rma::accumulate(w, 0, {const_cast<std::int64_t*>(&one), 1, &type}, nullptr,
                                      {place, 1, &type}, sum)
                          .ok());
        else
          for (std::int64_t seen = 100;; seen = old) {
            const std::int64_t next = seen + 1;
            EXPECT_TRUE(rma::compare_and_swap(w, 0, &next, &seen, &old, type, place).ok());
            if (old == seen) break;
          }
        gated(me, [&] { return rma::unlock_all(w); });
      }
      me.barrier();
      EXPECT_EQ(get(w, 0, place), 100 + me.size() - 1);
      me.barrier();
    }
  });
}

TEST_P(ways, a_fence_separates) {
  run(8, [&](member& me, rma::window& w) {
    const auto ranks = static_cast<std::int32_t>(me.size()), self = static_cast<std::int32_t>(me.self());
    for (std::int64_t round = 1; round <= 50; ++round) {
      gated(me, [&] { return rma::fence(w, {}); });
      for (std::int32_t r = 0; r < ranks; ++r) put(w, r, self, round * (r + 1) + self);
      gated(me, [&] { return rma::fence(w, {}); });
      for (std::int32_t from = 0; from < ranks; ++from)
        EXPECT_EQ(reinterpret_cast<const std::int64_t*>(w.memory())[from], round * (self + 1) + from);
    }
  });
}

TEST_P(ways, what_is_completed_is_there_after_the_wait) {
  run(8, [&](member& me, rma::window& w) {
    const auto ranks = static_cast<std::int32_t>(me.size()), self = static_cast<std::int32_t>(me.self());
    std::vector<std::int32_t> others;
    for (std::int32_t r = 0; r < ranks; ++r)
      if (r != self) others.push_back(r);
    for (std::int64_t round = 1; round <= 50; ++round) {
      gated(me, [&] { return rma::post(w, others); });
      gated(me, [&] { return rma::start(w, others, {}); });
      for (const std::int32_t r : others) put(w, r, self, round * (r + 1) + self);
      gated(me, [&] { return rma::complete(w, others); });
      gated(me, [&] { return rma::wait_exposure(w, {}); });
      for (const std::int32_t from : others)
        EXPECT_EQ(reinterpret_cast<const std::int64_t*>(w.memory())[from], round * (self + 1) + from);
    }
  });
}

// What is in memory of a window, at any time: a load, as MPI_WIN_UNIFIED allows it. It is no race that a
// sanitizer should know of.
[[gnu::no_sanitize("thread")]] std::int64_t seen_at(const std::int64_t* place) {
  return *static_cast<const volatile std::int64_t*>(place);
}

// Locks, puts and accumulates end while their target computes: it makes no call before all is there.
TEST_P(ways, a_target_that_computes_is_not_needed) {
  run(8, [&](member& me, rma::window& w) {
    const datatype::type& type = named(basic::int64);
    const std::int64_t one = 1, others = me.size() - 1;
    if (me.self() == 0) {
      const auto* const count = reinterpret_cast<const std::int64_t*>(w.memory());
      for (int i = 0; i < 30000 && seen_at(count) != others; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(seen_at(count), others);
    } else {
      gated(me, [&] { return rma::lock(w, 0, true, false, {}); });
      put(w, 0, me.self(), 7);
      EXPECT_EQ(get(w, 0, me.self()), 7);
      EXPECT_TRUE(rma::accumulate(w, 0, {const_cast<std::int64_t*>(&one), 1, &type}, nullptr, {0, 1, &type},
                                  *datatype::predefined_op(0x21))
                      .ok());
      gated(me, [&] { return rma::unlock(w, 0); });
    }
    me.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(
    each, ways,
    ::testing::Values(setting{"direct", flavor::allocated, 3, true, rule::mapped, false, way::direct},
                      setting{"system", flavor::created, 3, true, rule::mapped, false, way::system},
                      setting{"asked", flavor::created, 3, false, rule::mapped, false, way::asked},
                      setting{"poor", flavor::allocated, 3, true, rule::poor, false, way::asked},
                      setting{"poor_threads", flavor::created, 2, true, rule::poor, true, way::asked},
                      setting{"mixed", flavor::allocated, 4, true, rule::mixed, false, way::asked},
                      setting{"mixed_threads", flavor::created, 3, true, rule::mixed, true, way::asked}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace loadstone::test::ways_test
