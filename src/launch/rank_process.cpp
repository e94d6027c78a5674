#include "launch/rank_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/fault.hpp"
#include "launch/program_file.hpp"
#include "launch/shared_heap.hpp"
#include "memory/launch_environment.hpp"

namespace loadstone::launch {

namespace {

[[noreturn]] void give_up(const rank_start& how, int step) {
  start_failure failure{how.rank, errno, step};
  const std::string& name = how.program->command.front();
  if (step == 0 && failure.number == EACCES && name.find('/') == std::string::npos &&
      !is_in_path(name, std::getenv("PATH")))
    failure.number = ENOENT;
  [[maybe_unused]] ssize_t written = write(how.report, &failure, sizeof failure);
  _exit(step == 0 && failure.number == ENOENT ? 127 : 126);
}

void set_signals_as_usual() {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (int number : {SIGPIPE, SIGTTOU, SIGTTIN}) sigaction(number, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void keep_variables(const inheritance& kept) {
  if (kept.all) return;
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& name : kept.names)
    if (const char* value = std::getenv(name.c_str())) values.emplace_back(name, value);
  clearenv();
  for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
}

[[noreturn]] void become_rank(const rank_start& how, pid_t keeper, const memory::announcement& text) {
  // Dies with the keeper; and if that has died before this line, at once.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(1);
  setpgid(0, 0);
  base::set_fault_process(how.rank);
  LOADSTONE_FAULT_POINT("launch.becoming_rank");
  if (how.place != nullptr) bind_here(*how.place);
  dup2(how.input, STDIN_FILENO);
  dup2(how.output, STDOUT_FILENO);
  dup2(how.error, STDERR_FILENO);
  keep_variables(how.program->inherited);
  for (const auto& [name, value] : how.program->environment) setenv(name.c_str(), value.c_str(), 1);
  for (const auto& [name, value] : *how.threads) setenv(name.c_str(), value.c_str(), 1);
  set_shared_heap(*how.heap, how.heap_from);
  if (how.alone_below) setenv("LOADSTONE_SINGLETON", "1", 1);
  setenv("LOADSTONE_RANK", text.rank.c_str(), 1);
  setenv("LOADSTONE_JOB_FD", text.job_fd.c_str(), 1);
  setenv("LOADSTONE_JOB", text.job.c_str(), 1);
  fcntl(how.job->descriptor(), F_SETFD,
        0);  // inherited by this rank; the library closes it for what the rank starts
  setrlimit(RLIMIT_NOFILE, &how.open_files);
  if (!how.program->folder.empty() && chdir(how.program->folder.c_str()) != 0) give_up(how, 1);
  std::vector<char*> words;
  for (const std::string& word : how.program->command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  set_signals_as_usual();
  const std::string file = program_name(*how.program);
  execvp(file.c_str(), words.data());
  give_up(how, 0);
}

}  // namespace

pid_t start_rank(const rank_start& how) {
  memory::announcement text = memory::announce(*how.job, how.rank);
  pid_t keeper = getpid();
  pid_t child = fork();
  if (child == 0) become_rank(how, keeper, text);
  if (child > 0) setpgid(child, child);  // from both sides, so that it is true whoever comes first
  return child;
}

}  // namespace loadstone::launch
