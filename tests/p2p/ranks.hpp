// Several ranks for a test: as threads of this process (run_ranks) or as processes (run_processes). Each has
// its own view of the job memory, its own arena, endpoint and engines.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "datatype/basic.hpp"
#include "datatype/type.hpp"
#include "rank/rank.hpp"

namespace loadstone::testing {

using p2p::any_source;
using p2p::any_tag;
using p2p::outcome;
using p2p::send_mode;

struct ranks_config {
  loadstone::rank::config rank;
  memory::job_config job;
};

using body = std::function<void(rank&)>;

inline p2p::scope world_of(std::uint32_t n, std::uint32_t self, std::uint64_t context = 0x100) {
  p2p::scope s;
  s.context = context;
  s.rank = static_cast<std::int32_t>(self);
  s.peers.resize(n);
  std::iota(s.peers.begin(), s.peers.end(), 0u);
  return s;
}

inline const datatype::type& byte_type() {
  return *datatype::predefined_type(datatype::basic::byte);
}
inline const datatype::type& int_type() {
  return *datatype::predefined_type(datatype::basic::int_);
}
inline p2p::buffer bytes_of(const void* p, std::size_t n) {
  return {p, static_cast<std::int64_t>(n), &byte_type()};
}

// Memory shared by this process and those it forks: a barrier, and room for results.
struct shared_page {
  pthread_barrier_t barrier;
  std::atomic<std::uint64_t> words[64];
  static shared_page* create(unsigned parties) {
    void* p = mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) std::abort();
    auto* page = new (p) shared_page;
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&page->barrier, &attributes, parties);
    pthread_barrierattr_destroy(&attributes);
    return page;
  }
  void meet() { pthread_barrier_wait(&barrier); }
};

// Ranks as threads. They start together when all are open, and close together when all bodies have returned.
inline void run_ranks(std::uint32_t n, const body& what, ranks_config config = {}) {
  config.job.world_size = n;
  auto made = memory::job::create(config.job);
  ASSERT_TRUE(made.ok()) << made.error().what;
  std::unique_ptr<memory::job> job = std::move(*made);
  std::vector<std::unique_ptr<memory::job>> views;
  for (std::uint32_t i = 0; i < n; ++i) {
    auto view = job->second_view();
    ASSERT_TRUE(view.ok()) << view.error().what;
    views.push_back(std::move(*view));
  }
  std::barrier meeting(static_cast<std::ptrdiff_t>(n));
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < n; ++i) {
    threads.emplace_back([&, i] {
      auto opened = rank::open(std::move(views[i]), i, config.rank);
      if (!opened) {
        std::fprintf(stderr, "rank %u: %s (%d)\n", i, opened.error().what, opened.error().number);
        std::abort();
      }
      meeting.arrive_and_wait();
      what(**opened);
      meeting.arrive_and_wait();
    });
  }
  for (std::thread& t : threads) t.join();
}

// Ranks as processes. A body that failed an expectation makes its process, and so the test, fail. They die
// with this process. `killed`: a rank that is expected to die by SIGKILL (-1: none). `page` has a barrier of
// n parties when the body wants one.
inline void run_processes(std::uint32_t n, const body& what, ranks_config config = {}, int killed = -1) {
  config.job.world_size = n;
  auto made = memory::job::create(config.job);
  ASSERT_TRUE(made.ok()) << made.error().what;
  std::unique_ptr<memory::job> job = std::move(*made);
  shared_page* page = shared_page::create(n);
  std::fflush(nullptr);
  std::vector<pid_t> children;
  for (std::uint32_t i = 0; i < n; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto view = job->second_view();
      if (!view) _exit(3);
      auto opened = rank::open(std::move(*view), i, config.rank);
      if (!opened) {
        std::fprintf(stderr, "rank %u: %s (%d)\n", i, opened.error().what, opened.error().number);
        _exit(3);
      }
      page->meet();
      what(**opened);
      const bool failed = ::testing::Test::HasFailure();
      if (killed < 0 && !failed) {
        page->meet();
        opened->reset();
      }
      std::fflush(nullptr);
      _exit(failed ? 1 : 0);
    }
    children.push_back(child);
  }
  for (std::uint32_t left = n; left > 0; --left) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    const auto at = std::find(children.begin(), children.end(), ended);
    ASSERT_NE(at, children.end());
    const int i = static_cast<int>(at - children.begin());
    *at = 0;
    if (i == killed) {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "rank " << i << " was to be killed";
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      ADD_FAILURE() << "rank " << i << ", status " << status;
      // The others may wait for it for ever: only children of ours, by their ids.
      for (pid_t child : children) {
        if (child != 0) kill(child, SIGKILL);
      }
    }
  }
  // The barrier is not destroyed: that would wait for ranks that were killed in it.
  munmap(page, sizeof(shared_page));
}

