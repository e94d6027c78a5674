#include "command/probes.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/cpus.hpp"
#include "buffering/file_writes.hpp"
#include "launch/binding.hpp"
#include "launch/thread_counts.hpp"
#include "memory/job.hpp"

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

namespace loadstone::command {

namespace {

// What one child sets and another one reads: it is at the same address in both.
std::uint64_t secret = 0;

// Starts a child that lets its parent and the parent's descendants trace it, sets `secret`, and
// waits to be killed. It closes `ready` when it is that far.
pid_t start_owner(const int* ready) {
  const pid_t parent = getpid(), child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_PTRACER, static_cast<unsigned long>(parent), 0, 0, 0);
  secret = 0x10ad;
  close(ready[0]);
  close(ready[1]);
  for (;;) pause();
}

// Starts another child, which reads the secret of the first. Returns 0, or errno.
int read_from_sibling(pid_t owner) {
  const pid_t reader = fork();
  if (reader < 0) return errno;
  if (reader == 0) {
    std::uint64_t seen = 0;
    iovec here{&seen, sizeof seen}, there{&secret, sizeof secret};
    const ssize_t n = process_vm_readv(owner, &here, 1, &there, 1, 0);
    _exit(n == sizeof seen && seen == 0x10ad ? 0 : n < 0 && errno != 0 ? errno : EIO);
  }
  int status = 0;
  while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

}  // namespace

finding try_process_vm(const surroundings& here) {
  int ready[2];
  if (pipe(ready) != 0) return {verdict::stops, "no pipe can be made", std::strerror(errno), "ulimit -n"};
  const pid_t owner = start_owner(ready);
  close(ready[1]);
  char none;
  while (read(ready[0], &none, 1) < 0 && errno == EINTR) {  // until the owner has closed its end
  }
  close(ready[0]);
  if (owner < 0) return {verdict::stops, "no process can be started", std::strerror(errno), "ulimit -u"};
  const int error_number = read_from_sibling(owner);
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  if (error_number != 0) return explain_refusal(here, error_number);
  return {verdict::ok, "a rank can copy from another rank's memory (process_vm_readv)", "", ""};
}

finding try_job_memory(const surroundings& here) {
  memory::job_config config;
  config.world_size = here.ranks;
  auto made = memory::job::create(config);
  if (!made)
    return {verdict::stops, fmt::format("the job memory cannot be made: {}", made.error().what),
            made.error().number != 0 ? std::strerror(made.error().number) : "",
            "ulimit -f, ulimit -v, memory limits"};
  struct statvfs shm {};
  std::string aside;
  if (statvfs("/dev/shm", &shm) == 0)
    aside = fmt::format("; /dev/shm ({} MiB) is not used",
                        (static_cast<std::uint64_t>(shm.f_blocks) * shm.f_frsize) >> 20);
  return {verdict::ok,
          fmt::format("job memory for {} rank{} can be made (without a name{})", here.ranks,
                      here.ranks == 1 ? "" : "s", aside),
          "", ""};
}

finding try_binding(const surroundings& here) {
  constexpr std::uint32_t whatever_there_is = 0;
  if (here.ranks > base::usable_cpus())
    return {verdict::remark, "ranks will not be bound to cores, and are told to start one thread each",
            "there are more of them than processors; mpiexec gives them OMP_NUM_THREADS=1 and "
            "OMP_WAIT_POLICY=passive unless the environment says otherwise",
            ""};
  const launch::binding shares = launch::choose_binding({{here.ranks, whatever_there_is}}, {});
  if (!shares.places.empty())
    return {verdict::ok,
            shares.threads.front() == 1
                ? std::string("each rank gets a core of its own, and is to start one thread")
                : fmt::format("each rank gets a core of its own, or {} if its program has threads",
                              shares.threads.front()),
            "", ""};
  launch::placement_wish cores;
  cores.bind = launch::machine_part::core;
  const std::string note = launch::choose_binding({{here.ranks, 1}}, cores).note;
  const bool shared = note.find("other jobs") != std::string::npos;
  return {
      verdict::costs,
      shared ? "other jobs of this machine hold some of the cores" : "there are fewer cores than ranks",
      fmt::format("ranks are not bound: they move between processors, and meet on one now and then; each is "
                  "told to start {} thread{} (OMP_NUM_THREADS), and that waiting ones sleep",
                  shares.threads.front(), shares.threads.front() == 1 ? "" : "s"),
      shared ? "wait for the other jobs, or start fewer ranks"
             : "start fewer ranks: hardware threads of a core share it"};
}

finding try_file_writes() {
  const std::string_view how = buffering::choose_writes({})->name();
  if (how == "io_uring") return {verdict::ok, "buffered writes to files are made by io_uring", "", ""};
  return {verdict::remark, fmt::format("buffered writes to files are made by {}", how),
          "io_uring is refused here (seccomp, kernel.io_uring_disabled), or this build has been made without "
          "liburing; "
          "one write at a time is enough for most file systems",
          ""};
}

finding look_at_threads(const surroundings& here) {
  const launch::variable_lookup variable = [](const char* name) -> const char* { return std::getenv(name); };
  const std::uint32_t wished = launch::wished_threads(variable);
  if (wished * std::uint64_t{here.ranks} <= here.processors || wished <= 1) return {};
  return {
      verdict::costs,
      fmt::format("{} makes {} threads of {} ranks on {} processors", launch::threads_set_by_user(variable),
                  wished * std::uint64_t{here.ranks}, here.ranks, here.processors),
      "threads that wait for their turn keep others waiting at every parallel loop",
      "unset it: mpiexec then gives each rank its share of the cores"};
}

}  // namespace loadstone::command
