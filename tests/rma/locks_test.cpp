// Passive locks between ranks: exclusion, order, wake-ups, what waits say, and what ends them.

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>

#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"
#include "rma/deaths.hpp"
#include "rma/members.hpp"

namespace loadstone::test::locks_test {
namespace {

using namespace std::chrono_literals;

constexpr bool exclusive = true, shared = false;
const wait::reason why{.call = 7};

// A word in job memory that tests, not the library, pass notes by.
std::atomic_ref<std::uint64_t> note(members& w, std::uint32_t rank, std::size_t i) {
  return std::atomic_ref<std::uint64_t>(w.data_of(rank)[i]);
}

// Two words that only agree outside of exclusive locks, and how often that was seen.
void hammer(node& n, std::uint64_t rounds, unsigned shared_in_8) {
  members w(n);
  std::mt19937 random(n.self + 1);
  std::uint64_t writes = 0, met = 0;
  n.barrier();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::uint32_t target = random() % 8 == 0 ? random() % n.size : 0;
    rma::partner& p = w.at(target);
    std::uint64_t* const data = w.data_of(target);
    const bool write = random() % 8 >= shared_in_8;
    ASSERT_TRUE(w.sync().lock(p, write, false, why));
    if (write) {
      ++writes;
      data[0] += 1;
      if (random() % 64 == 0) std::this_thread::yield();
      if (random() % 1024 == 0) {
        // Until somebody waits for it, and long enough that they sleep; all others may be done.
        const auto waited_for = [&] { return rma::lock_state{p.record->lock.state.load()}.last() != 0; };
        for (int looks = 0; looks < 20 && !waited_for(); ++looks) std::this_thread::sleep_for(50us);
        if (waited_for()) {
          ++met;
          std::this_thread::sleep_for(100us);
        }
      }
      data[8] += 1;
    } else {
      EXPECT_EQ(data[0], data[8]);
    }
    w.sync().unlock(p);
  }
  note(w, 0, 16).fetch_add(writes);
  note(w, 0, 17).fetch_add(met);
  n.barrier();
  if (n.self == 0) {
    std::uint64_t sum = 0;
    for (std::uint32_t r = 0; r < n.size; ++r) {
      sum += w.data_of(r)[0];
      EXPECT_EQ(w.data_of(r)[0], w.data_of(r)[8]);
      EXPECT_EQ(w.at(r).record->lock.state.load(), 0u) << "rank " << r;
    }
    EXPECT_EQ(sum, note(w, 0, 16).load());
    EXPECT_GT(sum, 0u);
    if (n.size > 1 && n.size * rounds > 20'000) {
      EXPECT_GT(note(w, 0, 17).load(), 0u);
    }
  }
  n.barrier();
}

TEST(locks, exclude_between_threads) {
  for (std::uint32_t size : {1u, 2u, 5u}) run_threads(size, {}, {}, [](node& n) { hammer(n, 3000, 0); });
}
TEST(locks, readers_and_writers_between_threads) {
  for (std::uint32_t size : {2u, 4u}) run_threads(size, {}, {}, [](node& n) { hammer(n, 3000, 5); });
}
TEST(locks, exclude_between_processes) {
  run_processes(8, {}, {}, [](node& n) { hammer(n, 20000, 0); });
}
TEST(locks, readers_and_writers_between_processes) {
  run_processes(7, {}, {}, [](node& n) { hammer(n, 20000, 5); });
}
TEST(locks, no_wake_up_is_lost) {
  deposit::endpoint_config config;
  config.waiting = wait::mode::block;  // sleep at once
  run_processes(4, config, {}, [](node& n) { hammer(n, 20000, 3); });
}

// A lock that is taken and given back all the time, past two that wait and have no core: as if they were
// not scheduled. They look when the test says so.
TEST(locks, who_waits_is_passed_so_often_and_no_more) {
  run_threads(4, {}, {}, [](node& n) {
    members w(n);
    rma::partner& p = w.at(0);
    n.barrier();
    std::uint64_t taken = 0;
    const auto pass = [&](std::uint64_t most) {  // until it is not to be had any more
      std::uint64_t before = taken;
      while (taken - before < most && rma::try_lock(*p.record, n.self, exclusive)) {
        ++taken;
        p.lock = rma::lock_kind::exclusive;
        EXPECT_TRUE(w.sync().unlock(p));
      }
      return taken - before;
    };
    if (n.self == 0) {
      const auto waiter = [&](std::int32_t rank, bool how) {
        const auto process = static_cast<std::uint32_t>(rank);
        return std::make_unique<rma::lock_waiter>(*p.record, rank, process, process, how);
      };
      for (const bool second_is : {exclusive, shared}) {
        ASSERT_TRUE(rma::try_lock(*p.record, 0, exclusive));
        p.lock = rma::lock_kind::exclusive;
        const auto third = waiter(3, exclusive), first = waiter(1, exclusive), second = waiter(2, second_is);
        EXPECT_TRUE(w.sync().unlock(p));
        const std::array<rma::lock_waiter*, 3> arrived{third.get(), first.get(), second.get()};
        const std::array<std::uint32_t, 3> process{3, 1, 2};
        for (std::size_t turn = 0; turn < arrived.size(); ++turn) {
          // Each of those that give it back passes a waiter most_passes times; here there is one.
          EXPECT_LE(pass(10 * rma::most_passes), rma::most_passes) << "turn " << turn;
          EXPECT_EQ(pass(1), 0u);
          // The last that came has its turn after all others, however often it looks.
          for (std::size_t later = arrived.size(); --later > turn;)
            EXPECT_EQ(arrived[later]->look(), rma::lock_waiter::answer::not_yet) << turn << ' ' << later;
          ASSERT_EQ(arrived[turn]->look(), rma::lock_waiter::answer::taken) << "turn " << turn;
          rma::give_back(*p.record, process[turn], turn < 2 || second_is == exclusive);
        }
        EXPECT_EQ(p.record->lock.state.load(), 0u);
        EXPECT_GT(pass(2 * rma::most_passes + 1), 2 * rma::most_passes) << "nobody waits";
      }
    }
    n.barrier();
  });
}

// Two writers each wait for a reader; what the readers have is what the other one wants, as if each
// were in MPI_Win_lock_all and came to its targets in a different order.
TEST(locks, who_has_some_joins_readers_past_writers_that_wait) {
  run_threads(4, {}, {}, [](node& n) {
    members w(n);
    n.barrier();
    if (n.self < 2) {
      rma::partner &first = w.at(n.self), &second = w.at(1 - n.self);
      ASSERT_TRUE(w.sync().lock(first, shared, false, why));
      const std::uint32_t writes = 2 + n.self;
      rma::lock_waiter writer(*first.record, static_cast<std::int32_t>(writes), writes, writes, exclusive);
      rma::reserve_for_first(*first.record);
      EXPECT_FALSE(rma::try_lock(*first.record, n.self, shared)) << "nobody else passes it";
      n.barrier();
      ASSERT_TRUE(w.sync().lock(second, shared, false, why));
      EXPECT_EQ(writer.look(), rma::lock_waiter::answer::not_yet);
      n.barrier();
      EXPECT_TRUE(w.sync().unlock(second));
      EXPECT_TRUE(w.sync().unlock(first));
      n.barrier();
      EXPECT_EQ(writer.look(), rma::lock_waiter::answer::taken);
      // Nobody joins a writer, or readers whom nobody has to be let past.
      EXPECT_FALSE(rma::try_lock(*first.record, n.self, shared, true));
      rma::give_back(*first.record, writes, exclusive);
      EXPECT_EQ(first.record->lock.state.load(), 0u);
    } else {
      for (int i = 0; i < 3; ++i) n.barrier();
    }
    n.barrier();
  });
}

// Of a first and of a second in the queue; what mpiexec reads of them; and the lock of one's own.
TEST(locks, two_seconds_of_waiting_cost_almost_nothing) {
  run_processes(4, {}, {}, [](node& n) {
    members w(n);
    rma::partner& p = w.at(0);
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(p, exclusive, false, why));
    }
    n.barrier();
    if (n.self == 0) {
      std::this_thread::sleep_for(1s);
      for (std::uint32_t r = 1; r < n.size; ++r) {
        const auto waits = memory::waits_of(n.job->process(r));
        ASSERT_EQ(waits.size(), 1u) << "rank " << r;
        EXPECT_EQ(waits[0].call, why.call);
        EXPECT_EQ(waits[0].peer, 0);
        EXPECT_EQ(waits[0].detail, "lock of rank 0");
        EXPECT_GT(waits[0].waited_ns, 500'000'000u);
      }
      std::this_thread::sleep_for(1s);
      w.sync().unlock(p);
    } else {
      const double before = cpu_seconds();
      ASSERT_TRUE(w.sync().lock(p, n.self == 3 ? shared : exclusive, false, why));
      EXPECT_LE(cpu_seconds() - before, 0.02);
      w.sync().unlock(p);
    }
  });
}

