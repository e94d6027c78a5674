// What copying to one peer costs, through cells and by the kernel, and which of them a message
// takes for which both ends wait.
//
// Writing a line that the peer's processor has read is cheap while both share a cache and many
// times dearer otherwise, and a host may move its virtual processors from one to the other at any
// time. So the costs are measured where they arise: the time of one copy, without any waiting, for
// with both directions at once the time of a transfer holds that of the other. What is not chosen
// is tried now and then.
//
// Source: docs/decisions/005.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/learned.hpp"
#include "base/trials.hpp"

namespace loadstone::p2p {

class copy_costs {
 public:
  // `settle`: bytes through cells before anything is judged: the ring is being made, and fresh
  // memory says nothing. `trial_every`: messages from one trial of what is not chosen to the next,
  // or more where a trial is dear; 0: none, and as long as the kernel's copy has not been measured
  // all go through cells. `together`: how much quicker the kernel is where both processes copy:
  // twice, less what they have to tell each other. `cells_seem`: for tests, so many times dearer.
  struct rules {
    std::uint64_t settle = 8u << 20;
    std::uint32_t trial_every = 32;
    double together = 1.75;
    double cells_seem = 1;
  };
  enum class way : std::uint8_t {
    kernel,
    cells,
    trial,  // by the kernel, but one block through cells, to see what that costs now
  };

  // For the next message.
  way choose(const rules& by) {
    const way chosen = next(by);
    if (settled(by)) since_trial_ = trial_is_due(by) ? 0 : since_trial_ + 1;
    return chosen;
  }
  // What choose() will say.
  way next(const rules& by) const {
    const bool other = trial_is_due(by);
    if (cells_are_better(by)) return other ? way::kernel : way::cells;
    return other ? way::trial : way::kernel;
  }

  void settle(std::int64_t bytes) { settled_ += static_cast<std::uint64_t>(bytes); }
  bool settled(const rules& by) const { return settled_ >= by.settle; }
  void through_cells(const rules& by, std::int64_t bytes, double ns) {
    cells_.saw(by.cells_seem * ns / static_cast<double>(bytes));
  }

  void by_kernel(std::int64_t bytes, double ns) { kernel_.saw(ns / static_cast<double>(bytes)); }

  // In so many ns a copy of that many bytes should be through, whichever way it takes: twice what
  // is known of the dearer one. Where nothing is known, of what memory that no cache holds takes.
  std::uint64_t through_in(std::int64_t bytes) const {
    constexpr double slow = 0.25;
    const double dearer = std::max(cells_.value(), kernel_.value());
    return static_cast<std::uint64_t>(2 * (dearer > 0 ? dearer : slow) * static_cast<double>(bytes));
  }

 private:
  bool cells_are_better(const rules& by) const {
    return !settled(by) || !kernel_.known() || cells_.value() * by.together < kernel_.value();
  }
  // Is it time to try what is not chosen? By the kernel it is a whole message, through cells a
  // block.
  bool trial_is_due(const rules& by) const {
    if (by.trial_every == 0 || !settled(by)) return false;
    const double dearer =
        cells_are_better(by) && cells_.known() ? kernel_.value() / (cells_.value() * by.together) : 1;
    return since_trial_ + 1 >= base::trial_every(by.trial_every, dearer);
  }

  base::learned cells_, kernel_;  // ns for a byte
  std::uint64_t settled_ = 0;
  std::uint32_t since_trial_ = 0;
};

// Runs `copy` and returns how many nanoseconds it took.
template <class Copy>
double time_of(Copy&& copy) {
  const auto begin = std::chrono::steady_clock::now();
  copy();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace loadstone::p2p
