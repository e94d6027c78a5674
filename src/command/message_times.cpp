#include "command/message_times.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace loadstone::command {

namespace {

// The folder that this program is installed in; below it are bin/loadstone, bin/mpiexec and
// libexec/loadstone/message_times.
std::filesystem::path this_build() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path().parent_path();
}

[[noreturn]] void become(const std::vector<std::string>& words,
                         std::span<const std::pair<std::string, std::string>> environment, int out) {
  dup2(out, STDOUT_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Runs a program and returns what it writes; `status` as waitpid gives it.
std::string output_of(const std::vector<std::string>& words,
                      std::span<const std::pair<std::string, std::string>> environment, int* status) {
  int ends[2];
  std::string text;
  *status = -1;
  if (pipe(ends) != 0) return text;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become(words, environment, ends[1]);
  }
  close(ends[1]);
  char block[4096];
  for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) text.append(block, static_cast<std::size_t>(n));
  close(ends[0]);
  while (child > 0 && waitpid(child, status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

timed_messages time_messages(model::pattern how, std::span<const std::int64_t> sizes,
                             std::span<const std::pair<std::string, std::string>> environment) {
  timed_messages found;
  // Bound even if other jobs hold the cores (mpiexec then warns): two ranks on one core would
  // measure something else.
  std::vector<std::string> words = {(this_build() / "bin/mpiexec").string(),
                                    "--bind-to",
                                    "core",
                                    "-n",
                                    "2",
                                    (this_build() / "libexec/loadstone/message_times").string(),
                                    how == model::pattern::cold ? "cold" : "rewritten"};
  for (const std::int64_t bytes : sizes) words.push_back(std::to_string(bytes));
  for (const std::size_t program : {0, 5})
    if (access(words[program].c_str(), X_OK) != 0) {
      found.error = fmt::format("{}: {}", words[program], std::strerror(errno));
      return found;
    }
  int status = 0;
  std::istringstream lines(output_of(words, environment, &status));
  for (timed_message m; lines >> m.bytes >> m.protocol >> m.time;) found.all.push_back(m);
  if (status != 0 || found.all.size() != sizes.size())
    found.error = fmt::format("{} did not end well (status {})", words[5],
                              WIFEXITED(status) ? WEXITSTATUS(status) : status);
  return found;
}

}  // namespace loadstone::command