TEST(locks, readers_are_counted_for_who_waits_for_them) {
  run_processes(3, {}, {}, [](node& n) {
    members w(n);
    rma::partner& p = w.at(1);
    if (n.self != 0) {
      ASSERT_TRUE(w.sync().lock(p, shared, false, why));
    }
    n.barrier();
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(p, exclusive, false, why));
      EXPECT_EQ(note(w, 1, 0).load(), 2u);
    } else {
      std::vector<memory::seen_wait> waits;
      while ((waits = memory::waits_of(n.job->process(0))).empty() ||
             waits[0].detail != "lock of rank 1, 2 readers")
        std::this_thread::sleep_for(1ms);
      EXPECT_EQ(waits[0].peer, -1);
      std::this_thread::sleep_for(10ms);
      note(w, 1, 0).fetch_add(1);
    }
    w.sync().unlock(p);
  });
}

// Each of two readers goes on only when the other has its lock as well: they were behind a writer, and
// nobody gives anything back meanwhile.
TEST(locks, a_reader_lets_the_next_one_in) {
  for (auto how : {wait::mode::adaptive, wait::mode::block}) {
    deposit::endpoint_config config;
    config.waiting = how;
    run_processes(4, config, {}, [](node& n) {
      members w(n);
      rma::partner& p = w.at(0);
      if (n.self == 0) {
        ASSERT_TRUE(w.sync().lock(p, exclusive, false, why));
      }
      n.barrier();
      if (n.self == 0) {
        while (rma::lock_state{w.own().lock.state.load()}.last() == 0) std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(50ms);
        w.sync().unlock(p);
      } else {
        ASSERT_TRUE(w.sync().lock(p, shared, false, why));
        note(w, 0, 0).fetch_add(1);
        while (note(w, 0, 0).load() != n.size - 1) std::this_thread::sleep_for(1ms);
        w.sync().unlock(p);
      }
    });
  }
}

