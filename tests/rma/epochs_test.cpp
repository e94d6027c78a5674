// Fences, and post/start/complete/wait, between ranks.

#include <atomic>
#include <chrono>
#include <mutex>
#include <random>

#include "memory/wait_note.hpp"
#include "rma/deaths.hpp"
#include "rma/members.hpp"
#include "rma/sync.hpp"
#include "rma/windows.hpp"

namespace loadstone::test::epochs_test {
namespace {

using namespace std::chrono_literals;

const wait::reason why{.call = 9};

// Each rank stores into a word of every other one before a fence, and reads its own behind it. Plain words:
// nothing but the fence puts them in order.
void fences(node& n, std::uint64_t rounds) {
  const std::lock_guard hold(n.endpoint->gate());
  members w(n);
  std::mt19937 random(n.self + 1);
  const auto each = static_cast<std::uint32_t>(std::min<std::size_t>(n.size, members::data_words));
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    if (random() % 32 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 400));
    for (std::uint32_t k = 1; k < each; ++k) w.data_of((n.self + k) % n.size)[k] = i;
    ASSERT_TRUE(w.sync().barrier(why));
    for (std::uint32_t k = 1; k < each; ++k) ASSERT_EQ(w.data_of(n.self)[k], i) << "rank " << n.self;
    ASSERT_TRUE(w.sync().barrier(why));
  }
}

// With as many cores as ranks by flags, else by counters, as the job says.
const memory::job_config with_cores{.cpus = 1000}, without_cores{.cpus = 1};
// Who thinks that there are cores does not give them away.
std::uint64_t rounds(node& n) {
  return n.job->header().cpus == 1 ? 300 : 20;
}

TEST(fences, of_any_number_of_threads) {
  for (const auto& job : {with_cores, without_cores})
    for (std::uint32_t size : {1u, 2u, 3u, 7u})
      run_threads(size, {}, {}, [](node& n) { fences(n, rounds(n)); }, job);
}
TEST(fences, of_16_processes) {
  for (const auto& job : {with_cores, without_cores})
    run_processes(16, {}, {}, [](node& n) { fences(n, rounds(n)); }, job);
}
TEST(fences, of_128_processes) {
  for (const auto& job : {with_cores, without_cores})
    run_processes(128, {}, {}, [](node& n) { fences(n, 5); }, job);
}
TEST(fences, no_wake_up_is_lost) {
  deposit::endpoint_config config;
  config.waiting = wait::mode::block;
  for (const auto& job : {with_cores, without_cores})
    run_processes(3, config, {}, [](node& n) { fences(n, 1000); }, job);
}
TEST(fences, of_ranks_with_threads) {
  deposit::endpoint_config config;
  config.threads = true;
  run_threads(3, config, {}, [](node& n) { fences(n, 300); });
}

// Where records are not mapped: flags go by message.
TEST(fences, without_mapped_records) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  run_processes(3, config, {}, [](node& n) {
    members w(n);
    for (int i = 0; i < 50; ++i) {
      std::uint32_t met = 0;
      n.endpoint->set_handler(
          44, [](void* c, incoming&, bool) { return ++*static_cast<std::uint32_t*>(c), verdict::consumed; },
          &met);
      ASSERT_TRUE(w.sync().barrier(why));
      for (std::uint32_t r = 0; r < n.size; ++r)
        if (r != n.self) n.endpoint->send_active(r, 44, traffic::control, nullptr, 0, nullptr, 0);
      ASSERT_TRUE(w.sync().barrier(why));
      // What came before the flag of a neighbour is handled before it.
      EXPECT_TRUE(n.wait([&] { return met == n.size - 1; }));
      n.barrier();
    }
  });
}

// Who is past the last one gives its record back, and the next window's may lie there.
TEST(fences, the_last_one_leaves_the_record_to_its_owner) {
  for (const auto& job : {with_cores, without_cores})
    run_processes(
        4, {}, {},
        [](node& n) {
          member m(n);
          for (std::uint64_t i = 0; i < 5 * rounds(n); ++i) {
            auto w = m.make({.kind = rma::flavor::allocated, .bytes = 64});
            ASSERT_TRUE(rma::fence(*w, why));
            ASSERT_TRUE(rma::fence(*w, why));
            ASSERT_TRUE(rma::leave(*w, why));
            std::memset(static_cast<void*>(&w->own()), 0, sizeof(rma::window_record));
            w.reset();
          }
        },
        job);
}

