// Operations by message: what their owner keeps for them is bounded, they end when somebody dies, and they go on
// where another way stopped.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <atomic>
#include <csignal>
#include <numeric>

#include "datatype/held.hpp"
#include "memory/wait_note.hpp"
#include "rma/accumulate.hpp"
#include "rma/deaths.hpp"
#include "rma/lock_layout.hpp"
#include "rma/ranges.hpp"
#include "rma/sync.hpp"
#include "rma/windows.hpp"

namespace loadstone::test {
namespace {

using datatype::basic;
using datatype::builder;
using datatype::held;
using datatype::named;
using rma::flavor;
using rma::way;

const datatype::type& longs() {
  return named(basic::int64);
}
const datatype::op& sum() {
  return *datatype::predefined_op(0x21);
}

// Of all processes of a test; made before they are.
struct shared_words {
  std::atomic<std::uint64_t>* words = static_cast<std::atomic<std::uint64_t>*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ~shared_words() { munmap(words, 4096); }
};

deposit::endpoint_config without_vm() {
  deposit::endpoint_config config;
  config.vm = false;
  return config;
}

long most_resident_kib() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

// As much as the owner may keep would be 64 MiB.
TEST(asked, a_large_get_is_kept_in_few_pieces) {
  constexpr std::int64_t count = 8 << 20;
  run_processes(2, without_vm(), {}, [](node& n) {
    member me(n);
    std::vector<std::int64_t> memory(count);
    std::iota(memory.begin(), memory.end(), me.self());
    auto w = me.make({.kind = flavor::created, .base = memory.data(), .bytes = 8 * count, .unit = 8});
    [[maybe_unused]] const long before = most_resident_kib();
    if (me.self() == 1) {
      std::vector<std::int64_t> got(count);
      EXPECT_TRUE(w->get(0, {got.data(), count, &longs()}, {0, count, &longs()}).ok());
      EXPECT_EQ(w->known(0)->way, way::asked);
      for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i);
    }
    me.barrier();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (me.self() == 0) {
      EXPECT_LT(most_resident_kib() - before, 24 << 10);
    }
#endif
    me.free(std::move(w));
  });
}

// Arenas of 4 MiB, which all have to share: large puts and gets of all ranks to all.
TEST(asked, small_arenas_delay_and_lose_nothing) {
  constexpr std::int64_t count = 1 << 18;
  memory::job_config small;
  small.arena_limit = 4 << 20;
  deposit::endpoint_config config = without_vm();
  config.cell_bytes_limit = 1 << 20;
  run_processes(
      4, config, {},
      [](node& n) {
        member me(n);
        const auto ranks = static_cast<std::int64_t>(me.size()), self = static_cast<std::int64_t>(me.self());
        std::vector<std::int64_t> memory(static_cast<std::size_t>(ranks * count)), mine(count), got(count);
        auto w =
            me.make({.kind = flavor::created, .base = memory.data(), .bytes = 8 * ranks * count, .unit = 8});
        std::iota(mine.begin(), mine.end(), self);
        for (std::int32_t r = 0; r < ranks; ++r)
          EXPECT_TRUE(w->put(r, {mine.data(), count, &longs()}, {self * count, count, &longs()}).ok());
        {
          const std::lock_guard hold(me.gate());
          EXPECT_TRUE(w->flush_all().ok());
        }
        for (std::int32_t r = 0; r < ranks; ++r) {
          EXPECT_TRUE(w->get(r, {got.data(), count, &longs()}, {self * count, count, &longs()}).ok());
          EXPECT_EQ(got, mine);
        }
        me.free(std::move(w));
      },
      small);
}

// The owner has given the lock back when a flush after the unlock returns, so no message of a window comes after it.
TEST(asked, an_unlock_is_waited_for) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  const shared_words common;
  run_processes(2, config, {}, [&](node& n) {
    member me(n);
    auto w = me.make({.kind = flavor::allocated, .bytes = 64, .unit = 8});
    for (std::uint64_t round = 1; round <= 200; ++round) {
      if (me.self() == 1) {
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(rma::lock(*w, 0, true, false, {}));
        EXPECT_TRUE(rma::unlock(*w, 0));
        EXPECT_TRUE(w->outstanding());
        EXPECT_TRUE(w->flush_all().ok());
        common.words[0] = round;
      } else {
        while (common.words[0] != round) std::this_thread::yield();
        EXPECT_EQ(w->own().lock.state.load(), 0u);
      }
      me.barrier();
    }
    me.free(std::move(w));
  });
}

// Members that do not end with a barrier.
void run_with_a_death(std::uint32_t size, const std::function<void(member&)>& run) {
  test::run_with_a_death(size, without_vm(), {}, [&](node& n) { run(*new member(n)); });
}

