#include "command/message_times.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/cpus.hpp"

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

struct finished {
  std::string output, error;
};

// Runs a program of libexec/loadstone on so many ranks; its words are `first`, and the sizes.
finished run_ranks(std::uint32_t ranks, const char* program, std::span<const std::string> first,
                   std::span<const std::int64_t> sizes,
                   std::span<const std::pair<std::string, std::string>> environment) {
  finished done;
  const std::string mpiexec = (this_build() / "bin/mpiexec").string(),
                    file = (this_build() / "libexec/loadstone" / program).string();
  std::vector<std::string> words = {mpiexec, "-n", std::to_string(ranks)};
  // Bound even if other jobs hold the cores (mpiexec then warns): two ranks on one core would
  // measure something else.
  if (ranks <= base::usable_cpus()) words.insert(words.end(), {"--bind-to", "core"});
  words.push_back(file);
  words.insert(words.end(), first.begin(), first.end());
  for (const std::int64_t bytes : sizes) words.push_back(std::to_string(bytes));
  for (const std::string& needed : {mpiexec, file})
    if (access(needed.c_str(), X_OK) != 0) {
      done.error = fmt::format("{}: {}", needed, std::strerror(errno));
      return done;
    }
  int status = 0;
  done.output = output_of(words, environment, &status);
  if (status != 0)
    done.error = fmt::format("{} did not end well (status {})", file,
                             WIFEXITED(status) ? WEXITSTATUS(status) : status);
  return done;
}

}  // namespace

timed_messages time_messages(model::pattern how, std::span<const std::int64_t> sizes,
                             std::span<const std::pair<std::string, std::string>> environment) {
  timed_messages found;
  const std::string pattern = how == model::pattern::cold ? "cold" : "rewritten";
  const finished done = run_ranks(2, "message_times", std::span(&pattern, 1), sizes, environment);
  std::istringstream lines(done.output);
  for (timed_message m; lines >> m.bytes >> m.protocol >> m.time;) found.all.push_back(m);
  found.error = done.error;
  if (found.error.empty() && found.all.size() != sizes.size()) found.error = "message_times left out a size";
  return found;
}

timed_operations time_operations(std::span<const std::int64_t> sizes,
                                 std::span<const std::pair<std::string, std::string>> environment) {
  timed_operations found;
  const finished done = run_ranks(2, "one_sided_times", {}, sizes, environment);
  std::istringstream lines(done.output);
  for (timed_operation o; lines >> o.what >> o.window >> o.bytes >> o.time;) found.all.push_back(o);
  found.error = done.error;
  // A put and a get of each size, and three kinds of synchronisation, on each kind of window; and
  // of ordinary memory: small puts, blocks (to a target that waits, and to one that computes), and
  // sums of three sizes.
  if (found.error.empty() && found.all.size() != 2 * (2 * sizes.size() + 3) + 6)
    found.error = "one_sided_times left out a figure";
  return found;
}

timed_collectives time_collectives(std::uint32_t ranks, std::span<const std::string> collectives,
                                   std::span<const std::int64_t> sizes,
                                   std::span<const std::pair<std::string, std::string>> environment) {
  timed_collectives found;
  const finished done = run_ranks(ranks, "collective_times", collectives, sizes, environment);
  std::istringstream lines(done.output);
  for (timed_collective t; lines >> t.what >> t.bytes >> t.time;) found.all.push_back(t);
  found.error = done.error;
  if (found.error.empty() && found.all.size() < collectives.size())
    found.error = "collective_times left out a collective";
  return found;
}

}  // namespace loadstone::command
