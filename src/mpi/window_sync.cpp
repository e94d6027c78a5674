// Synchronisation of windows (MPI §12.5). The epochs say what is allowed; rma/sync.hpp does it.
#include <algorithm>
#include <atomic>

#include "mpi/generated/impl.hpp"
#include "mpi/window_call.hpp"
#include "rma/sync.hpp"

namespace loadstone::mpi {
namespace {

// All of them may be given to every call that takes them; each call heeds some.
constexpr int all_assertions =
    MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;

int check_assertions(call& c, int given, int position) {
  if ((given & ~all_assertions) == 0) [[likely]]
    return MPI_SUCCESS;
  return c.fail(MPI_ERR_ASSERT,
                "argument {} (assert) is {:#x}; expected 0, or a sum of MPI_MODE_NOCHECK, NOSTORE, NOPUT, "
                "NOPRECEDE and NOSUCCEED",
                position, static_cast<unsigned>(given));
}

// What a call that waits for members has to return. If the wait has failed, one of them is dead, or
// the job is being stopped: its epoch is over then, or has not begun. `failed`: what has become
// known of operations meanwhile.
int waited(call& c, const window& win, bool done, const rma::trouble& failed = {}, int target = -1) {
  if (!done) [[unlikely]]
    return member_lost(c, target);
  return failed.ok() ? MPI_SUCCESS : operation_failed(c, win, target, 0, failed);
}

// The ranks in the window of the members of a group. The gate is held.
int ranks_of(call& c, const window& win, const group& part, window::partners* kept) {
  if (kept->list == part.list()) return MPI_SUCCESS;
  kept->list = nullptr;
  kept->ranks.clear();
  for (const memory::process_id& who : *part.list()) {
    const int rank = win.group().rank_of(who);
    if (rank == MPI_UNDEFINED) {
      return c.fail(MPI_ERR_GROUP,
                    "argument 1 (group) has a process (number {}) that is not in the window's group",
                    who.index);
    }
    kept->ranks.push_back(rank);
  }
  kept->list = part.list();
  return MPI_SUCCESS;
}

int check_locks(call& c, const window& win) {
  if (!win.hints.no_locks()) [[likely]]
    return MPI_SUCCESS;
  return c.fail(MPI_ERR_RMA_SYNC, "the window has the info hint no_locks; expected no call that locks");
}

// MPI_MODE_NOCHECK has promised that there is no such holder.
[[gnu::cold]] int lock_conflict(call& c, int rank, bool exclusive, const rma::lock_holder& holder) {
  c.aims_at(rank);
  const std::string who = holder.process ? fmt::format("process {} of the job exclusively", *holder.process)
                          : holder.readers == 1 ? std::string("one process")
                                                : fmt::format("{} processes", holder.readers);
  return c.fail(
      MPI_ERR_RMA_CONFLICT,
      "it is locked by {}; expected no lock that conflicts with this {} one, as assert is MPI_MODE_NOCHECK",
      who, exclusive ? "exclusive" : "shared");
}

// What all flushes begin with. `rank`: or MPI_PROC_NULL, or MPI_ANY_SOURCE for all targets.
int check_passive(call& c, window& win, int rank) {
  if (const auto no = rank >= 0 ? win.epochs.flush(rank) : win.epochs.flush_all()) [[unlikely]]
    return wrong_epoch(c, rank, no);
  look_around(c.process(), win);
  return MPI_SUCCESS;
}

// Most operations are complete when their calls return: then there is nothing to wait for, and no
// gate to take.
template <class Flush>
int flushed(call& c, window& win, int rank, Flush flush) {
  // Asked once: another thread may begin something meanwhile, which this flush need not complete.
  if (win.core().flush_now()) [[likely]]
    return MPI_SUCCESS;
  const std::lock_guard guard(c.process().gate());
  const rma::trouble result = flush();
  return result.ok() ? MPI_SUCCESS : operation_failed(c, win, rank, 0, result);
}

}  // namespace

// So seldom does one that may also work give its core away: it keeps most of its time.
constexpr std::uint64_t turn_ns = 8'000;

void look_around(process& p, window& win) {
  if (!win.time_to_poll()) [[likely]]
    return;
  const std::lock_guard guard(p.gate());
  deposit::endpoint& endpoint = *p.core().endpoint;
  endpoint.tested(endpoint.poll(), turn_ns);
}

int impl::Win_fence(call& c, int assertions, window& win) {
  if (const int error = check_assertions(c, assertions, 1)) return error;
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.fence((assertions & MPI_MODE_NOPRECEDE) != 0))
    return wrong_epoch(c, MPI_ANY_SOURCE, no);
  rma::trouble failed;
  const bool done = rma::fence(win.core(), reason_for(c, win, MPI_ANY_SOURCE, "fence"), &failed);
  win.epochs.end_fence(!done || (assertions & MPI_MODE_NOSUCCEED) != 0);
  return waited(c, win, done, failed);
}

int impl::Win_post(call& c, group& group, int assertions, window& win) {
  if (const int error = check_assertions(c, assertions, 2)) return error;
  const std::lock_guard guard(c.process().gate());
  if (const int error = ranks_of(c, win, group, &win.posted)) return error;
  const auto& ranks = win.posted.ranks;
  if (const auto no = win.epochs.post(static_cast<std::int32_t>(ranks.size())))
    return wrong_epoch(c, MPI_ANY_SOURCE, no);
  const bool done = rma::post(win.core(), ranks);
  if (!done) win.epochs.end_wait();
  return waited(c, win, done);
}