// An accumulate that its owner cannot do ends, and its error names who is dead; so does one at that memory by the owner
// itself.
TEST(asked, a_dead_holder_of_a_range_is_named) {
  const shared_words common;
  run_with_a_death(3, [&](member& me) {
    auto& memory = *new std::vector<std::int64_t>(8);
    rma::window& w =
        *me.make({.kind = flavor::created, .base = memory.data(), .bytes = 64, .unit = 8}).release();
    const std::int64_t one = 1;
    std::int64_t old = -1;
    const rma::local_data origin{const_cast<std::int64_t*>(&one), 1, &longs()};
    const rma::remote_data where{0, 1, &longs()};
    if (me.self() == 2) {
      base::status why;
      std::unique_lock hold(me.gate());
      rma::range_hold range(w, *w.reach(0, &why), rma::range_hold::gate::held);
      ASSERT_TRUE(range.take((1u << rma::range_locks) - 1));
      common.words[0] = 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      raise(SIGKILL);
    }
    while (common.words[0] == 0) std::this_thread::yield();
    if (me.self() == 1) {
      EXPECT_TRUE(rma::accumulate(w, 0, origin, nullptr, where, sum()).ok());
      rma::trouble t;
      {
        const std::lock_guard hold(me.gate());
        t = w.flush(0);
      }
      EXPECT_EQ(t.what, rma::wrong::holder_gone);
      EXPECT_EQ(t.from, 2);
      t = rma::fetch_and_op(w, 0, &one, &old, longs(), 1, sum());
      EXPECT_EQ(t.what, rma::wrong::holder_gone);
      EXPECT_EQ(t.from, 2);
      EXPECT_TRUE(w.get(0, {&old, 1, &longs()}, where).ok());  // the rest of it lives
      common.words[1] = 1;
    } else {
      const rma::trouble t = rma::accumulate(w, 0, origin, nullptr, where, sum());
      EXPECT_EQ(t.what, rma::wrong::holder_gone);
      EXPECT_EQ(t.from, 2);
      while (common.words[1] == 0) std::this_thread::yield();
    }
  });
}

// By flags. What rank 1 has on its way to the one that dies fails its epoch before the barrier, in which rank 2 waits for it.
TEST(asked, a_fence_that_has_failed_leaves_nobody_waiting) {
  const shared_words common;
  test::run_with_a_death(4, without_vm(), {.cpus = 1000}, [&](node& n) {
    member& me = *new member(n);
    auto& memory = *new std::vector<std::int64_t>(8);
    rma::window& w =
        *me.make({.kind = flavor::created, .base = memory.data(), .bytes = 64, .unit = 8}).release();
    if (me.self() == 3) {
      common.words[0] = static_cast<std::uint64_t>(getpid());
      for (;;) raise(SIGSTOP);  // and no thread of it takes in what comes
    }
    const std::int64_t one = 1;
    if (me.self() == 1) {
      while (common.words[0] == 0) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_TRUE(w.put(3, {const_cast<std::int64_t*>(&one), 1, &longs()}, {0, 1, &longs()}).ok());
      EXPECT_TRUE(w.outstanding());
      kill(static_cast<pid_t>(common.words[0]), SIGKILL);
    }
    rma::trouble failed;
    {
      const std::lock_guard hold(me.gate());
      EXPECT_FALSE(rma::fence(w, {}, &failed));
    }
    EXPECT_EQ(failed.what, me.self() == 1 ? rma::wrong::gone : rma::wrong::nothing);
    common.words[1] += 1;
    for (int i = 0; i < 1000 && common.words[1] < 3; ++i)  // nobody is found dead
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(common.words[1], 3u);
  });
}