TEST(locks, nocheck_leaves_the_words_alone) {
  run_processes(2, {}, {}, [](node& n) {
    members w(n);
    rma::partner& p = w.at(0);
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(p, exclusive, false, why));
    }
    n.barrier();
    if (n.self == 1) {
      const std::uint64_t before = p.record->lock.state.load();
      const auto against = rma::holder_against(*p.record, shared);
      ASSERT_TRUE(against);
      EXPECT_EQ(against->process, 0u);
      EXPECT_TRUE(w.sync().lock(p, exclusive, true, why));
      EXPECT_EQ(p.record->lock.state.load(), before);
      w.sync().unlock(p);
      EXPECT_EQ(p.record->lock.state.load(), before);
    }
    n.barrier();
    if (n.self == 0) w.sync().unlock(p);
  });
}

TEST(locks, lock_all_locks_what_is_entered_or_kept_in_step) {
  run_processes(3, {}, {}, [](node& n) {
    members w(n);
    const auto readers = [&](std::uint32_t of) {
      return rma::lock_state{w.at(of).record->lock.state.load()}.readers();
    };
    EXPECT_TRUE(w.sync().keep_in_step(w.at(2)));
    EXPECT_TRUE(w.sync().keep_in_step(w.at(2)));
    for (int again = 0; again < 2; ++again) {
      EXPECT_TRUE(w.sync().entered(w.at(0)));
      ASSERT_TRUE(w.sync().lock_all(false, why));
      EXPECT_TRUE(w.sync().entered(w.at(n.self)));
      EXPECT_TRUE(w.sync().entered(w.at(2)));
      EXPECT_EQ(n.self == 1, w.sync().entered(w.at(1)));
      if (n.self == 0) {
        EXPECT_TRUE(w.sync().enter(w.at(1)));
        EXPECT_TRUE(w.sync().entered(w.at(1)));
      }
      EXPECT_TRUE(w.sync().enter(w.at(n.self)));
      n.barrier();
      EXPECT_EQ(readers(0), 1u);
      EXPECT_EQ(readers(1), 2u);
      EXPECT_EQ(readers(2), 3u);
      n.barrier();
      EXPECT_TRUE(w.sync().unlock_all());
      n.barrier();
      for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(w.at(r).record->lock.state.load(), 0u);
      ASSERT_TRUE(w.sync().lock_all(true, why));
      EXPECT_TRUE(w.sync().entered(w.at(2)));
      n.barrier();
      for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(w.at(r).record->lock.state.load(), 0u);
      n.barrier();
      w.sync().unlock_all();
    }
  });
}

