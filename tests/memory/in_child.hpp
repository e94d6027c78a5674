#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace loadstone::test {

// Runs `body` in a child process; its result is the exit status.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace loadstone::test
