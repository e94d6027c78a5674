#include "launch/guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "launch/descendants.hpp"
#include "memory/io_layout.hpp"

namespace loadstone::launch {

namespace {

constexpr int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

// Carries what is typed at a terminal to rank 0, which cannot read the terminal itself: it is not
// in its foreground group.
class input_pump {
 public:
  input_pump(int to) : to_(to) {
    if (to_ >= 0) fcntl(to_, F_SETFL, O_NONBLOCK);
  }
  bool wants_input() const { return to_ >= 0 && used_ == 0 && !waiting_; }
  bool wants_output() const { return to_ >= 0 && used_ != 0; }
  int output() const { return to_; }
  bool idle() const { return waiting_; }
  void try_again() { waiting_ = false; }

  void take() {
    ssize_t n = read(STDIN_FILENO, block_, sizeof block_);
    if (n > 0) {
      used_ = static_cast<std::size_t>(n);
      give();
    } else if (n == 0) {
      stop();
    } else if (errno == EIO) {  // we are in the background just now: try again in a while
      waiting_ = true;
    } else if (errno != EINTR && errno != EAGAIN) {
      stop();
    }
  }

  void give() {
    ssize_t n = write(to_, block_, used_);
    if (n > 0) {
      used_ -= static_cast<std::size_t>(n);
      std::memmove(block_, block_ + n, used_);
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
      stop();  // rank 0 has closed its input
    }
  }

 private:
  void stop() {
    close(to_);
    to_ = -1;
  }
  int to_;
  bool waiting_ = false;
  std::size_t used_ = 0;
  char block_[4096];
};

// The keeper has died; the I/O processes write what they have. Until they have ended, or a signal
// gives them up.
void let_finish(std::vector<pid_t> io_processes, int signals) {
  bool told = false;
  for (;;) {
    std::erase_if(io_processes, [](pid_t one) {
      const pid_t ended = waitpid(one, nullptr, WNOHANG);
      return ended == one || (ended < 0 && errno == ECHILD);
    });
    if (io_processes.empty()) return;
    pollfd look{signals, POLLIN, 0};
    const int ready = poll(&look, 1, 200);
    if (ready == 0 && !told) {
      told = true;
      std::fputs("mpiexec: data that the ranks have written to files are being stored\n", stderr);
    }
    signalfd_siginfo info{};
    if (ready <= 0 || read(signals, &info, sizeof info) != sizeof info) continue;
    const auto number = static_cast<int>(info.ssi_signo);
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) {
      std::fputs("mpiexec: data that the ranks had written to files are lost: storing them was given up\n",
                 stderr);
      return;
    }
  }
}

// The front: until the keeper has ended.
int watch(pid_t keeper, int control, int signals, input_pump& pump,
          const std::atomic<std::int32_t>* io_processes) {
  int interrupts = 0;
  for (;;) {
    pollfd polls[3] = {{signals, POLLIN, 0},
                       {pump.wants_input() ? STDIN_FILENO : -1, POLLIN, 0},
                       {pump.wants_output() ? pump.output() : -1, POLLOUT, 0}};
    int ready = poll(polls, 3, pump.idle() ? 200 : -1);
    if (ready == 0) pump.try_again();
    if (ready <= 0) continue;
    if (polls[1].revents != 0) pump.take();
    if (polls[2].revents != 0) pump.give();
    signalfd_siginfo info{};
    if (polls[0].revents == 0 || read(signals, &info, sizeof info) != sizeof info) continue;
    auto number = static_cast<int>(info.ssi_signo);
    if (number == SIGCHLD) {
      int status = 0;
      if (waitpid(keeper, &status, WNOHANG) != keeper) {
        reap_orphans([keeper](pid_t pid) { return pid == keeper; });
        continue;
      }
      std::vector<pid_t> finishing;
      for (std::uint32_t i = 0; WIFSIGNALED(status) && io_processes != nullptr && i < memory::io_servers; ++i)
        if (const pid_t one = io_processes[i].load(std::memory_order_relaxed); one > 0)
          finishing.push_back(one);  // relaxed: whoever stored it has ended
      kill_descendants([](pid_t) { return false; }, finishing);
      if (!finishing.empty()) {
        let_finish(finishing, signals);
        kill_descendants([](pid_t) { return false; });
      }
      if (WIFEXITED(status)) return WEXITSTATUS(status);
      std::fprintf(stderr,
                   "mpiexec: its keeper process %d was killed by signal %d (%s), and all ranks with it.\n",
                   static_cast<int>(keeper), WTERMSIG(status), strsignal(WTERMSIG(status)));
      return 128 + WTERMSIG(status);
    }
    auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] ssize_t written = write(control, &byte, 1);
    if (number == SIGINT && ++interrupts == 3)
      kill(keeper, SIGKILL);  // the keeper hangs, in a write to a stopped terminal say
    if (number == SIGTSTP) raise(SIGSTOP);
  }
}

}  // namespace

int run_guarded(int (*keep)(const front_line& line, void* context), void* context) {
  // Standard descriptors that are closed would be given to something else: make them harmless.
  for (int fd = 0; fd <= 2; ++fd)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR);  // gets the lowest free number: this one
  sigset_t mask;
  sigemptyset(&mask);
  for (int number : forwarded) sigaddset(&mask, number);
  sigaddset(&mask, SIGCHLD);
  sigprocmask(SIG_BLOCK, &mask, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTTOU, SIG_IGN);
  signal(SIGTTIN, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);

  int control[2], input[2] = {-1, -1};
  if (pipe2(control, O_CLOEXEC) != 0) {
    std::perror("mpiexec: pipe");
    return 1;
  }
  void* page = mmap(nullptr, sizeof(std::atomic<std::int32_t>) * memory::io_servers, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* io_processes =
      page == MAP_FAILED ? nullptr : new (page) std::atomic<std::int32_t>[memory::io_servers]();
  front_line line{control[0], STDIN_FILENO, -1, io_processes};
  if (isatty(STDIN_FILENO) && pipe2(input, O_CLOEXEC) == 0)
    line = {control[0], input[0], input[1], io_processes};
  pid_t front = getpid();
  pid_t keeper = fork();
  if (keeper < 0) {
    std::perror("mpiexec: fork");
    return 1;
  }
  if (keeper == 0) {
    setpgid(0, 0);
    close(control[1]);
    if (line.input_peer >= 0) close(line.input_peer);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // A keeper that somebody stopped goes on when the front dies, finds the control pipe at its
    // end, and clears away.
    prctl(PR_SET_PDEATHSIG, SIGCONT);
    if (getppid() != front) _exit(1);
    int status = keep(line, context);
    std::fflush(nullptr);
    _exit(status);
  }
  setpgid(keeper, keeper);
  close(control[0]);
  if (input[0] >= 0) close(input[0]);
  int signals = signalfd(-1, &mask, SFD_CLOEXEC);
  if (signals < 0) {
    std::perror("mpiexec: signalfd");
    kill(keeper, SIGKILL);
    return 1;
  }
  input_pump pump(input[1]);
  return watch(keeper, control[1], signals, pump, io_processes);
}

}  // namespace loadstone::launch