// The first accumulate waits for the lock of its first element, which rank 2 holds; the second one, at its other element,
// whose lock is free, waits behind it.
TEST(asked, accumulates_of_one_origin_keep_their_order) {
  constexpr std::size_t range = 1 << rma::range_shift;
  const shared_words common;
  run_processes(3, without_vm(), {}, [&](node& n) {
    member me(n);
    std::vector<std::int64_t> room(3 * range / 8);
    const std::uintptr_t edge = (reinterpret_cast<std::uintptr_t>(room.data()) + range) / range * range;
    auto* const edges =
        reinterpret_cast<std::int64_t*>(edge) - 1;  // two elements, each under a lock of its own
    auto w = me.make({.kind = flavor::created, .base = edges, .bytes = 16, .unit = 8});
    if (me.self() == 0) {
      edges[0] = edges[1] = 0;
      common.words[0] = reinterpret_cast<std::uintptr_t>(edges);
    } else if (me.self() == 2) {
      while (common.words[0] == 0) std::this_thread::yield();
      base::status why;
      const std::lock_guard hold(me.gate());
      rma::range_hold first(*w, *w->reach(0, &why), rma::range_hold::gate::held);
      ASSERT_TRUE(first.take(rma::range_of(common.words[0])));
      common.words[1] = 1;
      while (common.words[2] == 0) std::this_thread::yield();
    } else {
      while (common.words[1] == 0) std::this_thread::yield();
      const std::int64_t values[] = {1, 1, 2};
      const auto replace = [&](std::size_t from, std::int64_t count, std::int64_t at) {
        const rma::local_data origin{const_cast<std::int64_t*>(values + from), count, &longs()};
        EXPECT_TRUE(
            rma::accumulate(*w, 0, origin, nullptr, {at, count, &longs()}, *datatype::predefined_op(0x3c))
                .ok());
      };
      replace(0, 2, 0);
      replace(2, 1, 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the owner has got both
      common.words[2] = 1;
      const std::lock_guard hold(me.gate());
      EXPECT_TRUE(w->flush(0).ok());
    }
    me.barrier();
    if (me.self() == 0) {
      EXPECT_EQ(edges[0], 1);
      EXPECT_EQ(edges[1], 2);
    }
    me.free(std::move(w));
  });
}

// What mpiexec reads of a wait of `process`, once it says this.
memory::seen_wait wait_of(member& me, std::uint32_t process, const std::string& detail) {
  for (int i = 0; i < 20000; ++i) {
    for (const memory::seen_wait& seen : memory::waits_of(me.at().job->process(process)))
      if (seen.detail == detail) return seen;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ADD_FAILURE() << "process " << process << " does not wait for: " << detail;
  return {};
}

// Rank 1 asks rank 0 for its lock, and rank 2 has it.
TEST(asked, a_wait_for_a_lock_names_its_holder) {
  deposit::endpoint_config config;
  config.transport.rule = transport::choice::rule_kind::poor;
  const shared_words common;
  run_processes(3, config, {}, [&](node& n) {
    member me(n);
    auto w = me.make({.kind = flavor::allocated, .bytes = 64, .unit = 8});
    for (const bool exclusive : {true, false}) {
      if (me.self() == 2) {
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(rma::lock(*w, 0, exclusive, false, {}));
      }
      me.barrier();
      if (me.self() == 1) {
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(rma::lock(*w, 0, true, false, {}));
        EXPECT_TRUE(rma::unlock(*w, 0));
      } else if (me.self() == 0) {
        const auto seen = wait_of(me, 1, exclusive ? "lock of rank 0" : "lock of rank 0, 1 readers");
        EXPECT_EQ(seen.peer, exclusive ? 2 : -1);
        common.words[exclusive ? 0 : 1] = 1;
      } else {
        while (common.words[exclusive ? 0 : 1] == 0) std::this_thread::yield();
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(rma::unlock(*w, 0));
      }
      me.barrier();
    }
    me.free(std::move(w));
  });
}

// Accumulates of rank 1 into memory of rank 0, of which rank 2 has the locks: by message, and by the system's calls.
TEST(asked, a_wait_for_memory_names_window_and_holder) {
  for (const bool by_message : {true, false}) {
    const shared_words common;
    run_processes(3, by_message ? without_vm() : deposit::endpoint_config{}, {}, [&](node& n) {
      member me(n);
      std::vector<std::int64_t> memory(8);
      auto w = me.make({.kind = flavor::created, .base = memory.data(), .bytes = 64, .unit = 8});
      const std::int64_t one = 1;
      std::int64_t old = -1;
      const rma::remote_data where{0, 1, &longs()};
      for (std::uint64_t turn = 0; turn < 2; ++turn) {
        base::status why;
        std::optional<rma::range_hold> range;
        if (me.self() == 2) {
          const std::lock_guard hold(me.gate());
          range.emplace(*w, *w->reach(0, &why), rma::range_hold::gate::open);
          ASSERT_TRUE(range->try_take((1u << rma::range_locks) - 1));
        }
        me.barrier();
        if (me.self() == 1) {
          if (turn == 0) {
            EXPECT_TRUE(
                rma::accumulate(*w, 0, {const_cast<std::int64_t*>(&one), 1, &longs()}, nullptr, where, sum())
                    .ok());
            const std::lock_guard hold(me.gate());
            EXPECT_TRUE(w->flush_all().ok());
          } else {
            EXPECT_TRUE(rma::fetch_and_op(*w, 0, &one, &old, longs(), 0, sum()).ok());
            EXPECT_EQ(old, 1);
          }
        } else if (me.self() == 0) {
          const auto seen = wait_of(me, 1, "lock of memory of rank 0");
          EXPECT_EQ(seen.peer, 2);
          EXPECT_EQ(seen.communicator, wait::is_window | w->id());
          common.words[turn] = 1;
        } else {
          while (common.words[turn] == 0) std::this_thread::yield();
          range->release();
        }
        me.barrier();
      }
      me.free(std::move(w));
    });
  }
}

// Of two threads that wait for one answer.
TEST(asked, every_flush_of_a_dead_target_fails) {
  const shared_words common;
  run_with_a_death(2, [&](member& me) {
    auto& memory = *new std::vector<std::int64_t>(8);
    rma::window& w =
        *me.make({.kind = flavor::created, .base = memory.data(), .bytes = 64, .unit = 8}).release();
    if (me.self() == 1) {
      std::unique_lock hold(me.gate());  // nobody answers
      common.words[0] = 1;
      while (common.words[0] != 2) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      raise(SIGKILL);
    }
    while (common.words[0] == 0) std::this_thread::yield();
    EXPECT_TRUE(w.put(1, {memory.data(), 1, &longs()}, {0, 1, &longs()}).ok());
    common.words[0] = 2;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        const std::lock_guard hold(me.gate());
        EXPECT_EQ(w.flush(1).what, rma::wrong::gone);
      });
    for (std::thread& t : threads) t.join();
    EXPECT_FALSE(w.outstanding());
  });
}

