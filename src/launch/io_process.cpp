#include "launch/io_process.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "buffering/apart.hpp"
#include "buffering/figures.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

using buffering::get;

io_process::io_process(memory::job& job, std::uint32_t index, io_start how,
                       std::atomic<std::int32_t>* shared_pid)
    : job_(job), index_(index), how_(std::move(how)), shared_pid_(shared_pid) {}

io_process::~io_process() {
  if (socket_ >= 0) close(socket_);
}

bool io_process::start(const io_file_list& files) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  memory::io_server& us = job_.io().servers[index_];
  us.asleep.store(0, std::memory_order_relaxed);  // relaxed: of the one before, which is dead
  carried_at_start_ = get(us.carried);
  undropped_.clear();  // it does not know those files
  const pid_t keeper = getpid(), pid = fork();
  if (pid == 0) run_io_process(job_, index_, keeper, ends[1], how_, files);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  if (socket_ >= 0) close(socket_);
  socket_ = ends[0];
  pid_ = pid;
  if (shared_pid_ != nullptr) shared_pid_->store(pid, std::memory_order_relaxed);
  us.pid.store(pid, std::memory_order_relaxed);
  us.started.fetch_add(1, std::memory_order_relaxed);
  return true;
}

bool io_process::see_end() {
  int status = 0;
  if (pid_ < 0 || waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = -1;
  memory::io_server& us = job_.io().servers[index_];
  if (shared_pid_ != nullptr) shared_pid_->store(0, std::memory_order_relaxed);
  us.pid.store(0, std::memory_order_relaxed);
  buffering::end_writes_of_dead(us);
  deaths_ = get(us.carried) != carried_at_start_ ? 1 : deaths_ + 1;
  return true;
}

// A descriptor, or, with -1, that the file is closed.
bool io_process::tell(std::uint64_t id, int descriptor) {
  io_message message{id, descriptor >= 0 ? 1u : 0u, 0};
  iovec part{&message, sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr whole{};
  whole.msg_iov = &part;
  whole.msg_iovlen = 1;
  if (descriptor >= 0) {
    whole.msg_control = control;
    whole.msg_controllen = sizeof control;
    cmsghdr* head = CMSG_FIRSTHDR(&whole);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  }
  // It may be stopped: we wait for nobody.
  if (sendmsg(socket_, &whole, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof message) return false;
  wait::ring(job_.io().servers[index_].called);  // sync: bell
  return true;
}

void io_process::tell_closed(std::uint64_t id) {
  undropped_.push_back(id);
  std::erase_if(undropped_, [this](std::uint64_t one) { return pid_ < 0 || tell(one, -1); });
}

}  // namespace loadstone::launch
