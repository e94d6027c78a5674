#include "launch/descendants.hpp"

#include <dirent.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string>

#include "base/process_stat.hpp"
#include "base/text_file.hpp"

namespace loadstone::launch {

namespace {

// For kernels without the list of children in /proc: ask every process for its parent.
std::vector<pid_t> search_children() {
  std::vector<pid_t> found;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (dirent* entry = readdir(folder)) {
    auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (pid <= 0) continue;
    const auto stat = base::stat_of_process(pid);
    if (stat && stat->parent == getpid()) found.push_back(pid);
  }
  closedir(folder);
  return found;
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

}  // namespace

std::vector<pid_t> children_of_this_process() {
  std::string path = fmt::format("/proc/self/task/{}/children", getpid());
  if (access(path.c_str(), R_OK) != 0) return search_children();
  std::vector<pid_t> found;
  std::istringstream words(base::read_text_file(path));
  for (pid_t pid; words >> pid;) found.push_back(pid);
  return found;
}

void kill_descendants(const std::function<bool(pid_t)>& keep, std::span<const pid_t> spared) {
  for (;;) {
    bool alive = false;
    for (pid_t pid : children_of_this_process()) {
      if (std::find(spared.begin(), spared.end(), pid) != spared.end()) continue;
      bool kept = keep(pid);
      if (kept && has_ended(pid)) continue;  // a zombie that keeps its process id
      alive = true;
      kill(pid, SIGKILL);
      siginfo_t info{};
      int failed;
      do failed = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | (kept ? WNOWAIT : 0));
      while (failed != 0 && errno == EINTR);
    }
    if (!alive) return;  // what a child of a child has left is ours by now, and would have been in the list
  }
}

void reap_orphans(const std::function<bool(pid_t)>& keep) {
  for (pid_t pid : children_of_this_process())
    if (!keep(pid)) waitpid(pid, nullptr, WNOHANG);
}

}  // namespace loadstone::launch