// Two threads of one rank enter one target that somebody else has: one place in the queue.
TEST(locks, threads_enter_one_target) {
  deposit::endpoint_config config;
  config.threads = true;
  run_threads(2, config, {}, [](node& n) {
    std::unique_lock hold(n.endpoint->gate());
    members w(n);
    rma::partner& p = w.at(0);
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(p, exclusive, false, why));
      n.barrier();
      EXPECT_TRUE(n.wait([&] { return rma::lock_state{w.own().lock.state.load()}.last() != 0; }));
      hold.unlock();
      std::this_thread::sleep_for(20ms);
      hold.lock();
      w.sync().unlock(p);
    } else {
      n.barrier();
      ASSERT_TRUE(w.sync().lock_all(false, why));
      hold.unlock();
      const auto enter = [&] {
        const std::lock_guard mine(n.endpoint->gate());
        EXPECT_TRUE(w.sync().enter(p));
        EXPECT_EQ(rma::lock_state{p.record->lock.state.load()}.readers(), 1u);
      };
      std::thread second(enter);
      enter();
      second.join();
      hold.lock();
      w.sync().unlock_all();
      EXPECT_EQ(p.record->lock.state.load(), 0u);
    }
    n.barrier();
  });
}

// Several threads of each rank, each of which locks another target.
TEST(locks, threads_lock_different_targets) {
  deposit::endpoint_config config;
  config.threads = true;
  run_threads(3, config, {}, [](node& n) {
    std::unique_lock hold(n.endpoint->gate());
    members w(n);
    hold.unlock();
    std::vector<std::thread> threads;
    for (std::uint32_t target = 0; target < n.size; ++target)
      threads.emplace_back([&, target] {
        for (int i = 0; i < 300; ++i) {
          const std::lock_guard mine(n.endpoint->gate());
          ASSERT_TRUE(w.sync().lock(w.at(target), exclusive, false, why));
          std::uint64_t* const data = w.data_of(target);
          ++data[0];
          if (i % 16 == 0) n.endpoint->poll();
          ++data[8];
          EXPECT_EQ(data[0], data[8]);
          w.sync().unlock(w.at(target));
        }
      });
    for (auto& t : threads) t.join();
    hold.lock();
    n.barrier();
    EXPECT_EQ(w.data_of(n.self)[0], 300u * n.size);
    n.barrier();
  });
}