// From here on the system refuses the write of so many blocks.
bool refuse_writes_of(std::uint32_t blocks) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, blocks, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog all{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

// 300 blocks: two pieces of 256 and 44, of which the second is read and must not be written. No element is changed twice, and
// none is left out.
TEST(asked, takes_over_where_the_system_has_stopped) {
  constexpr std::int64_t blocks = 300, apart = 3;
  for (const bool fetches : {false, true}) {
    run_processes(2, {}, {}, [fetches](node& n) {
      member me(n, {.help = rma::engine_config::owners::never});
      std::vector<std::int64_t> memory(blocks * apart);
      std::iota(memory.begin(), memory.end(), 0);
      auto w = me.make({.kind = flavor::created,
                        .base = memory.data(),
                        .bytes = static_cast<std::int64_t>(8 * memory.size()),
                        .unit = 8});
      if (me.self() == 1) {
        const bool refused = n.endpoint->user().reaches(0) && refuse_writes_of(blocks - 256);
        const held spread = builder::vector(blocks, 1, apart, longs());
        ASSERT_TRUE(spread->commit().ok());
        std::vector<std::int64_t> thousand(blocks, 1000), old(blocks, -1);
        const rma::local_data result{old.data(), blocks, &longs()};
        const auto t = rma::accumulate(*w, 0, {thousand.data(), blocks, &longs()},
                                       fetches ? &result : nullptr, {0, 1, &*spread}, sum());
        EXPECT_TRUE(t.ok()) << t.why.what;
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(w->flush_all().ok());
        if (refused) {
          EXPECT_EQ(w->known(0)->way, way::asked);
        }
        for (std::int64_t i = 0; i < blocks && fetches; ++i)
          ASSERT_EQ(old[static_cast<std::size_t>(i)], apart * i);
      }
      me.barrier();
      for (std::int64_t i = 0; i < blocks * apart && me.self() == 0; ++i)
        ASSERT_EQ(memory[static_cast<std::size_t>(i)], i + (i % apart == 0 ? 1000 : 0)) << i;
      me.free(std::move(w));
    });
  }
}

// The same where both ends take blocks, of several parts: the origin must not write even its first
// one. What the owner has done meanwhile is not done again.
TEST(asked, takes_over_where_both_ends_were_at_work) {
  constexpr std::int64_t words = 150'000;
  for (int round = 0; round < 4; ++round)
    run_processes(2, {}, {}, [](node& n) {
      member me(n);
      std::vector<std::int64_t> memory(words);
      std::iota(memory.begin(), memory.end(), 0);
      auto w = me.make({.kind = flavor::created, .base = memory.data(), .bytes = 8 * words, .unit = 8});
      if (me.self() == 1) {
        const bool refused = n.endpoint->user().reaches(0) && refuse_writes_of(1);
        std::vector<std::int64_t> thousand(words, 1000);
        const auto t =
            rma::accumulate(*w, 0, {thousand.data(), words, &longs()}, nullptr, {0, words, &longs()}, sum());
        EXPECT_TRUE(t.ok()) << t.why.what;
        const std::lock_guard hold(me.gate());
        EXPECT_TRUE(w->flush_all().ok());
        if (refused) {
          EXPECT_EQ(w->known(0)->way, way::asked);
        }
      }
      me.barrier();
      for (std::int64_t i = 0; i < words && me.self() == 0; ++i)
        ASSERT_EQ(memory[static_cast<std::size_t>(i)], i + 1000) << i;
      me.free(std::move(w));
    });
}

}  // namespace
}  // namespace loadstone::test
