// How long a waiter leaves the line that its answer will come in alone before it polls there for
// the first time, in turns (pause.hpp). A poll that comes too early takes the line away from
// whoever is writing the answer, and one that finds it is foreseen by the processor: so the first
// poll should find the answer, and yet hardly be late.
//
// Each wait corrects it: a first poll in vain makes the next one later, five times as much as one
// that found the answer makes it earlier. Every 32nd wait is a probe, which polls from its
// beginning: nothing is left alone for much longer than the soonest answer to recent probes took.
// Decision 014.
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::wait {

class first_poll {
 public:
  static constexpr std::uint32_t later = 5, sooner = 1;  // turns
  static constexpr std::uint32_t most = 6000;            // turns: 1 to 2 us
  static constexpr std::uint32_t close = 120;            // polls; a longer wait tells nothing
  static constexpr std::uint32_t probe_every = 32;       // waits, on average
  static constexpr std::uint32_t probes = 8;             // the soonest of so many, or of up to twice as many
  static constexpr std::uint32_t slack = 3;              // polls

  // `pause`: what the pause after an empty poll takes, in turns. Without `learns`, each wait
  // begins with `pause`.
  first_poll(std::uint32_t pause, bool learns) : pause_(pause), learns_(learns), turns_(learns ? 0 : pause) {}

  // A wait begins: so many turns before the first poll.
  std::uint32_t begin() const { return until_probe_ == 0 && learns_ ? 0 : turns_; }
  // It has ended, after so many polls in vain.
  void end(std::uint32_t polls) {
    if (!learns_) return;
    if (until_probe_ == 0) [[unlikely]]
      return probed(polls);
    --until_probe_;
    if (polls == 0 || polls > close)
      turns_ -= std::min(turns_, sooner);
    else
      turns_ = std::min(turns_ + later, limit_);
  }

 private:
  [[gnu::noinline]] void probed(std::uint32_t polls) {
    if (probed_ % probes == 0) {
      soonest_before_ = soonest_;
      soonest_ = close;
    }
    ++probed_;
    soonest_ = std::min(soonest_, polls);
    limit_ = std::min(most, pause_ * (std::min(soonest_, soonest_before_) + slack));
    turns_ = std::min(turns_, limit_);
    // At first, one after the other; then at distances without a period (Fibonacci hashing: the
    // uppermost bits of multiples of the golden ratio), for programs have periods, of which no part
    // may never be probed.
    static_assert(probe_every == 32);
    until_probe_ = probed_ < probes ? 0 : probe_every / 2 + (probed_ * 2654435769u >> 27);
  }

  std::uint32_t pause_;
  bool learns_;
  std::uint32_t turns_, limit_ = 0;
  std::uint32_t until_probe_ = 0;  // waits
  std::uint32_t probed_ = 0;       // probes so far
  // Polls: of the last probes, and of as many as `probes` before them.
  std::uint32_t soonest_ = close, soonest_before_ = close;
};

}  // namespace loadstone::wait
