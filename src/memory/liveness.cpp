#include "memory/liveness.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/process_stat.hpp"

namespace loadstone::memory {

std::uint64_t start_time_of(pid_t pid) {
  const auto stat = base::stat_of_process(pid);
  return stat && !stat->has_ended() ? stat->start_time : 0;
}

namespace {

enum class life_lock : std::uint8_t { held, gone, unknown };

off_t place_of(job& of, std::uint32_t index) {
  return static_cast<off_t>(of.header().table_at + std::uint64_t{index} * sizeof(process_entry));
}

struct flock byte_at(off_t place) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  return lock;
}

bool hold(job& of, off_t place) {
  struct flock lock = byte_at(place);
  int failed;
  do failed = fcntl(of.descriptor(), F_SETLK, &lock);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}

// `holder`: its process id in our namespace, 0 if it is not seen from here.
life_lock ask(job& of, off_t place, pid_t* holder) {
  *holder = 0;
  struct flock lock = byte_at(place);
  // Asked as an open file would: what this very process holds (ranks that are threads) is seen,
  // too.
  if (fcntl(of.descriptor(), F_OFD_GETLK, &lock) != 0) {
    lock = byte_at(place);
    if (fcntl(of.descriptor(), F_GETLK, &lock) != 0) return life_lock::unknown;
  }
  if (lock.l_type == F_UNLCK) return life_lock::gone;
  *holder = std::max<pid_t>(lock.l_pid, 0);
  return life_lock::held;
}

bool is_claimed(const process_entry& entry) {
  return entry.state.load(std::memory_order_acquire) >=
         static_cast<std::uint32_t>(process_state::claimed);  // sync: process-claimed
}

// Do its numbers and ours mean the same?
bool one_namespace(job& of, const process_entry& entry) {
  const bool apart = of.self() != UINT32_MAX && of.process(of.self()).apart != 0;
  return entry.apart == 0 && !apart;
}

}  // namespace

bool hold_life_lock(job& of, std::uint32_t index) {
  return hold(of, place_of(of, index));
}

bool hold_launcher_lock(job& of) {
  return hold(of, 0);
}

bool sees_launcher_apart(job& of) {
  pid_t holder;
  return ask(of, 0, &holder) == life_lock::held && holder != of.header().launcher;
}

bool is_alive(job& of, std::uint32_t index) {
  const process_entry& entry = of.process(index);
  if (entry.dead.load(std::memory_order_acquire) != 0) return false;  // sync: process-dead
  if (!is_claimed(entry)) return true;
  pid_t holder;
  const life_lock lock = entry.locked != 0 ? ask(of, place_of(of, index), &holder) : life_lock::unknown;
  if (lock == life_lock::held) return true;
  if (entry.start_time != 0 && one_namespace(of, entry) && start_time_of(getpid()) != 0)
    return start_time_of(entry.pid) == entry.start_time;
  return lock == life_lock::unknown;  // then the launcher has the say alone
}

pid_t pid_here(job& of, std::uint32_t index) {
  const process_entry& entry = of.process(index);
  if (!is_claimed(entry)) return 0;
  pid_t holder = 0;
  if (entry.locked != 0 && ask(of, place_of(of, index), &holder) == life_lock::held) return holder;
  return one_namespace(of, entry) ? entry.pid : 0;
}

pid_t launcher_here(job& of) {
  pid_t holder;
  return ask(of, 0, &holder) == life_lock::held ? holder : 0;
}

bool launcher_is_gone(job& of) {
  pid_t holder;
  return ask(of, 0, &holder) == life_lock::gone;
}

void note_death(job& of, std::uint32_t index) {
  if (of.self() == UINT32_MAX || of.self() == index) return;
  // Who has finalized owed nothing any more: that it is gone explains nothing.
  if (of.process(index).state.load(std::memory_order_acquire) ==
      static_cast<std::uint32_t>(process_state::finalized))  // sync: process-claimed
    return;
  std::uint32_t none = 0;
  // relaxed: read by mpiexec when this process has ended
  of.process(of.self()).met_death.compare_exchange_strong(none, index + 1, std::memory_order_relaxed);
}

}  // namespace loadstone::memory