int impl::Win_start(call& c, group& group, int assertions, window& win) {
  if (const int error = check_assertions(c, assertions, 2)) return error;
  const std::lock_guard guard(c.process().gate());
  if (const int error = ranks_of(c, win, group, &win.started)) return error;
  if (const auto no = win.epochs.start(win.started.ranks)) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  const bool done =
      rma::start(win.core(), win.epochs.started(), reason_for(c, win, MPI_ANY_SOURCE, "post of the targets"));
  done ? win.epochs.end_start() : win.epochs.abandon_start();
  return waited(c, win, done);
}

int impl::Win_complete(call& c, window& win) {
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.complete()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  rma::trouble failed;
  const bool done = rma::complete(win.core(), win.epochs.started(), &failed);
  win.epochs.end_complete();
  return waited(c, win, done, failed);
}

int impl::Win_wait(call& c, window& win) {
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.wait()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  const bool done =
      rma::wait_exposure(win.core(), reason_for(c, win, MPI_ANY_SOURCE, "complete of the origins"));
  win.epochs.end_wait();
  return waited(c, win, done);
}

int impl::Win_test(call& c, window& win, int* flag) {
  process& p = c.process();
  const std::lock_guard guard(p.gate());
  if (const auto no = win.epochs.wait()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  bool over = rma::exposure_is_over(win.core());
  if (!over) {
    p.core().endpoint->poll();
    over = rma::exposure_is_over(win.core());
  }
  if (over)
    p.activity.note_completed();
  else
    p.note_poll(false);
  const bool lost = !over && rma::exposure_is_lost(win.core());
  if (over || lost) win.epochs.end_wait();
  if (lost) return member_lost(c, MPI_ANY_SOURCE);
  *flag = over;
  return MPI_SUCCESS;
}

int impl::Win_lock(call& c, int lock_type, int rank, int assertions, window& win) {
  const bool exclusive = lock_type == MPI_LOCK_EXCLUSIVE;
  if (!exclusive && lock_type != MPI_LOCK_SHARED) {
    return c.fail(MPI_ERR_LOCKTYPE,
                  "argument 1 (lock_type) is {}; expected MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", lock_type);
  }
  if (const int error = check_assertions(c, assertions, 3)) return error;
  if (const int error = check_locks(c, win)) return error;
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.lock(rank)) return wrong_epoch(c, rank, no);
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  const bool nocheck = (assertions & MPI_MODE_NOCHECK) != 0;
  if (nocheck) {
    if (const auto holder = rma::holder_against(win.core(), rank, exclusive)) {
      win.epochs.end_unlock(rank);
      return lock_conflict(c, rank, exclusive, *holder);
    }
  }
  const bool done = rma::lock(win.core(), rank, exclusive, nocheck,
                              reason_for(c, win, rank, exclusive ? "exclusive lock" : "shared lock"));
  done ? win.epochs.end_lock(rank, exclusive) : win.epochs.end_unlock(rank);
  return waited(c, win, done, {}, rank);
}

int impl::Win_unlock(call& c, int rank, window& win) {
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.unlock(rank)) return wrong_epoch(c, rank, no);
  rma::trouble failed;
  const bool done = rank == MPI_PROC_NULL || rma::unlock(win.core(), rank, &failed);
  win.epochs.end_unlock(rank);
  if (win.time_to_poll()) [[unlikely]]
    c.process().core().endpoint->poll();
  return waited(c, win, done, failed, rank);
}

int impl::Win_lock_all(call& c, int assertions, window& win) {
  if (const int error = check_assertions(c, assertions, 1)) return error;
  if (const int error = check_locks(c, win)) return error;
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.lock_all()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  const bool done = rma::lock_all(win.core(), (assertions & MPI_MODE_NOCHECK) != 0,
                                  reason_for(c, win, MPI_ANY_SOURCE, "shared locks"));
  done ? win.epochs.end_lock_all() : win.epochs.end_unlock_all();
  return waited(c, win, done);
}

int impl::Win_unlock_all(call& c, window& win) {
  const std::lock_guard guard(c.process().gate());
  if (const auto no = win.epochs.unlock_all()) return wrong_epoch(c, MPI_ANY_SOURCE, no);
  rma::trouble failed;
  const bool done = rma::unlock_all(win.core(), &failed);
  win.epochs.end_unlock_all();
  return waited(c, win, done, failed);
}

int impl::Win_flush(call& c, int rank, window& win) {
  if (const int error = check_passive(c, win, rank)) return error;
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  return flushed(c, win, rank, [&] { return win.core().flush(rank); });
}

int impl::Win_flush_all(call& c, window& win) {
  if (const int error = check_passive(c, win, MPI_ANY_SOURCE)) return error;
  return flushed(c, win, MPI_ANY_SOURCE, [&] { return win.core().flush_all(); });
}

// Every operation is complete at its origin when its call returns.
int impl::Win_flush_local(call& c, int rank, window& win) {
  return check_passive(c, win, rank);
}

int impl::Win_flush_local_all(call& c, window& win) {
  return check_passive(c, win, MPI_ANY_SOURCE);
}

// The unified model has one copy of the window: only the order of loads and stores is left to do.
// Allowed at any time, as MPI-4.1 has it.
int impl::Win_sync(call& c, window& win) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // with whatever the program synchronises by
  look_around(c.process(), win);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
