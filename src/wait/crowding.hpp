// With fewer cores than processes: whether this process had better run on another core, by how its
// waits end and how long its yields take; and on which.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "wait/policy.hpp"
#include "wait/presence.hpp"

namespace loadstone::wait {

class crowding {
 public:
  // The next message of a peer on our own core has ended a wait that had to yield; or something
  // else has. One that gathers messages of many yields to all of them, wherever it is: only a
  // message that ends the wait counts.
  void waited(bool for_same_core) {
    if (for_same_core) {
      ++on_same_core_;
    } else {
      on_same_core_ /= 2;
      crowded_at_ = std::max(crowded_at_ - crowded_at_ / 64, least_crowded_at);
    }
  }
  void yielded(std::uint64_t ns) {
    // Somebody computes: cores had better be shared evenly than by who answers whom.
    if (ns > policy::close_yield_ns) on_same_core_ /= 2;
    // For a time slice: that is no rank that waits for others now and then, and the kernel knows.
    quick_yields_ = ns > policy::slow_yield_ns ? 0 : quick_yields_ + 1 + static_cast<std::uint32_t>(ns >> 14);
  }

  // Of the two that notice this of each other, we are the one to go.
  void go_first(bool yes) { goes_first_ = yes; }
  // Have waits for a peer on our own core become the rule, each ended by its next message? Then one
  // of the two had better go elsewhere. True once, and the more often it was, the later again.
  bool crowded() {
    if (on_same_core_ < (goes_first_ ? crowded_at_ : 2 * crowded_at_)) return false;
    on_same_core_ = 0;
    crowded_at_ = std::min(2 * crowded_at_, most_crowded_at);
    return true;
  }
  // Have so many yields in a row been quick, or taken so much time, that it pays to see whether the
  // cores are shared evenly? `looks_at`: how many processes that means to look at. True once.
  bool may_look_around(std::uint32_t looks_at) {
    if (quick_yields_ < std::max(look_around_at_, 16 * looks_at)) return false;
    quick_yields_ = 0;
    return true;
  }
  // They were not, and we have gone elsewhere: the next time is later.
  void moved() { look_around_at_ = std::min(2 * look_around_at_, most_crowded_at); }

 private:
  static constexpr std::uint32_t least_crowded_at = 64, most_crowded_at = 65536;
  bool goes_first_ = false;
  std::uint32_t on_same_core_ = 0;                         // such waits, less others
  std::uint32_t crowded_at_ = least_crowded_at;            // that many are too many
  std::uint32_t quick_yields_ = 0, look_around_at_ = 128;  // one more for each 16 us
};

// Where a process goes that had better leave its core to those there: of those that it may use, to
// the core with the fewest processes of the job, as far as they say where they are (presence.hpp).

// Of each process the core that it is on, as presence::core_of() says. Who sleeps takes nothing of
// it, if that is said beside it.
using cores_of_all = std::vector<std::uint32_t>;
inline constexpr std::uint32_t sleeps_there = 0x8000'0000;

// The one with the fewest processes, of those that have so many `less` than ours: 0, if there are
// not more of them than here; 2, if that makes their numbers more even. `usable`: the numbers of
// those that we may use. Nothing: there is none, or we do not say where we are.
inline std::optional<std::uint32_t> emptier_core(const cores_of_all& on, std::uint32_t self,
                                                 std::uint32_t less, const std::vector<int>& usable) {
  if (on[self] == presence::nowhere) return std::nullopt;
  const auto there = [&](std::uint32_t core) {
    return static_cast<std::uint32_t>(std::count(on.begin(), on.end(), core + 1));
  };
  const std::uint32_t here = on[self] - 1;
  std::uint32_t fewest = there(here) + 1 - less;
  std::optional<std::uint32_t> best;
  // From ours on, so that jobs that know nothing of each other do not all go to the first.
  const auto first = std::upper_bound(usable.begin(), usable.end(), static_cast<int>(here)) - usable.begin();
  for (std::size_t i = 0; i < usable.size(); ++i) {
    const auto core =
        static_cast<std::uint32_t>(usable[(static_cast<std::size_t>(first) + i) % usable.size()]);
    if (core == here || there(core) >= fewest) continue;
    best = core;
    fewest = there(core);
  }
  return best;
}

}  // namespace loadstone::wait
