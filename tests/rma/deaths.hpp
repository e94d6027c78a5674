// Test equipment: ranks as processes, of which the last one dies.
#pragma once

#include "deposit/ranks.hpp"

namespace loadstone::test {

// Run by each rank. The last one is killed in it; the others leave without a barrier, so what `run` makes must not
// end with one.
inline void run_with_a_death(std::uint32_t size, const deposit::endpoint_config& config,
                             memory::job_config job_config, const body& run) {
  job_config.world_size = size;
  auto job = memory::job::create(job_config);
  ASSERT_TRUE(job);
  std::vector<pid_t> children;
  for (std::uint32_t r = 0; r < size; ++r) {
    children.push_back(fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() != 0) continue;
    alarm(60);
    auto view = memory::job::attach(dup((*job)->descriptor()));
    if (!view) _exit(3);
    auto n = node::open(std::move(*view), r, config, {});
    run(*n);
    std::fflush(nullptr);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  for (std::uint32_t r = size; r-- > 0;) {  // the dead one first: as long as it is a zombie it is not dead
    int status = 0;
    ASSERT_EQ(waitpid(children[r], &status, 0), children[r]);
    if (r == size - 1) {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    } else {
      EXPECT_EQ(status, 0) << "rank " << r;
    }
  }
}

}  // namespace loadstone::test
