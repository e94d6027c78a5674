#include "mpi/epochs.hpp"

#include <fmt/core.h>

#include <utility>

namespace loadstone::mpi {

epochs::epochs(std::int32_t members, std::int32_t self)
    : members_(members),
      self_(self),
      targets_(std::make_unique<relaxed<grant>[]>(static_cast<std::size_t>(members))) {}

epochs::objection epochs::operate(std::int32_t rank) {
  if (rank >= 0 ? allows(rank) : everywhere_ || access_ == access::started || access_ == access::locked)
    return nullptr;
  switch (access_) {
    case access::none:
      if (!fenced_)
        return left_fence_
                   ? "another access epoch has ended since the last fence, so that its own may not begin "
                     "any more; expected MPI_Win_fence, start, lock or lock_all before"
                   : "no access epoch is open; expected MPI_Win_fence, start, lock or lock_all before";
      access_ = access::fence_used;
      everywhere_ = true;
      return nullptr;
    case access::started:
    case access::starting:
      return "the target is not in the group of MPI_Win_start";
    case access::locked:
      return "the target is not locked";
    default:
      return "the call that opens the access epoch has not returned yet";
  }
}

epochs::objection epochs::operate_by_request(std::int32_t rank) {
  if (passive(rank)) return nullptr;
  if (access_ == access::locked) return "the target is not locked";
  return "operations with a request are for passive epochs only; expected MPI_Win_lock or lock_all before";
}

epochs::objection epochs::fence(bool no_precede) const {
  switch (access_) {
    case access::none:
      return nullptr;
    case access::fence_used:
      return no_precede
                 ? "assert has MPI_MODE_NOPRECEDE, but operations have been called since the last fence"
                 : nullptr;
    case access::starting:
    case access::started:
      return "the epoch of MPI_Win_start is open; expected MPI_Win_complete before";
    default:
      return "targets are locked; expected MPI_Win_unlock or unlock_all before";
  }
}

void epochs::end_fence(bool no_succeed) {
  access_ = access::none;
  fenced_ = !no_succeed;
  left_fence_ = false;
  everywhere_ = false;
}

// An access epoch of another kind begins. That of the last fence, which would have begun at the
// fence, and before this one, cannot be disjoint from it any more.
void epochs::leave_fence() {
  if (fenced_) left_fence_ = true;
  fenced_ = false;
}

// What stands against one more access epoch; locks are asked about by lock().
epochs::objection epochs::opens_access() const {
  switch (access_) {
    case access::none:
      return nullptr;
    case access::fence_used:
      return "the epoch of the last fence is open, as operations have been called in it; expected "
             "MPI_Win_fence before";
    case access::starting:
    case access::started:
      return "the epoch of MPI_Win_start is open; expected MPI_Win_complete before";
    case access::locked:
      return "targets are locked; expected MPI_Win_unlock before";
    default:
      return "all targets are locked; expected MPI_Win_unlock_all before";
  }
}

epochs::objection epochs::lock(std::int32_t rank) {
  if (access_ != access::locked) {
    if (const objection no = opens_access()) return no;
  }
  if (rank >= 0 && of(rank) != grant::none) return "the target is locked by this process already";
  if (rank == self_ && posted_)
    return "the calling process is exposed by MPI_Win_post, and must not be locked before MPI_Win_wait";
  leave_fence();
  access_ = access::locked;
  ++locks_;
  if (rank < 0)
    nobodies_ = nobodies_ + 1;
  else
    of(rank) = grant::wanted;
  return nullptr;
}

void epochs::end_lock(std::int32_t rank, bool exclusive) {
  if (rank >= 0) of(rank) = exclusive ? grant::exclusive : grant::shared;
}

epochs::objection epochs::unlock(std::int32_t rank) {
  if (access_ != access::locked || (rank >= 0 ? of(rank) < grant::shared : nobodies_ == 0))
    return access_ == access::all_locked ? "the targets were locked by MPI_Win_lock_all; expected unlock_all"
                                         : "the target is not locked";
  if (rank >= 0) of(rank) = grant::wanted;
  return nullptr;
}

void epochs::end_unlock(std::int32_t rank) {
  if (rank < 0)
    nobodies_ = nobodies_ - 1;
  else
    of(rank) = grant::none;
  if (--locks_ == 0) access_ = access::none;
}

epochs::objection epochs::lock_all() {
  if (const objection no = opens_access()) return no;
  if (posted_)
    return "the calling process is exposed by MPI_Win_post, and must not be locked before MPI_Win_wait";
  leave_fence();
  access_ = access::locking_all;
  return nullptr;
}

void epochs::end_lock_all() {
  access_ = access::all_locked;
  everywhere_ = true;
}

epochs::objection epochs::unlock_all() {
  if (access_ != access::all_locked)
    return access_ == access::locked ? "the targets were locked one by one; expected MPI_Win_unlock"
                                     : "MPI_Win_lock_all has not been called";
  access_ = access::locking_all;
  everywhere_ = false;
  return nullptr;
}

void epochs::end_unlock_all() {
  access_ = access::none;
}

epochs::objection epochs::flush(std::int32_t rank) const {
  if (passive(rank)) return nullptr;
  return access_ == access::locked ? "the target is not locked"
                                   : "no passive epoch is open; expected MPI_Win_lock or lock_all before";
}

epochs::objection epochs::flush_all() const {
  return passive() ? nullptr : "no passive epoch is open; expected MPI_Win_lock or lock_all before";
}

epochs::objection epochs::start(const std::vector<std::int32_t>& targets) {
  if (const objection no = opens_access()) return no;
  leave_fence();
  access_ = access::starting;
  started_ = targets;
  for (const std::int32_t rank : started_) of(rank) = grant::wanted;
  return nullptr;
}

void epochs::end_start() {
  access_ = access::started;
  for (const std::int32_t rank : started_) of(rank) = grant::started;
}

void epochs::abandon_start() {
  for (const std::int32_t rank : started_) of(rank) = grant::none;
  end_complete();
}

epochs::objection epochs::complete() {
  if (access_ != access::started) return "MPI_Win_start has not been called";
  access_ = access::starting;
  for (const std::int32_t rank : started_) of(rank) = grant::none;
  return nullptr;
}

void epochs::end_complete() {
  access_ = access::none;
  started_.clear();
}

epochs::objection epochs::post(std::int32_t origins) {
  if (posted_) return "the window is exposed by MPI_Win_post already; expected MPI_Win_wait before";
  if (locks_self())
    return "the calling process holds a lock of its own window; expected MPI_Win_unlock before";
  posted_ = true;
  origins_ = origins;
  return nullptr;
}

epochs::objection epochs::wait() const {
  return posted_ ? nullptr : "MPI_Win_post has not been called";
}

epochs::objection epochs::free() const {
  if (posted_) return "the window is exposed by MPI_Win_post; expected MPI_Win_wait before";
  return opens_access();
}

// The targets that have been named, the first eight of them.
std::string epochs::targets() const {
  constexpr int most = 8;
  std::string text;
  int found = 0;
  for (std::int32_t rank = 0; rank < members_; ++rank) {
    const grant g = of(rank);
    if (g == grant::none) continue;
    if (++found > most) return text + ", …";
    const char* kind = g == grant::exclusive ? " (exclusive)"
                       : g == grant::shared  ? " (shared)"
                       : g == grant::wanted  ? " (not yet)"
                                             : "";
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", rank, kind);
  }
  if (nobodies_ > 0) text += text.empty() ? "MPI_PROC_NULL" : ", MPI_PROC_NULL";
  return text.empty() ? "none" : text;
}

std::string epochs::describe() const {
  std::string text = "The present access epoch: ";
  switch (access_) {
    case access::none:
      text += fenced_ ? "none since the last fence" : "none";
      break;
    case access::fence_used:
      text += "of the last fence";
      break;
    case access::starting:
    case access::started:
      text += fmt::format("of MPI_Win_start, targets {}", targets());
      break;
    case access::locked:
      text += fmt::format("of MPI_Win_lock, targets {}", targets());
      break;
    default:
      text += "of MPI_Win_lock_all";
      break;
  }
  if (posted_) {
    text += fmt::format("; exposed by MPI_Win_post to {} processes", std::int32_t{origins_});
  }
  return text;
}

}  // namespace loadstone::mpi
