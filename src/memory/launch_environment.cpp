#include "memory/launch_environment.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/process_stat.hpp"
#include "memory/liveness.hpp"

namespace loadstone::memory {

namespace {

constexpr const char* rank_variable = "LOADSTONE_RANK";
constexpr const char* fd_variable = "LOADSTONE_JOB_FD";
constexpr const char* job_variable = "LOADSTONE_JOB";

struct announced {
  std::uint32_t rank;
  int fd, launcher_fd;
  pid_t launcher;
  std::uint64_t random, pids;
};

bool read_announcement(announced* a) {
  const char* rank = std::getenv(rank_variable);
  const char* fd = std::getenv(fd_variable);
  const char* job = std::getenv(job_variable);
  if (rank == nullptr || fd == nullptr || job == nullptr) return false;
  unsigned long long random = 0, pids = 0;
  int launcher = 0;
  if (std::sscanf(rank, "%u", &a->rank) != 1 || std::sscanf(fd, "%d", &a->fd) != 1 ||
      std::sscanf(job, "%d:%d:%llx:%llu", &launcher, &a->launcher_fd, &random, &pids) < 3)
    return false;
  a->launcher = launcher;
  a->random = random;
  a->pids = pids;
  return true;
}

void forget_announcement() {
  unsetenv(rank_variable);
  unsetenv(fd_variable);
  unsetenv(job_variable);
}

// Attaches if the descriptor is the job that was announced; any other descriptor is left alone.
std::unique_ptr<job> attach_announced(int descriptor, std::uint64_t random, base::status* why) {
  // Looked at through a duplicate, so that a descriptor that is something else keeps its flags.
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) {
    *why = {base::code::invalid, errno, "the inherited descriptor is closed"};
    return nullptr;
  }
  auto attached = job::attach(copy);
  if (!attached) {
    close(copy);
    *why = attached.error();
    return nullptr;
  }
  // relaxed: compared only; attach() has done the ordering.
  if ((*attached)->header().ready.load(std::memory_order_relaxed) != random) {
    *why = {base::code::stranger, 0, "the inherited descriptor is another job"};
    return nullptr;
  }
  return std::move(*attached);
}

// The PID namespace of this process as a number; 0: it cannot be told.
std::uint64_t pid_namespace() {
  struct stat here {};
  return stat("/proc/self/ns/pid", &here) == 0 ? here.st_ino : 0;
}

bool is_ancestor(pid_t pid) {
  pid_t at = getppid();
  for (int depth = 0; depth < 1000 && at > 0 && pid > 0; ++depth) {
    if (at == pid) return true;
    const auto stat = base::stat_of_process(at);
    if (!stat) return false;
    at = stat->parent;
  }
  return false;
}

found_job alone(std::uint64_t arena_limit) {
  found_job found;
  job_config config;
  config.arena_limit = arena_limit;
  auto made = job::create(config);
  if (!made) {
    found.error = fmt::format("cannot make a job of one rank: {}", made.error().what);
    if (made.error().number != 0) found.error += fmt::format(" ({})", std::strerror(made.error().number));
    return found;
  }
  base::status claimed = (*made)->claim(0);
  if (!claimed.ok()) {
    found.error = claimed.what;
    return found;
  }
  found.view = std::move(*made);
  return found;
}

}  // namespace

announcement announce(job& of, std::uint32_t index) {
  announcement text;
  text.rank = std::to_string(index);
  text.job_fd = std::to_string(of.descriptor());
  text.job = fmt::format("{}:{}:{:x}:{}", getpid(), of.descriptor(),
                         of.header().ready.load(std::memory_order_relaxed), pid_namespace());
  return text;
}

