// What becomes of a copy to or from memory that is in nobody's arena. (What is moved:
// conformance_test.cpp.)
#include "deposit/user_memory.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace loadstone::test {
namespace {

using deposit::reached;

TEST(user_memory, a_peer_that_has_died_is_gone_and_a_far_one_refused) {
  auto job = std::move(*memory::job::create({.world_size = 2}));
  ASSERT_TRUE(job->claim(0).ok());
  std::uint64_t word = 7, copy = 0;  // at the same place in the child
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    auto mine = memory::job::attach(job->descriptor());
    if (!mine || !(*mine)->claim(1).ok()) _exit(1);
    const deposit::user_memory traced(**mine, 1);  // allows the others to reach us, where that has to be said
    if (write(ends[1], "", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char ready;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  const auto there = reinterpret_cast<std::uint64_t>(&word);
  deposit::user_memory user(*job, 0);
  const bool reaches = user.reaches(1);
  EXPECT_EQ(user.get(1, &copy, there, sizeof copy), reaches ? reached::done : reached::refused);
  EXPECT_EQ(copy, reaches ? 7u : 0u);
  // One that another transport serves is not reached past that.
  deposit::user_memory far(*job, 0, {.rule = transport::choice::rule_kind::mixed});
  EXPECT_FALSE(far.reaches(1));
  EXPECT_EQ(far.get(1, &copy, there, sizeof copy), reached::refused);
  EXPECT_EQ(far.put(1, there, &copy, sizeof copy), reached::refused);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(user.get(1, &copy, there, sizeof copy), reaches ? reached::gone : reached::refused);
  EXPECT_EQ(user.put(1, there, &copy, sizeof copy), reaches ? reached::gone : reached::refused);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace loadstone::test
