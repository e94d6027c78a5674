#include "rma/ranges.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "rma/engine.hpp"
#include "rma/lock_reason.hpp"
#include "rma/waiting.hpp"
#include "wait/pause.hpp"

namespace loadstone::rma {
namespace {

constexpr std::uint32_t looks_before_sleep = 32;
constexpr std::uint64_t ask_after_ns = 100'000'000;  // whether the holder lives

std::size_t lowest(range_set set) {
  return static_cast<std::size_t>(std::countr_zero(set));
}

}  // namespace

std::int64_t begin_apart(const window& w, std::uint64_t address, std::int64_t bytes, std::int64_t unit) {
  constexpr std::int64_t range = 1 << range_shift;
  const std::int64_t ranges = bytes / range;
  if (ranges < 2) return 0;
  const std::int64_t apart = std::max<std::int64_t>(1, static_cast<std::int64_t>(range_locks) / w.size()),
                     number = w.rank() * apart % ranges;
  if (number == 0) return 0;
  const std::int64_t at = number * range - static_cast<std::int64_t>(address % range);
  return (at + unit - 1) / unit * unit;
}

std::uint32_t range_hold::self() const {
  return window_.engine().self();
}

bool range_hold::claim(std::size_t lock) {
  std::uint64_t nobody = 0;
  // acquire: what its last holder has written. Relaxed if it is held: nothing is read then (sync:
  // rma-range).
  const bool mine = target_.record->ranges[lock].holder.compare_exchange_strong(
      nobody, self() + 1, std::memory_order_acquire, std::memory_order_relaxed);
  if (mine) {
    held_ |= 1u << lock;
    LOADSTONE_FAULT_POINT("rma.range");
  }
  return mine;
}

bool range_hold::try_take(range_set wanted) {
  if (held_ == wanted) return true;
  release();
  for (range_set left = wanted; left != 0; left &= left - 1)
    if (!claim(lowest(left))) {
      release();
      return false;
    }
  return true;
}

bool range_hold::wait_for(range_set wanted) {
  for (range_set left = wanted; left != 0; left &= left - 1)
    if (!claim(lowest(left)) && !wait_for_one(lowest(left))) {
      release();
      return false;
    }
  return true;
}

bool range_hold::wait_for_one(std::size_t lock) {
  for (std::uint32_t looks = 0; looks < looks_before_sleep; ++looks) {
    wait::pause();
    if (claim(lock)) return true;
  }
  deposit::endpoint& endpoint = window_.engine().endpoint();
  std::unique_lock<wait::gate> hold(endpoint.gate(), std::defer_lock);
  if (gate_ == gate::open) hold.lock();
  auto& waiting = target_.record->line_of(static_cast<std::uint32_t>(window_.rank())).waiting;
  wait::reason why;
  why.communicator = wait::is_window | window_.id();
  lock_reason says(why, target_.process, "memory of ");
  struct attempt {
    range_hold& self;
    std::size_t lock;
    lock_reason& says;
    std::uint64_t asked = base::now_ns();
    bool taken = false, gone = false;
    bool done() {
      if (taken || gone) return true;  // it may be evaluated again
      auto& word = self.target_.record->ranges[lock].holder;
      std::uint64_t seen = 0;
      while (!(taken = self.claim(lock))) {
        // Sequentially consistent, both: whoever gives it back sees the mark, or we see that it was
        // given back (sync: rma-range).
        seen = word.load(std::memory_order_seq_cst);
        if (seen == 0) continue;
        if ((seen & somebody_waits) != 0 ||
            word.compare_exchange_strong(seen, seen | somebody_waits, std::memory_order_seq_cst))
          break;
      }
      if (taken) return true;
      const auto holder = static_cast<std::uint32_t>(seen & name_of_holder) - 1;
      says.name(lock_holder{holder, 0});
      if (const std::uint64_t now = base::now_ns(); now - asked > ask_after_ns) {
        asked = now;
        gone = has_died(self.window_.engine().endpoint(), self.window_.engine().job(), holder);
      }
      return gone;
    }
  } mine{*this, lock, says};
  waiting.fetch_add(1, std::memory_order_seq_cst);  // before the mark (sync: rma-range)
  endpoint.wait_until([&] { return mine.done(); }, says.why);
  waiting.fetch_sub(1, std::memory_order_relaxed);  // relaxed: at worst we are woken once in vain
  if (!mine.taken && mine.gone) dead_ = static_cast<std::uint32_t>(says.why.peer);
  return mine.taken;
}

void range_hold::release() {
  bool waited_for = false;
  for (; held_ != 0; held_ &= held_ - 1) {
    // Releases what was written; sequentially consistent against marks (sync: rma-range).
    const std::uint64_t was =
        target_.record->ranges[lowest(held_)].holder.exchange(0, std::memory_order_seq_cst);
    waited_for |= (was & somebody_waits) != 0;
  }
  if (!waited_for) [[likely]]
    return;
  deposit::endpoint& endpoint = window_.engine().endpoint();
  std::unique_lock<wait::gate> hold(endpoint.gate(), std::defer_lock);
  if (gate_ == gate::open) hold.lock();
  for (std::int32_t rank = 0; rank < window_.size(); ++rank) {
    const auto& line = target_.record->line_of(static_cast<std::uint32_t>(rank));
    // Behind the exchange, sequentially consistent, for a waiter that has found the mark made by
    // another counts itself and looks at the lock again (sync: rma-range).
    if (line.waiting.load(std::memory_order_seq_cst) != 0) endpoint.wake(window_.process_of(rank));
  }
}

}  // namespace loadstone::rma
