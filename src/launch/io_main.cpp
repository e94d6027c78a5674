// An I/O process itself.
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "buffering/carrier.hpp"
#include "launch/binding.hpp"
#include "launch/io_process.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

namespace {

std::atomic<std::uint32_t>* bell = nullptr;  // for the handler

// A thread of the keeper has died: whoever is about to sleep looks again.
void on_keepers_death(int) {
  bell->fetch_add(1, std::memory_order_relaxed);  // relaxed: our parent says what has happened
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = 0;
  for (const int descriptor : kept) {
    const auto fd = static_cast<unsigned>(descriptor);
    if (fd > from && syscall(SYS_close_range, from, fd - 1, 0) != 0)
      for (unsigned i = from; i < fd; ++i) close(static_cast<int>(i));
    from = fd + 1;
  }
  if (syscall(SYS_close_range, from, ~0u, 0) != 0)
    for (unsigned i = from; i < 4096; ++i) close(static_cast<int>(i));
}

void prepare_signals() {
  struct sigaction look {};
  look.sa_handler = on_keepers_death;
  sigaction(SIGUSR1, &look, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes is an error as any other
  sigset_t all, ours;
  sigfillset(&all);
  sigemptyset(&ours);
  sigaddset(&ours, SIGUSR1);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // what ends the job is the keeper's to see
  sigprocmask(SIG_UNBLOCK, &ours, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
}

// A file may take two descriptors here, and no more of them than the program had at its start.
void allow_many_files() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

// One message; 0: none; -1: the keeper is gone. A file without its descriptor: there was no room
// for it here.
int receive(int socket, bool wait, io_message* message, int* descriptor) {
  iovec part{message, sizeof *message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr whole{};
  whole.msg_iov = &part;
  whole.msg_iovlen = 1;
  whole.msg_control = control;
  whole.msg_controllen = sizeof control;
  *descriptor = -1;
  ssize_t n;
  do n = recvmsg(socket, &whole, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  while (n < 0 && errno == EINTR);
  if (n < 0 && errno == EAGAIN) return 0;
  if (n != sizeof *message) return -1;
  if (const cmsghdr* head = CMSG_FIRSTHDR(&whole); head != nullptr && head->cmsg_type == SCM_RIGHTS)
    std::memcpy(descriptor, CMSG_DATA(head), sizeof *descriptor);
  return 1;
}

}  // namespace

void run_io_process(memory::job& job, std::uint32_t index, pid_t keeper, int socket, const io_start& how,
                    const io_file_list& files) {
  memory::io_area& area = job.io();
  memory::io_server& us = area.servers[index];
  bell = &us.called;
  prctl(PR_SET_NAME,
        (how.alone ? std::string("loadstone-io") : fmt::format("loadstone-io/{}", index)).c_str());
  setpgid(0, 0);
  prepare_signals();
  allow_many_files();
  if (!how.place.empty()) bind_here(how.place);
  std::vector<int> kept{socket, job.descriptor()};
  for (const auto& [id, descriptor] : files) kept.push_back(descriptor);
  close_all_but(kept);
  buffering::carrier carrier(job, buffering::choose_writes(how.writes), {}, index);
  io_file_list open = files;
  for (const auto& [id, descriptor] : files) carrier.add_file(id, descriptor);
  bool keeper_lives = true;
  const auto take_messages = [&](bool wait) {
    io_message message{};
    int descriptor = -1;
    for (int got; keeper_lives && (got = receive(socket, wait, &message, &descriptor)) != 0; wait = false) {
      if (got < 0) {
        keeper_lives = false;
      } else if (message.open != 0 && descriptor < 0) {
        _exit(1);  // whoever replaces us inherits it
      } else if (message.open != 0) {
        open.emplace_back(message.id, descriptor);
        carrier.add_file(message.id, descriptor);
      } else {
        carrier.drop_file(message.id);
        std::erase_if(open, [&](const auto& f) { return f.first == message.id && (close(f.second), true); });
      }
    }
    // The signal may come before the socket is closed: the keeper has several threads, and the
    // last one to end closes it.
    if (getppid() != keeper) keeper_lives = false;
    if (!keeper_lives) carrier.give_up_missing();
  };
  std::uint32_t looked = us.called.load(std::memory_order_acquire) - 1;
  for (;;) {
    const std::uint32_t called = us.called.load(std::memory_order_acquire);  // sync: bell
    if (called != looked) take_messages(false);
    looked = called;
    const bool in_time =
        keeper_lives && area.draining.load(std::memory_order_relaxed) == 0;  // relaxed: a guess
    if (in_time && carrier.has_work() && carrier.gives_way()) {
      std::this_thread::sleep_for(carrier.look_again);
      continue;
    }
    if (carrier.step() != 0) continue;
    // Its descriptor was sent before anybody could publish for it.
    if (carrier.has_work() && carrier.misses_a_file()) {
      take_messages(true);
      continue;
    }
    // Acquire: no rank is left, and what they have published is seen (sync: io-drain).
    if (!keeper_lives || area.draining.load(std::memory_order_acquire) != 0) {
      if (!carrier.has_work()) _exit(0);
      continue;
    }
    // Either we see an extent that is published now, or its writer that we sleep (sync: io-asleep).
    us.asleep.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!carrier.has_work()) wait::sleep_on(us.called, called, carrier.relieve());
    us.asleep.store(0, std::memory_order_relaxed);
  }
}

}  // namespace loadstone::launch