// --- deaths ---

void run_with_a_death(std::uint32_t size, const std::function<void(node&, members&)>& run) {
  test::run_with_a_death(size, {}, {}, [&](node& n) { run(n, *new members(n)); });
}

TEST(locks, a_dead_holder_ends_the_wait) {
  for (bool how : {exclusive, shared}) {
    run_with_a_death(4, [how](node& n, members& w) {
      if (n.self == 3) {
        ASSERT_TRUE(w.sync().lock(w.at(0), how, false, why));
        note(w, 0, 0).store(1);
        while (note(w, 0, 1).load() != 3) std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(50ms);
        raise(SIGKILL);
      }
      while (note(w, 0, 0).load() == 0) std::this_thread::sleep_for(1ms);
      note(w, 0, 1).fetch_add(1);
      EXPECT_FALSE(w.sync().lock(w.at(0), exclusive, false, why));
      EXPECT_FALSE(w.sync().lock(w.at(0), exclusive, false, why));  // its place in the queue is still there
      EXPECT_FALSE(w.sync().unlock(w.at(0)));
      EXPECT_TRUE(w.sync().lock(w.at(1), shared, false, why));
    });
  }
}

TEST(locks, a_death_in_the_queue_ends_the_wait_behind_it) {
  run_with_a_death(4, [](node& n, members& w) {
    const auto queued = [&](std::uint32_t rank) {
      while (rma::lock_state{w.at(0).record->lock.state.load()}.last() != rank + 1)
        std::this_thread::sleep_for(1ms);
    };
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(w.at(0), exclusive, false, why));
      note(w, 0, 0).store(1);
      queued(2);
      kill(n.job->process(3).pid, SIGKILL);
      while (note(w, 0, 1).load() == 0) std::this_thread::sleep_for(1ms);
      w.sync().unlock(w.at(0));
      EXPECT_FALSE(w.sync().lock(w.at(0), exclusive, false, why));
      return;
    }
    while (note(w, 0, 0).load() == 0) std::this_thread::sleep_for(1ms);
    if (n.self == 2) queued(3);
    if (n.self == 1) return;
    EXPECT_FALSE(w.sync().lock(w.at(0), exclusive, false, why));
    note(w, 0, 1).store(1);
  });
}

TEST(locks, the_end_of_a_job_ends_the_wait) {
  run_processes(2, {}, {}, [](node& n) {
    members w(n);
    if (n.self == 0) {
      ASSERT_TRUE(w.sync().lock(w.at(0), exclusive, false, why));
    }
    n.barrier();
    if (n.self == 1) {
      EXPECT_FALSE(w.sync().lock(w.at(0), exclusive, false, why));
      n.job->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::running));
      n.barrier();
    } else {
      std::this_thread::sleep_for(20ms);
      n.job->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::stopping));
      std::this_thread::sleep_for(1s);
      n.barrier();
    }
  });
}

// It is killed while all want the lock, wherever it is: in most of these attempts with the lock or in the
// queue.
TEST(locks, a_death_at_any_moment) {
  for (int attempt = 0; attempt < 12; ++attempt) {
    run_with_a_death(4, [attempt](node& n, members& w) {
      if (n.self == 0)
        std::thread([&n, attempt] {
          std::this_thread::sleep_for(20ms + attempt * 137us);
          kill(n.job->process(3).pid, SIGKILL);
        }).detach();
      bool all_well = true;
      for (int i = 0; all_well; ++i) {
        all_well = w.sync().lock(w.at(1), i % 4 != 3, false, why);
        if (all_well) w.sync().unlock(w.at(1));
        // It may have died where nothing hung on it.
        if (i % 64 == 0 && !memory::is_alive(*n.job, 3)) break;
      }
    });
  }
}

}  // namespace
}  // namespace loadstone::test::locks_test