// A call of the engine under its gate.
template <class Call>
auto with_gate(rank& r, Call&& call) {
  const std::lock_guard guard(r.endpoint->gate());
  return call(*r.p2p);
}

inline p2p::outcome finish(rank& r, p2p::request* q) {
  return with_gate(r, [&](p2p::engine& e) {
    EXPECT_TRUE(e.wait(*q, {}));
    const p2p::outcome o = q->result;
    e.free(q);
    return o;
  });
}
inline p2p::request* start_send(rank& r, p2p::scope& w, p2p::buffer b, int peer, int tag,
                                p2p::send_mode mode = p2p::send_mode::standard) {
  return with_gate(r, [&](p2p::engine& e) { return e.send(w, b, peer, tag, mode); });
}
inline p2p::request* start_receive(rank& r, p2p::scope& w, p2p::buffer b, int source, int tag) {
  return with_gate(r, [&](p2p::engine& e) { return e.receive(w, b, source, tag); });
}
inline p2p::outcome send(rank& r, p2p::scope& w, p2p::buffer b, int peer, int tag,
                         p2p::send_mode mode = p2p::send_mode::standard) {
  p2p::outcome o;
  with_gate(r, [&](p2p::engine& e) { e.send_wait(w, b, peer, tag, mode, {}, &o); });
  return o;
}
inline p2p::outcome receive(rank& r, p2p::scope& w, p2p::buffer b, int source, int tag) {
  p2p::outcome o;
  with_gate(r, [&](p2p::engine& e) { e.receive_wait(w, b, source, tag, {}, &o); });
  return o;
}

// Everybody has come here: a message to rank 0 and back. `s` is a scope of its own context, kept for the
// whole test: a context has one scope in a process, for sequence numbers belong to it.
inline void meet(rank& r, p2p::scope& s) {
  const int n = static_cast<int>(s.peers.size());
  const p2p::buffer nothing = bytes_of(nullptr, 0);
  if (s.rank == 0) {
    for (int i = 1; i < n; ++i) receive(r, s, nothing, i, 0);
    for (int i = 1; i < n; ++i) send(r, s, nothing, i, 0);
  } else {
    send(r, s, nothing, 0, 0);
    receive(r, s, nothing, 0, 0);
  }
}

// Pairs of threads, one of each of two ranks, that take the same steps at once: what(rank, scope, peer, t, i, random) is
// step i of pair t, `random` gives both partners the same numbers, and t is a tag that no other pair uses.
template <class Step>
void run_pairs_of_threads(int pairs, int steps, ranks_config config, Step&& what) {
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::vector<std::thread> all;
        for (int t = 0; t < pairs; ++t) {
          all.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i)
              what(r, w, 1 - static_cast<int>(r.self), t, i, random);
          });
        }
        for (auto& t : all) t.join();
        EXPECT_EQ(w.users, 0u);
      },
      config);
}

// Contents that tell which message and which byte they are.
inline void paint(std::vector<std::byte>& v, std::uint64_t seed) {
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<std::byte>((seed * 131 + i * 7 + (i >> 8) * 13) & 0xff);
}
inline std::vector<std::byte> painted(std::size_t n, std::uint64_t seed) {
  std::vector<std::byte> v(n);
  paint(v, seed);
  return v;
}

}  // namespace loadstone::testing