void idle(node& n) {
  members w(n);
  n.barrier();
  const bool by_flags = n.job->header().cpus >= n.size;
  const double before = cpu_seconds();
  if (n.self == 0) {
    std::this_thread::sleep_for(1s);
    const auto waits = memory::waits_of(n.job->process(1));
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(waits[0].peer, by_flags ? 0 : -1);
    EXPECT_EQ(waits[0].detail, by_flags ? "fence, round 1 of 2" : "fence, 2 of 3 are there");
    std::this_thread::sleep_for(1s);
  }
  ASSERT_TRUE(w.sync().barrier(why));
  EXPECT_LE(cpu_seconds() - before, 0.02);
}

TEST(fences, two_seconds_of_waiting_cost_almost_nothing) {
  for (const auto& job : {with_cores, without_cores}) run_processes(3, {}, {}, idle, job);
}

// --- post, start, complete, wait ---

// Random groups, the same at all ranks: rank t posts to those that the round has as its origins, and each
// origin starts, in a random way, with all of its targets at once or with one after another. Plain words.
void epochs(node& n, std::uint64_t rounds, bool test) {
  const std::lock_guard hold(n.endpoint->gate());
  members w(n);
  std::mt19937 shared_random(7), own_random(n.self + 1);
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    std::vector<std::int32_t> origins, targets;  // of us
    for (std::uint32_t t = 0; t < n.size; ++t)
      for (std::uint32_t o = 0; o < n.size; ++o) {
        if (shared_random() % 3 == 0) continue;
        if (t == n.self) origins.push_back(static_cast<std::int32_t>(o));
        if (o == n.self) targets.push_back(static_cast<std::int32_t>(t));
      }
    if (own_random() % 32 == 0) std::this_thread::sleep_for(std::chrono::microseconds(own_random() % 400));
    std::shuffle(origins.begin(), origins.end(), own_random);
    ASSERT_TRUE(w.sync().post(origins));
    const bool one_by_one = own_random() % 2 == 0;
    // One after another in the same order everywhere: none waits for a target that waits for it.
    const auto access = [&](std::span<const std::int32_t> part) {
      ASSERT_TRUE(w.sync().start(part, why));
      for (const std::int32_t t : part) {
        std::uint64_t& word = w.data_of(static_cast<std::uint32_t>(t))[n.self];
        EXPECT_EQ(word % 2, 0u) << "not exposed";
        word += 1;
      }
      ASSERT_TRUE(w.sync().complete(part));
    };
    if (one_by_one)
      for (std::size_t k = 0; k < targets.size(); ++k) access(std::span(targets).subspan(k, 1));
    else
      access(targets);
    if (test) {
      ASSERT_TRUE(n.wait([&] { return w.sync().exposure_is_over(); }));
    } else {
      ASSERT_TRUE(w.sync().wait_exposure(why));
    }
    for (const std::int32_t o : origins) {
      std::uint64_t& word = w.data_of(n.self)[o];
      EXPECT_EQ(word % 2, 1u) << "origin " << o << " has completed";
      word += 1;
    }
  }
}

TEST(epochs, of_any_number_of_threads) {
  for (std::uint32_t size : {1u, 2u, 3u, 7u})
    run_threads(size, {}, {}, [](node& n) { epochs(n, 200, n.self % 2 == 0); });
}
TEST(epochs, of_8_processes) {
  run_processes(8, {}, {}, [](node& n) { epochs(n, 400, false); });
}
TEST(epochs, no_wake_up_is_lost) {
  deposit::endpoint_config config;
  config.waiting = wait::mode::block;
  run_processes(3, config, {}, [](node& n) { epochs(n, 1000, false); });
}

// Two targets post, and we start with one of them, twice; the other's post keeps.
TEST(epochs, a_start_may_be_for_some_of_those_that_posted) {
  run_processes(3, {}, {}, [](node& n) {
    members w(n);
    const std::int32_t origin[] = {0}, first[] = {1}, second[] = {2};
    if (n.self == 0) {
      ASSERT_TRUE(n.wait([&] { return w.own().slots()[2].posted.load() == 1; }));
      for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(w.sync().start(first, why));
        ASSERT_TRUE(w.sync().complete(first));
      }
      ASSERT_TRUE(w.sync().start(second, why));
      ASSERT_TRUE(w.sync().complete(second));
    } else {
      for (int i = 0; i < (n.self == 1 ? 2 : 1); ++i) {
        ASSERT_TRUE(w.sync().post(origin));
        ASSERT_TRUE(w.sync().wait_exposure(why));
      }
    }
  });
}

