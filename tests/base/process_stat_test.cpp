#include "base/process_stat.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

namespace loadstone::base {
namespace {

TEST(process_stat, of_this_process) {
  const auto before = stat_of_process(getpid());
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, 'R');
  EXPECT_EQ(before->parent, getppid());
  EXPECT_GT(before->start_time, 0u);
  for (const std::clock_t begun = std::clock(); std::clock() - begun < CLOCKS_PER_SEC / 10;) continue;
  const auto after = stat_of_process(getpid());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->start_time, before->start_time);
  const auto tick = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  EXPECT_GE(after->used_ticks, before->used_ticks + tick / 20);
  EXPECT_LE(after->used_ticks, before->used_ticks + tick);
}

// Also one whose name looks like the end of its name.
TEST(process_stat, of_a_child_that_sleeps_and_ends) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_NAME, "a) R 1 (b");
    pause();
    _exit(0);
  }
  auto is = [&](char state) {
    const auto seen = stat_of_process(child);
    return seen && seen->parent == getpid() && seen->state == state;
  };
  while (!is('S')) usleep(1000);
  EXPECT_FALSE(stat_of_process(child)->has_ended());
  kill(child, SIGKILL);
  while (!is('Z')) usleep(1000);
  EXPECT_TRUE(stat_of_process(child)->has_ended());
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(stat_of_process(child));
}

}  // namespace
}  // namespace loadstone::base
