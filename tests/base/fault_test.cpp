#include "base/fault.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

using namespace loadstone;

namespace {

// What became of a child that runs `body` with LOADSTONE_FAULT set; stopped children are continued once.
struct outcome {
  int status = 0;
  bool stopped = false;
};
outcome run(const char* fault, const std::function<void()>& body, const char* log = nullptr) {
  outcome result;
  pid_t child = fork();
  if (child == 0) {
    fault != nullptr ? setenv("LOADSTONE_FAULT", fault, 1) : unsetenv("LOADSTONE_FAULT");
    log != nullptr ? setenv("LOADSTONE_FAULT_LOG", log, 1) : unsetenv("LOADSTONE_FAULT_LOG");
    body();
    _exit(0);
  }
  waitpid(child, &result.status, WUNTRACED);
  if (WIFSTOPPED(result.status)) {
    result.stopped = true;
    kill(child, SIGCONT);
    waitpid(child, &result.status, 0);
  }
  return result;
}

bool killed(const outcome& o) {
  return WIFSIGNALED(o.status) && WTERMSIG(o.status) == SIGKILL;
}

TEST(fault, unarmed_points_do_nothing) {
  EXPECT_EQ(run(nullptr, [] { base::reach_fault_point("a.b"); }).status, 0);
  EXPECT_EQ(run("other.point:kill", [] { base::reach_fault_point("a.b"); }).status, 0);
  EXPECT_EQ(run("a.b:nonsense", [] { base::reach_fault_point("a.b"); }).status, 0);
}

TEST(fault, kill_stop_and_delay) {
  EXPECT_TRUE(killed(run("a.b:kill", [] { base::reach_fault_point("a.b"); })));
  auto stopped = run("a.b:stop", [] { base::reach_fault_point("a.b"); });
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.status, 0);
  EXPECT_EQ(run("a.b:delay", [] { base::reach_fault_point("a.b"); }).status, 0);
}

TEST(fault, only_the_process_that_is_meant) {
  auto as = [](std::uint32_t process) {
    return [process] {
      base::set_fault_process(process);
      base::reach_fault_point("a.b");
    };
  };
  EXPECT_TRUE(killed(run("a.b:kill:2", as(2))));
  EXPECT_EQ(run("a.b:kill:2", as(1)).status, 0);
  EXPECT_TRUE(killed(run("a.b:kill:*", as(1))));
  EXPECT_TRUE(killed(run("a.b:kill:-", [] { base::reach_fault_point("a.b"); })));
  EXPECT_EQ(run("a.b:kill:-", as(1)).status, 0);
}

TEST(fault, only_the_pass_that_is_meant) {
  auto passes = [](int n) {
    return [n] {
      for (int i = 0; i < n; ++i) base::reach_fault_point("a.b");
    };
  };
  EXPECT_EQ(run("a.b:kill:*:3", passes(2)).status, 0);
  EXPECT_TRUE(killed(run("a.b:kill:*:3", passes(3))));
}

TEST(fault, the_log_names_every_point_once_a_process) {
  std::string log = testing::TempDir() + "fault-log-" + std::to_string(getpid());
  for (int i = 0; i < 2; ++i)
    run(
        nullptr,
        [] {
          for (const char* name : {"a.b", "c.d", "a.b"}) base::reach_fault_point(name);
        },
        log.c_str());
  std::stringstream text;
  text << std::ifstream(log).rdbuf();
  unlink(log.c_str());
  EXPECT_EQ(text.str(), "a.b -\nc.d -\na.b -\nc.d -\n");
}

}  // namespace