TEST(epochs, without_mapped_records) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  run_processes(3, config, {}, [](node& n) {
    members w(n);
    const std::int32_t next[] = {static_cast<std::int32_t>((n.self + 1) % n.size)};
    const std::int32_t previous[] = {static_cast<std::int32_t>((n.self + n.size - 1) % n.size)};
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(w.sync().post(previous));
      ASSERT_TRUE(w.sync().start(next, why));
      ASSERT_TRUE(w.sync().complete(next));
      ASSERT_TRUE(w.sync().wait_exposure(why));
    }
    EXPECT_EQ(w.own().exposure.completed.load(), 50u);
    EXPECT_EQ(w.own().slots()[next[0]].posted.load(), 50u);
  });
}

TEST(epochs, two_seconds_of_waiting_cost_almost_nothing) {
  run_processes(3, {}, {}, [](node& n) {
    members w(n);
    const std::int32_t zero[] = {0}, one[] = {1};
    n.barrier();
    const double before = cpu_seconds();
    const auto detail = [&](std::uint32_t rank) {
      const auto waits = memory::waits_of(n.job->process(rank));
      return waits.empty() ? std::string() : std::to_string(waits[0].peer) + " " + waits[0].detail;
    };
    if (n.self == 0) {  // 1 waits for our completion, 2 for our post
      ASSERT_TRUE(w.sync().start(one, why));
      std::this_thread::sleep_for(1s);
      EXPECT_EQ(detail(1), "0 1 completion missing");
      EXPECT_EQ(detail(2), "0 post");
      std::this_thread::sleep_for(1s);
      ASSERT_TRUE(w.sync().complete(one));
      const std::int32_t two[] = {2};
      ASSERT_TRUE(w.sync().post(two));
      ASSERT_TRUE(w.sync().wait_exposure(why));
    } else if (n.self == 1) {
      ASSERT_TRUE(w.sync().post(zero));
      ASSERT_TRUE(w.sync().wait_exposure(why));
    } else {
      ASSERT_TRUE(w.sync().start(zero, why));
      ASSERT_TRUE(w.sync().complete(zero));
    }
    EXPECT_LE(cpu_seconds() - before, 0.02);
  });
}

// Rank 2 dies; 0 and 1 wait for it in each of the three ways.
TEST(epochs, a_death_ends_each_wait) {
  for (const memory::job_config& config : {with_cores, without_cores})
    run_with_a_death(3, {}, config, [](node& n) {
      members& w = *new members(n);
      if (n.self == 2) {
        std::this_thread::sleep_for(300ms);
        raise(SIGKILL);
      }
      const std::int32_t both[] = {static_cast<std::int32_t>(1 - n.self), 2};
      EXPECT_TRUE(w.sync().post(both));
      EXPECT_FALSE(w.sync().start(both, why));
      EXPECT_FALSE(w.sync().wait_exposure(why));
      EXPECT_FALSE(w.sync().barrier(why));
    });
}

// As MPI_Win_test does. Who has completed before it died is not missed.
TEST(epochs, a_death_is_told_to_who_only_asks) {
  for (const bool completes : {false, true})
    run_with_a_death(3, {}, with_cores, [completes](node& n) {
      members& w = *new members(n);
      const std::int32_t last[] = {2};
      if (n.self != 2) {
        EXPECT_TRUE(w.sync().post(last));
        bool lost = false;
        while (!w.sync().exposure_is_over() && !lost) {
          n.endpoint->poll();
          lost = w.sync().exposure_is_lost();
        }
        EXPECT_EQ(lost, !completes);
        EXPECT_EQ(w.sync().exposure_is_over(), completes);
        return;
      }
      const std::int32_t others[] = {0, 1};
      EXPECT_TRUE(w.sync().start(others, why));
      if (completes) {
        EXPECT_TRUE(w.sync().complete(others));
      }
      std::this_thread::sleep_for(150ms);
      raise(SIGKILL);
    });
}

}  // namespace
}  // namespace loadstone::test::epochs_test
