// Waiting: nobody burns a processor, nobody is left asleep, and the end of a job ends every wait.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "deposit/ranks.hpp"
#include "memory/wait_note.hpp"

namespace loadstone::test {
namespace {

double cpu_seconds() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

struct count {
  std::uint64_t arrived = 0;
  static verdict take(void* context, incoming&, bool) {
    ++static_cast<count*>(context)->arrived;
    return verdict::consumed;
  }
};

// Four waits of half a second; polling all the time would cost half a second each. The least counts: beside other work,
// what a look costs varies tenfold, and where nobody can wake it, there are a hundred looks in each wait.
void idle(node& n) {
  constexpr std::uint64_t waits = 4;
  count c;
  n.endpoint->set_handler(40, count::take, &c);
  n.barrier();
  double least = 1;
  for (std::uint64_t i = 1; i <= waits; ++i) {
    if (n.self == 0) {
      const double before = cpu_seconds();
      ASSERT_TRUE(n.wait([&] { return c.arrived == i; }, "a late message"));
      least = std::min(least, cpu_seconds() - before);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      n.endpoint->send_active(0, 40, traffic::user, nullptr, 0, nullptr, 0);
    }
  }
  if (n.self == 0) {
    EXPECT_LT(least, n.endpoint->route_to(1).mapped ? 0.01 : 0.05);
    EXPECT_GT(n.endpoint->counts().sleeps, 0u);
  }
}

TEST(waiting, two_seconds_cost_almost_nothing) {
  run_processes(2, {}, {}, idle);
}

TEST(waiting, two_seconds_cost_almost_nothing_on_the_poor_transport) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  run_processes(2, config, {}, idle);
}

// Who has slept and is woken in vain is seen waiting all the time, for whom and for what.
TEST(waiting, who_looks_whether_its_wait_is_over_is_seen_waiting) {
  for (const bool threads : {false, true}) {
    deposit::endpoint_config config;
    config.threads = threads;
    run_processes(2, config, {}, [](node& n) {
      count c;
      {
        const std::lock_guard hold(n.endpoint->gate());
        n.endpoint->set_handler(40, count::take, &c);
        n.barrier();
        if (n.self == 0) {
          EXPECT_TRUE(n.wait([&] { return c.arrived == 1; }, "a late message"));
          EXPECT_TRUE(memory::waits_of(n.job->process(0)).empty());
          return;
        }
      }
      const auto waits = [&] { return memory::waits_of(n.job->process(0)); };
      while (waits().empty()) std::this_thread::yield();
      std::uint32_t awake = 0, gaps = 0;
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (awake < 100 && std::chrono::steady_clock::now() < until) {
        n.endpoint->wake(0);
        for (int look = 0; look < 100; ++look) {
          const auto seen = waits();
          gaps += seen.size() != 1 || seen[0].detail != "a late message";
          awake += !seen.empty() && seen[0].awake;
        }
      }
      EXPECT_EQ(gaps, 0u);
      EXPECT_GE(awake, 100u);
      const std::lock_guard hold(n.endpoint->gate());
      n.endpoint->send_active(0, 40, traffic::user, nullptr, 0, nullptr, 0);
    });
  }
}

// A wait that names nobody asks those whom something was sent to, and no others, what their sleeps
// cost.
TEST(waiting, what_the_sleeps_of_strangers_cost_does_not_keep_awake) {
  memory::job_config with_cores;
  with_cores.cpus = 8;
  run_threads(
      3, {}, {},
      [](node& n) {
        if (n.self == 2) n.job->process(2).sleep_cost.store(4'000'000'000);
        n.barrier();  // ranks 1 and 2 speak to 0 only
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
        auto over = [&] { return std::chrono::steady_clock::now() >= until; };
        const std::uint64_t before = n.endpoint->counts().sleeps;
        EXPECT_TRUE(n.wait(over));
        if (n.self == 1) {
          EXPECT_GT(n.endpoint->counts().sleeps, before);
        }
      },
      with_cores);
}

// While something is under way nobody sleeps before it should be over; after that, as ever. What is waited for comes by itself.
TEST(waiting, what_is_expected_is_waited_for_awake) {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  for (bool threads : {false, true}) {
    deposit::endpoint_config config;
    config.threads = threads;
    run_threads(1, config, {}, [](node& n) {
      const std::lock_guard hold(n.endpoint->gate());
      const auto sleeps_in = [&](milliseconds wait) {
        const std::uint64_t before = n.endpoint->counts().sleeps;
        const auto until = steady_clock::now() + wait;
        EXPECT_TRUE(n.wait([&] { return steady_clock::now() >= until; }));
        return n.endpoint->counts().sleeps - before;
      };
      // Where others want the core, all the time may have passed between two looks: some attempts.
      const auto sleeps = [&] {
        bool any = false;
        for (int attempt = 0; attempt < 50 && !any; ++attempt) any = sleeps_in(milliseconds(3)) != 0;
        return any;
      };
      const auto stays_awake = [&] {
        bool all = false;
        for (int attempt = 0; attempt < 50 && !all; ++attempt) {
          n.endpoint->expect(9'000'000);
          all = sleeps_in(milliseconds(3)) == 0;
        }
        return all;
      };
      EXPECT_TRUE(sleeps());
      EXPECT_TRUE(stays_awake());
      std::this_thread::sleep_for(milliseconds(10));
      EXPECT_TRUE(sleeps()) << "it counts once";
    });
  }
}

// What comes by words in memory, part by part, is polled for after each part, after a sleep, too. Nobody rings for the parts.
TEST(waiting, each_part_that_has_come_is_followed_by_polls) {
  using std::chrono::microseconds, std::chrono::steady_clock;
  for (bool threads : {false, true}) {
    deposit::endpoint_config config;
    config.threads = threads;
    run_threads(1, config, {}, [](node& n) {
      const std::lock_guard hold(n.endpoint->gate());
      const std::uint64_t before = n.endpoint->counts().sleeps;
      int parts = 0;
      auto next = steady_clock::now() + std::chrono::milliseconds(20);
      EXPECT_TRUE(n.wait([&] {
        if (steady_clock::now() < next) return false;
        next = steady_clock::now() + microseconds(30);
        n.endpoint->words().note_progress();
        return ++parts == 40;
      }));
      // One before the first, and some where others want the core.
      EXPECT_LT(n.endpoint->counts().sleeps - before, 10u);
    });
  }
}

// What a condition attempts neither waits nor polls, whatever stands in its way.
TEST(waiting, an_attempt_to_send_waits_for_nothing) {
  memory::job_config two;
  two.world_size = 2;
  auto job = memory::job::create(two);
  ASSERT_TRUE(job);
  auto first = (*job)->second_view(), second = (*job)->second_view();
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  deposit::endpoint_config config;
  config.cell_bytes_limit = 1 << 20;
  const auto sender = node::open(std::move(*first), 0, config, {});
  const std::vector<std::byte> payload(100'000);
  const auto attempt = [&] {
    return sender->endpoint->attempt_active(1, 40, traffic::control, nullptr, 0, nullptr,
                                            const_cast<std::byte*>(payload.data()), payload.size());
  };
  std::optional<outcome> result = outcome::sent;
  EXPECT_TRUE(sender->wait([&] {
    result = attempt();
    return true;
  }));
  EXPECT_EQ(result, std::nullopt) << "nobody is there yet";
  const auto receiver = node::open(std::move(*second), 1, config, {});
  count arrived;
  receiver->endpoint->set_handler(40, count::take, &arrived);
  std::uint64_t sent = 0;
  while ((result = attempt()) == outcome::sent) ++sent;
  EXPECT_EQ(result, outcome::again) << "all buffers are used up";
  EXPECT_GE(sent, 1u);
  while (arrived.arrived < sent) receiver->endpoint->poll();
  EXPECT_EQ(attempt(), outcome::sent);
}

// A barrier of more ranks than cores: correct, and its cost in processor time is bounded (wall time is for
// benchmarks).
TEST(waiting, barriers_of_more_ranks_than_cores) {
  run_processes(8, {}, {}, [](node& n) {
    constexpr int rounds = 100;
    double least = 1;
    for (int attempt = 0; attempt < 4; ++attempt) {
      n.barrier();
      const double before = cpu_seconds();
      for (int i = 0; i < rounds; ++i) n.barrier();
      least = std::min(least, cpu_seconds() - before);
    }
    // 8 × 0.2 ms of processor time for each would be a spinning wait.
    EXPECT_LT(least / rounds, 0.0005);
  });
}

// The three ways to be woken: a message, a counter, a plain store with wake(); thousands of times, from
// asleep.
TEST(waiting, no_wake_up_is_lost) {
  deposit::endpoint_config config;
  config.waiting = wait::mode::block;  // sleep at once: every round goes through the whole protocol
  run_processes(3, config, {}, [](node& n) {
    constexpr std::uint64_t rounds = 3000;
    count c;
    n.endpoint->set_handler(40, count::take, &c);
    struct words {
      std::atomic<std::uint64_t> counter, plain;
    };
    auto block = n.arena->allocate(sizeof(words));
    ASSERT_TRUE(block);
    auto* mine = new (*block) words{};
    memory::address where = n.arena->address_of(mine);
    struct inbox {
      memory::address from[3];
      int known = 0;
    } book;
    n.endpoint->set_handler(
        41,
        [](void* context, incoming& m, bool) {
          auto& b = *static_cast<inbox*>(context);
          std::memcpy(&b.from[m.source()], m.payload(), sizeof(memory::address));
          ++b.known;
          return verdict::consumed;
        },
        &book);
    n.barrier();
    for (std::uint32_t p = 0; p < 3; ++p)
      n.endpoint->send_active(p, 41, traffic::control, nullptr, 0, &where, sizeof where);
    ASSERT_TRUE(n.wait([&] { return book.known == 3; }));
    std::uint32_t next = (n.self + 1) % 3;
    auto pinned = n.endpoint->map(book.from[next].region);
    ASSERT_TRUE(pinned);
    auto* theirs = reinterpret_cast<words*>(pinned.at(book.from[next].offset));
    // A token goes around, by a different vehicle each time.
    for (std::uint64_t i = 1; i <= rounds; ++i) {
      if (n.self != 0 || i > 1) {
        std::uint64_t turn = n.self == 0 ? i - 1 : i;
        bool ok = n.wait([&] {
          switch (turn % 3) {
            case 0:
              return c.arrived >= turn / 3;
            case 1:
              return mine->counter.load(std::memory_order_acquire) >= (turn + 2) / 3;
            default:
              return mine->plain.load(std::memory_order_acquire) >= turn;
          }
        });
        ASSERT_TRUE(ok);
      }
      switch (i % 3) {
        case 0:
          n.endpoint->send_active(next, 40, traffic::user, nullptr, 0, nullptr, 0);
          break;
        case 1:
          ASSERT_TRUE(n.endpoint->deposits().signal(next, {book.from[next]}, 1).ok());
          break;
        default:
          theirs->plain.store(i, std::memory_order_release);
          n.endpoint->wake(next);
      }
    }
    n.barrier();
    EXPECT_GT(n.endpoint->counts().sleeps, rounds / 4) << "the test must really sleep";
  });
}

TEST(waiting, the_end_of_the_job_ends_it) {
  memory::job_config job_config;
  job_config.world_size = 1;
  auto job = memory::job::create(job_config);
  ASSERT_TRUE(job);
  for (bool threads : {false, true}) {
    auto view = (*job)->second_view();
    ASSERT_TRUE(view);
    deposit::endpoint_config config;
    config.threads = threads;
    (*job)->process(0).state.store(0);
    (*job)->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::running));
    auto n = node::open(std::move(*view), 0, config, {});
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      (*job)->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::stopping));
    });
    {
      std::lock_guard hold(n->endpoint->gate());
      EXPECT_FALSE(n->wait([] { return false; }));
    }
    stopper.join();
  }
}

