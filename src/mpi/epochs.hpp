// The epochs of one process on one window: which operations and synchronisation calls are allowed
// now (MPI §12.5). A pure state machine, which knows ranks of the window and nothing else.
//
//   access      none ── fence ─> fenced ── first operation ─> fence_used ── fence ─> fenced …
//               none or fenced ── start ─> started ── complete ─> none
//               none or fenced ── lock ─> locked (several targets) ── last unlock ─> none
//               none or fenced ── lock_all ─> all_locked ── unlock_all ─> none
//   exposure    none ── post ─> posted ── wait, test ─> none        (beside any access epoch)
//
// A fence alone begins no epoch: the first operation behind it does, and MPI has it begin at the
// fence. So another epoch may come instead of it, but not before it.
//
// A fence also exposes the window, if others operate on it before the next one. Nobody here knows
// whether they do. So neither a fence of an exposed process nor a post behind a fence is objected
// to: both are legal as long as no operation of a fence's epoch comes here.
//
// MPI_PROC_NULL is nobody's rank: any negative one here. Operations on it are allowed in any access
// epoch, and behind a fence open one as all do; it may be locked, several times, beside others.
//
// Each question is a call that returns null if the step is allowed, and then takes it; or a
// sentence that says what is wrong, and nothing has changed. Steps that wait in between have a
// second call for their end.
//
// Threads: allows(), passive(), flush() and describe() at any time; all else under the gate.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mpi/relaxed.hpp"

namespace loadstone::mpi {

class epochs {
 public:
  using objection = const char*;

  epochs(std::int32_t members, std::int32_t self);

  // May an operation on this target, which is a member, begin? If not, operate() is asked. A thread
  // that operates in an epoch learnt from the one that opened it that it may.
  bool allows(std::int32_t rank) const { return everywhere_ || of(rank) >= grant::shared; }
  objection operate(std::int32_t rank);             // the first operation behind a fence opens its epoch
  objection operate_by_request(std::int32_t rank);  // MPI_Rput and the like: passive epochs only

  objection fence(bool no_precede) const;
  void end_fence(bool no_succeed);

  objection lock(std::int32_t rank);  // from here on nobody else may want it
  void end_lock(std::int32_t rank, bool exclusive);
  objection unlock(std::int32_t rank);
  void end_unlock(std::int32_t rank);
  objection lock_all();
  void end_lock_all();
  objection unlock_all();
  void end_unlock_all();
  // Is a passive epoch open, on this target? Threads: as allows().
  bool passive() const { return access_ == access::all_locked || access_ == access::locked; }
  bool passive(std::int32_t rank) const {
    return access_ == access::all_locked ||
           (access_ == access::locked && (rank < 0 || of(rank) >= grant::shared));
  }
  objection flush(std::int32_t rank) const;
  objection flush_all() const;

  objection start(const std::vector<std::int32_t>& targets);
  void end_start();
  void abandon_start();  // a target has died
  objection complete();
  std::span<const std::int32_t> started() const { return started_; }
  void end_complete();
  objection post(std::int32_t origins);
  objection wait() const;  // and test
  void end_wait() { posted_ = false; }

  objection free() const;

  // "The present access epoch: of MPI_Win_lock, targets 1 (exclusive)". For messages to the user.
  std::string describe() const;

 private:
  enum class access : std::uint8_t { none, fence_used, starting, started, locked, locking_all, all_locked };
  enum class grant : std::uint8_t { none, wanted, shared, exclusive, started };

  relaxed<grant>& of(std::int32_t rank) const { return targets_[static_cast<std::size_t>(rank)]; }
  objection opens_access() const;
  void leave_fence();
  bool locks_self() const {
    return access_ == access::all_locked || (access_ == access::locked && of(self_) != grant::none);
  }
  std::string targets() const;

  relaxed<bool> everywhere_{false};  // is any target allowed?
  relaxed<access> access_{access::none};
  // The next operation opens the epoch of the last fence, or would have, if no other epoch had come
  // before it.
  relaxed<bool> fenced_{false}, left_fence_{false};
  relaxed<bool> posted_{false};
  std::int32_t members_, self_, locks_ = 0;
  relaxed<std::int32_t> origins_{0}, nobodies_{0};  // nobodies_: locks of MPI_PROC_NULL
  std::unique_ptr<relaxed<grant>[]> targets_;
  std::vector<std::int32_t> started_;
};

}  // namespace loadstone::mpi
