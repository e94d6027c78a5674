// What a sleep costs, as those who were woken have measured it: from the bell, whose ringer says
// when it rings, to their first poll. Each process keeps its figure in a word of job memory, for
// whoever waits for it waits that long if it sleeps. A waiter polls as long as the dearer sleep of
// the two costs, and then sleeps (docs/decisions/015).
//
// The figure is to be what a sleep may cost, not its mean: it rises at once to what was seen, at
// most to twice what it was, for whoever was woken may have had no core; and falls slowly.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace loadstone::wait {

class sleep_cost {
 public:
  // ns; 0: its owner has not been woken yet. Written by its owner only. Relaxed throughout: a hint;
  // nothing is published by it.
  using word = std::atomic<std::uint32_t>;

  // As long as nobody knows: too long a poll costs a part of a millisecond now and then, too short
  // a one a sleep for each message.
  static constexpr std::uint32_t at_first = 250'000;
  static constexpr std::uint32_t most = 1'000'000;
  static constexpr std::uint32_t falls_by = 16;  // the part of what is missing

  // `mine` outlives this.
  explicit sleep_cost(word& mine) : mine_(mine) {}

  // A sleep has ended, so long after its bell rang.
  void woken_after(std::uint64_t ns) {
    const std::uint32_t before = this->ns();
    const auto seen = static_cast<std::uint32_t>(std::min<std::uint64_t>(ns, most));
    const std::uint32_t now =
        seen >= before ? std::min(seen, 2 * before) : before - (before - seen) / falls_by;
    mine_.store(std::max(now, 1u), std::memory_order_relaxed);
  }
  std::uint32_t ns() const { return or_at_first(known(mine_)); }

  static std::uint32_t known(const word& of) { return of.load(std::memory_order_relaxed); }  // or 0
  static std::uint32_t or_at_first(std::uint32_t ns) { return ns == 0 ? at_first : ns; }

 private:
  word& mine_;
};

}  // namespace loadstone::wait
