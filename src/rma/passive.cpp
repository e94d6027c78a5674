// Locks of targets, as this member has them.
#include <sched.h>

#include "base/fault.hpp"
#include "rma/lock.hpp"
#include "rma/lock_reason.hpp"
#include "rma/synchronisation.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

bool synchronisation::lock(partner& p, bool exclusive, bool nocheck, const wait::reason& why) {
  if (p.lock == lock_kind::lost) [[unlikely]]
    return false;
  if (nocheck) {
    p.lock = lock_kind::unchecked;
    return true;
  }
  const bool joins = !exclusive && locks_ != 0,
             locked = p.record != nullptr ? try_lock(*p.record, endpoint_.self(), exclusive) ||
                                                wait_in_queue(p, exclusive, joins, why)
                                          : around_.lock(around_.context, p, exclusive, joins, why);
  if (!locked) {
    p.lock = lock_kind::lost;
    return false;
  }
  p.lock = exclusive ? lock_kind::exclusive : lock_kind::shared;
  ++locks_;
  LOADSTONE_FAULT_POINT("rma.locked");
  return true;
}

bool synchronisation::unlock(partner& p) {
  const lock_kind had = p.lock;
  if (had == lock_kind::lost) [[unlikely]]
    return false;
  p.lock = lock_kind::none;
  if (had == lock_kind::unchecked) return true;
  --locks_;
  LOADSTONE_FAULT_POINT("rma.unlocking");
  if (p.record == nullptr) [[unlikely]]
    return around_.unlock(around_.context, p, had == lock_kind::exclusive);
  const auto waits = give_back(*p.record, endpoint_.self(), had == lock_kind::exclusive);
  if (waits) [[unlikely]] {
    if (++p.passes % most_passes == 0) reserve_for_first(*p.record);
    endpoint_.wake(*waits);
  }
  return true;
}

bool synchronisation::wait_in_queue(partner& p, bool exclusive, bool joins, const wait::reason& caller) {
  if (joins) give_way(p);
  lock_waiter waiter(*p.record, rank_, endpoint_.self(), endpoint_.self(), exclusive, joins);
  lock_reason says(caller, p.process);
  says.name(waiter.holder());
  const auto done = [&] {
    if (waiter.look() != lock_waiter::answer::not_yet) return true;
    if (says.why.since != 0) says.name(waiter.holder());
    return false;
  };
  const auto gone = [&] {
    const auto before = waiter.in_front();
    const lock_holder now = waiter.holder();
    return (before && has_died(*before)) || (now.process ? has_died(*now.process) : some_member_has_died());
  };
  const bool over = wait_for_members(endpoint_, says.why, done, gone);
  if (!over) mark_broken(*p.record);
  if (!over || waiter.look() != lock_waiter::answer::taken) return false;
  if (const auto reader = waiter.next_reader()) endpoint_.wake(*reader);
  return true;
}

// Before we join its readers: for whom it is reserved has it as soon as they are through, if they
// wait for nobody.
void synchronisation::give_way(const partner& p) {
  const std::uint64_t until = base::now_ns() + given_way_ns;
  while (is_reserved_from_readers(*p.record) && base::now_ns() < until) {
    endpoint_.poll();
    const wait::gate::recess open(endpoint_.gate());
    sched_yield();
  }
}

// Where an operation on it is legal, one of these is the case.
const char* synchronisation::answer_in_epoch(const partner& p) const {
  switch (p.lock) {
    case lock_kind::exclusive:
      return "answer, exclusive lock epoch";
    case lock_kind::unchecked:
      return "answer, unchecked lock epoch";
    case lock_kind::shared:
      // Relaxed: as in entered().
      return all_.load(std::memory_order_relaxed) != 0 ? "answer, lock_all epoch"
                                                       : "answer, shared lock epoch";
    default:
      return "answer, fence or start epoch";
  }
}

bool synchronisation::lock_all(bool nocheck, const wait::reason& why) {
  if (nocheck) return true;
  if (++alls_ == 0) ++alls_;
  all_why_ = why;
  // Relaxed: no operation is under way.
  all_.store(alls_, std::memory_order_relaxed);
  partner* const self = find(rank_);
  if (self == nullptr || !enter(*self)) return false;
  for (partner* p = in_step_; p != nullptr; p = p->next_in_step)
    if (!enter(*p)) return false;
  return true;
}

bool synchronisation::enter(partner& p) {
  if (p.entering) {  // another thread does it: there is one place in the queue for each process
    wait::reason why = all_why_;
    why.detail = "another thread's lock";
    if (!endpoint_.wait_until([&] { return !p.entering; }, why)) return false;
  }
  if (entered(p)) return true;
  p.entering = true;
  const bool locked = lock(p, false, false, all_why_);
  p.entering = false;
  if (!locked) return false;
  note_entered(p);
  return true;
}

bool synchronisation::enter_if_free(partner& p) {
  if (all_.load(std::memory_order_relaxed) == 0 || entered(p)) return true;  // relaxed: as in entered()
  if (p.record == nullptr || p.entering || p.lock != lock_kind::none) return false;
  if (!try_lock(*p.record, endpoint_.self(), false)) return false;
  p.lock = lock_kind::shared;
  ++locks_;
  note_entered(p);
  return true;
}

void synchronisation::note_entered(partner& p) {
  p.next_locked = locked_;
  locked_ = &p;
  // Relaxed: as in entered().
  p.entered.store(all_.load(std::memory_order_relaxed), std::memory_order_release);  // sync: rma-entered
}

bool synchronisation::unlock_all() {
  bool all_well = true;
  for (partner* p = locked_; p != nullptr; p = p->next_locked) {
    p->entered.store(0, std::memory_order_relaxed);  // relaxed: no operation is under way
    all_well &= unlock(*p);
  }
  locked_ = nullptr;
  all_.store(0, std::memory_order_relaxed);  // relaxed: as above
  return all_well;
}

bool synchronisation::keep_in_step(partner& p) {
  if (!p.in_step) {
    p.in_step = true;
    p.next_in_step = in_step_;
    in_step_ = &p;
  }
  return entered(p) || enter(p);
}

}  // namespace loadstone::rma