// The arena is used up by queued messages: the sender waits, takes part in what arrives meanwhile, and loses
// nothing.
TEST(waiting, a_sender_without_memory_waits_for_its_receiver) {
  memory::job_config small;
  small.arena_limit = 2u << 20;
  run_processes(
      2, {}, {},
      [](node& n) {
        constexpr std::uint64_t messages = 40'000;  // 5 MB of slots
        struct order {
          std::uint64_t next = 0;
          bool wrong = false, refusing = false;
        } o;
        n.endpoint->set_handler(
            42,
            [](void* context, incoming& m, bool queued) {
              auto& o = *static_cast<order*>(context);
              if (queued && o.refusing) return verdict::left;
              std::uint64_t number;
              std::memcpy(&number, m.header(), 8);
              if (number != o.next++) o.wrong = true;
              return verdict::consumed;
            },
            &o);
        if (n.self == 1) {
          o.refusing = true;
          n.endpoint->refuse_user_traffic(true);
        }
        n.barrier();
        if (n.self == 0) {
          for (std::uint64_t i = 0; i < messages; ++i)
            ASSERT_EQ(n.endpoint->send_active(1, 42, traffic::user, &i, 8, nullptr, 0),
                      deposit::outcome::sent);
        } else {
          // Until the sender sleeps for want of memory, nothing is taken.
          auto& sleeps = n.job->process(0).sleeps;
          std::uint64_t before = sleeps.load();
          ASSERT_TRUE(n.wait([&] { return sleeps.load() > before + 3; }));
          o.refusing = false;
          n.endpoint->refuse_user_traffic(false);
          ASSERT_TRUE(n.wait([&] {
            n.endpoint->search_queues(0);
            return o.next == messages;
          }));
          EXPECT_FALSE(o.wrong);
        }
      },
      small);
}

}  // namespace
}  // namespace loadstone::test