std::string foreign_launcher() {
  const char* alone_wanted = std::getenv("LOADSTONE_SINGLETON");
  if (alone_wanted != nullptr && std::strcmp(alone_wanted, "0") != 0) return {};
  auto sentence = [](const std::string& who) {
    return fmt::format(
        "this process was started by another launcher ({}), which Loadstone does not speak with yet. It "
        "would run as many jobs of one rank each, so it stops instead. Start it with Loadstone's own "
        "mpiexec; or set "
        "LOADSTONE_SINGLETON=1 if a job of one rank is what you want.",
        who);
  };
  auto number = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? 0 : std::atoi(value);
  };
  // A job of one is ours to run, if its launcher says how many there are.
  const char* space = std::getenv("PMIX_NAMESPACE");
  const bool of_slurm = space != nullptr && std::strncmp(space, "slurm.", 6) == 0;
  const bool one_by_pmix = number(of_slurm ? "SLURM_STEP_NUM_TASKS" : "OMPI_COMM_WORLD_SIZE") == 1;
  const bool one_by_pmi = one_by_pmix || number("PMI_SIZE") == 1;
  const std::pair<const char*, bool> signs[] = {
      {"PMIX_RANK", one_by_pmix}, {"PMIX_NAMESPACE", one_by_pmix}, {"PMI_RANK", one_by_pmi},
      {"PMI_FD", one_by_pmi},     {"PMI_PORT", one_by_pmi},        {"PMI_SIZE", number("PMI_SIZE") <= 1}};
  for (const auto& [name, one] : signs) {
    const char* value = std::getenv(name);
    if (value != nullptr && !one) return sentence(fmt::format("{}={} is set", name, value));
  }
  // A batch script, and the shell of salloc, have SLURM_NTASKS and even SLURM_PROCID, but what they
  // start is none of the tasks. Tasks are in a step; that of salloc's shell has one.
  if (std::getenv("SLURM_STEP_ID") != nullptr) {
    const char* tasks =
        std::getenv("SLURM_STEP_NUM_TASKS") != nullptr ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
    if (number(tasks) > 1)
      return sentence(fmt::format("a step of Slurm: {}={} is set", tasks, std::getenv(tasks)));
  }
  return {};
}

found_job find_job(std::uint64_t arena_limit) {
  announced a{};
  if (!read_announcement(&a)) {
    found_job refused;
    refused.error = foreign_launcher();
    return refused.error.empty() ? alone(arena_limit) : std::move(refused);
  }
  found_job found;
  base::status why;
  std::unique_ptr<job> view = attach_announced(a.fd, a.random, &why);
  if (view == nullptr && why.kind != base::code::version) {
    // A program in between closed the descriptor, or we were handed a copy of a rank's environment.
    int opened = open(fmt::format("/proc/{}/fd/{}", a.launcher, a.launcher_fd).c_str(), O_RDWR | O_CLOEXEC);
    const int number = errno;
    // Another namespace, or no /proc: whether that mpiexec lives cannot be told by its number.
    const bool told = a.pids != 0 && a.pids == pid_namespace();
    if (opened < 0 && number == ENOENT &&
        told) {  // that mpiexec is gone: variables left over from another time
      forget_announcement();
      return alone(arena_limit);
    }
    if (opened >= 0) {
      view = attach_announced(opened, a.random, &why);
      close(opened);
      if (view == nullptr && why.kind != base::code::version && told) {
        forget_announcement();
        return alone(arena_limit);
      }
    } else {
      why = {base::code::refused, told ? number : 0,
             told ? "the descriptor of the job was closed on the way from mpiexec to this process"
                  : "the descriptor of the job was closed on the way from mpiexec to this process, which "
                    "does not "
                    "see mpiexec (a PID namespace of its own, or no /proc)"};
    }
  } else if (view != nullptr) {
    close(a.fd);
  }
  if (view == nullptr) {
    found.error =
        fmt::format("rank {}: cannot join the job of mpiexec (process {}): {}", a.rank, a.launcher, why.what);
    if (why.number != 0) found.error += fmt::format(" ({})", std::strerror(why.number));
    return found;
  }
  base::status claimed = view->claim(a.rank);
  if (claimed.kind == base::code::stranger) {
    const process_entry& entry = view->process(a.rank);
    // sync: process-claimed
    bool known =
        entry.state.load(std::memory_order_acquire) >= static_cast<std::uint32_t>(process_state::claimed);
    if (known &&
        is_ancestor(pid_here(
            *view, a.rank))) {  // a rank started us with a copy of the environment that it began with
      forget_announcement();
      return alone(arena_limit);
    }
    found.error = fmt::format(
        "rank {}: its place in the job was taken by process {} before. Of all programs that mpiexec starts "
        "for one rank, "
        "directly or through a script, only one may call MPI_Init.",
        a.rank, known ? pid_here(*view, a.rank) : 0);
    return found;
  }
  if (!claimed.ok()) {
    found.error = fmt::format("rank {}: {}", a.rank, claimed.what);
    return found;
  }
  forget_announcement();
  found.view = std::move(view);
  found.self = a.rank;
  found.launched = true;
  return found;
}

std::uint64_t arena_limit_of(std::string_view text) {
  std::uint64_t bytes = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return why == std::errc() && end == text.data() + text.size() ? bytes : 0;
}

}  // namespace loadstone::memory
