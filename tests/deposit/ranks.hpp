// Test equipment: endpoints as threads of one process (each with its own view of the job, as separate
// processes have) or as forked processes.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "deposit/endpoint.hpp"
#include "deposit/handler_ids.hpp"

namespace loadstone::test {

// What every test of this folder speaks of.
using deposit::incoming;
using deposit::outcome;
using deposit::traffic;
using deposit::verdict;
using memory::address;

// One rank's stack up to deposit.
struct node {
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> arena;
  std::unique_ptr<memory::mappings> mappings;
  std::unique_ptr<deposit::endpoint> endpoint;
  std::uint32_t self = 0, size = 0;

  static std::unique_ptr<node> open(std::unique_ptr<memory::job> view, std::uint32_t self,
                                    const deposit::endpoint_config& config,
                                    const memory::mappings_config& cache) {
    auto n = std::make_unique<node>();
    n->self = self;
    n->size = view->header().world_size;
    n->job = std::move(view);
    auto fail = [](base::status s) {
      std::fprintf(stderr, "set-up failed: %s\n", s.what);
      std::abort();
    };
    if (auto s = n->job->claim(self); !s.ok()) fail(s);
    auto a = memory::arena::open(*n->job, self);
    if (!a) fail(a.error());
    n->arena = std::move(*a);
    n->mappings = std::make_unique<memory::mappings>(*n->job, self, cache);
    auto e = deposit::endpoint::open(*n->job, self, *n->arena, *n->mappings, config);
    if (!e) fail(e.error());
    n->endpoint = std::move(*e);
    n->endpoint->set_handler(
        63,
        [](void* c, incoming&, bool) {
          ++static_cast<node*>(c)->arrived_;
          return verdict::consumed;
        },
        n.get());
    return n;
  }

  // Waits for a condition given as a lambda, with nothing else to say.
  template <class Condition>
  bool wait(Condition&& condition, const char* what = "test") {
    wait::reason why;
    why.detail = what;
    return endpoint->wait_until(condition, why);
  }

  // A barrier of control messages (handler 63): gathers at 0, then releases.
  void barrier() {
    auto send = [&](std::uint32_t to) {
      endpoint->send_active(to, 63, traffic::control, nullptr, 0, nullptr, 0);
    };
    if (self == 0) {
      awaited_ += size - 1;
      wait([&] { return arrived_ >= awaited_; }, "barrier");
      for (std::uint32_t p = 1; p < size; ++p) send(p);
    } else {
      ++awaited_;
      send(0);
      wait([&] { return arrived_ >= awaited_; }, "barrier");
    }
  }

 private:
  std::uint64_t arrived_ = 0, awaited_ = 0;
};

using body = std::function<void(node&)>;

inline void run_threads(std::uint32_t size, const deposit::endpoint_config& config,
                        const memory::mappings_config& cache, const body& run,
                        memory::job_config job_config = {}) {
  job_config.world_size = size;
  auto job = memory::job::create(job_config);
  ASSERT_TRUE(job);
  std::vector<std::unique_ptr<memory::job>> views;
  for (std::uint32_t r = 0; r < size; ++r) {
    auto view = (*job)->second_view();
    ASSERT_TRUE(view);
    views.push_back(std::move(*view));
  }
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      auto n = node::open(std::move(views[r]), r, config, cache);
      run(*n);
      std::lock_guard hold(n->endpoint->gate());
      n->barrier();  // nobody leaves while a peer still reads its memory
    });
  }
  for (auto& t : threads) t.join();
}

// Every rank is a child process; a failed expectation in one makes its exit status 1.
inline void run_processes(std::uint32_t size, const deposit::endpoint_config& config,
                          const memory::mappings_config& cache, const body& run,
                          memory::job_config job_config = {}) {
  job_config.world_size = size;
  auto job = memory::job::create(job_config);
  ASSERT_TRUE(job);
  std::vector<pid_t> children;
  for (std::uint32_t r = 0; r < size; ++r) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(220);  // a hang ends here
      {
        auto view = memory::job::attach(dup((*job)->descriptor()));
        if (!view) _exit(3);
        auto n = node::open(std::move(*view), r, config, cache);
        run(*n);
        std::lock_guard hold(n->endpoint->gate());
        if (!::testing::Test::HasFailure()) n->barrier();
      }
      std::fflush(nullptr);
      _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    children.push_back(child);
  }
  bool failed = false;
  for (std::size_t left = children.size(); left != 0; --left) {
    int status = 0;
    pid_t ended = waitpid(-1, &status, 0);
    for (std::size_t r = 0; r < children.size(); ++r) {
      if (children[r] != ended) continue;
      children[r] = 0;
      if (status != 0) {
        ADD_FAILURE() << "rank " << r << " ended with status " << status;
        if (!failed)
          for (pid_t other : children)
            if (other != 0) kill(other, SIGKILL);
        failed = true;
      }
    }
  }
}

}  // namespace loadstone::test
