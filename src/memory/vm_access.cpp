#include "memory/vm_access.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "base/fault.hpp"
#include "base/valgrind.hpp"
#include "memory/liveness.hpp"

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

namespace loadstone::memory {

using base::code;
using base::status;

namespace {

// What is known of a pair: nothing, that it is refused, or the peer's process id as we see it.
constexpr pid_t unknown = 0, refused = -1;
constexpr std::size_t most_vectors = 1024;  // IOV_MAX of Linux

// A place in a list of buffers.
struct cursor {
  const iovec* next;
  std::size_t left;
  std::size_t used = 0;  // bytes of *next already moved

  // The coming buffers, for one call: of the list itself, or, where a part of the first is done,
  // the rest of that alone, in `rest`. A copy of the list would be much for the stack of a thread.
  const iovec* coming(iovec* rest, std::size_t* count) const {
    *count = used == 0 ? std::min(left, most_vectors) : 1;
    if (used == 0) return next;
    *rest = {static_cast<std::byte*>(next->iov_base) + used, next->iov_len - used};
    return rest;
  }
  void advance(std::size_t bytes) {
    used += bytes;
    while (left != 0 && used >= next->iov_len) {
      used -= next->iov_len;
      ++next;
      --left;
    }
  }
};

}  // namespace

struct vm_access::state {
  state(job& j, std::uint32_t who) : owner(j), self(who), pairs(j.header().capacity) {}
  job& owner;
  std::uint32_t self;
  bool off = false;
  // relaxed everywhere: each word stands for itself; deciding twice gives the same answer.
  std::vector<std::atomic<pid_t>> pairs;

  pid_t check(std::uint32_t process);
  base::result<std::size_t> move(bool write, std::uint32_t process, const iovec* local, std::size_t locals,
                                 const iovec* remote, std::size_t remotes);
};

vm_access::vm_access(job& job, std::uint32_t self, bool wanted) : state_(std::make_unique<state>(job, self)) {
  state_->off = !wanted;
  // Where only descendants may be traced (Ubuntu's default), siblings are allowed by naming their
  // common ancestor.
  if (const pid_t launcher = launcher_here(job); launcher > 0)
    prctl(PR_SET_PTRACER, static_cast<unsigned long>(launcher), 0, 0, 0);
}

vm_access::~vm_access() = default;

pid_t vm_access::state::check(std::uint32_t process) {
  process_entry& entry = owner.process(process);
  auto claimed = entry.state.load(std::memory_order_acquire);  // sync: process-claimed
  if (claimed < static_cast<std::uint32_t>(process_state::claimed)) return unknown;
  // The kernel's word for which process it is, and the content for that its memory is what we
  // think.
  const pid_t pid = pid_here(owner, process);
  if (pid <= 0) return refused;
  std::uint64_t number = 0;
  iovec here{&number, sizeof number};
  iovec there{reinterpret_cast<void*>(entry.random_address), sizeof number};
  ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
  LOADSTONE_FAULT_POINT("vm.checked");
  return n == sizeof number && number == entry.random_number ? pid : refused;
}

bool vm_access::allowed(std::uint32_t process) {
  state& s = *state_;
  if (s.off || process >= s.pairs.size()) return false;
  pid_t known = s.pairs[process].load(std::memory_order_relaxed);
  if (known == unknown) {
    known = s.check(process);
    if (known != unknown) s.pairs[process].store(known, std::memory_order_relaxed);
  }
  return known > 0;
}

base::result<std::size_t> vm_access::state::move(bool write, std::uint32_t process, const iovec* local,
                                                 std::size_t locals, const iovec* remote,
                                                 std::size_t remotes) {
  // relaxed: allowed() has found it, in this thread
  const pid_t pid = pairs[process].load(std::memory_order_relaxed);
  if (pid <= 0) return status{code::refused, 0, "process_vm_readv/writev is not used with this peer"};
  cursor here{local, locals}, there{remote, remotes};
  here.advance(0);  // skips empty buffers
  there.advance(0);
  std::size_t total = 0;
  while (here.left != 0 && there.left != 0) {
    iovec here_rest, there_rest;
    std::size_t here_count, there_count;
    const iovec* ours = here.coming(&here_rest, &here_count);
    const iovec* theirs = there.coming(&there_rest, &there_count);
    std::optional<base::unwritten_is_fine> unwritten;
    if (write) unwritten.emplace();
    ssize_t n = write ? process_vm_writev(pid, ours, here_count, theirs, there_count, 0)
                      : process_vm_readv(pid, ours, here_count, theirs, there_count, 0);
    if (n >
        0) {  // a short count comes from a bad page or from the limit of 2 GiB a call: the next call tells
      here.advance(static_cast<std::size_t>(n));
      there.advance(static_cast<std::size_t>(n));
      total += static_cast<std::size_t>(n);
      continue;
    }
    if (n == 0) return status{code::bad_address, 0, "process_vm moved nothing"};
    switch (errno) {
      case EFAULT:
        return status{code::bad_address, EFAULT, "a buffer of the message is not accessible memory"};
      case ESRCH:
        note_death(owner, process);
        return status{code::gone, ESRCH, "the peer process has ended"};
      case EPERM:
      case ENOSYS:
      case EACCES:
        pairs[process].store(refused, std::memory_order_relaxed);
        return status{code::refused, errno, "the system refuses process_vm_readv/writev to this peer"};
      default:
        return status{code::system, errno, "process_vm_readv/writev failed"};
    }
  }
  return total;
}

base::result<std::size_t> vm_access::read(std::uint32_t process, const iovec* local, std::size_t locals,
                                          const iovec* remote, std::size_t remotes) {
  if (!allowed(process)) return status{code::refused, 0, "process_vm_readv is not used with this peer"};
  return state_->move(false, process, local, locals, remote, remotes);
}

base::result<std::size_t> vm_access::write(std::uint32_t process, const iovec* local, std::size_t locals,
                                           const iovec* remote, std::size_t remotes) {
  if (!allowed(process)) return status{code::refused, 0, "process_vm_writev is not used with this peer"};
  return state_->move(true, process, local, locals, remote, remotes);
}

}  // namespace loadstone::memory
