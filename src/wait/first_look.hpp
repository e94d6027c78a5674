// How long a waiter leaves the line that its answer will come in alone before it looks there for
// the first time, in turns (pause.hpp). A look takes the line away from whoever is writing the
// answer, which then has to get it back: one more travel of the line. And a look that finds the
// answer, as it always does, is foreseen: the processor has done what comes behind it, up to the
// next message, when the line arrives. So the first look should find the answer, and yet hardly be
// late. When that is depends on the machine (a hand-over takes 25 ns here and 300 there), on the
// program and on the peer, and changes.
//
// Each wait corrects it: one whose first look was in vain makes the next look later, five times as
// much as one whose first look found the answer makes it earlier. So one look in six is in vain
// while answers are regular, as they are to within some nanoseconds where two processes exchange
// messages by turns. Where they are not, that would mostly be late: hence every 32nd wait is a
// probe, which looks from its beginning, and nothing is left alone for much longer than the soonest
// answer to recent probes took. (Figures: docs/decisions/014.)
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::wait {

class first_look {
 public:
  static constexpr std::uint32_t later = 5, sooner = 1;  // turns
  static constexpr std::uint32_t most = 6000;            // turns: 1 to 2 us
  static constexpr std::uint32_t close = 120;            // looks; a longer wait tells nothing
  static constexpr std::uint32_t probe_every = 32;       // waits, on average
  static constexpr std::uint32_t probes = 8;             // the soonest of so many, or of up to twice as many
  static constexpr std::uint32_t slack = 3;              // looks

  // `look`: what the pause behind a look in vain takes, in turns. Without `learns`, each wait
  // begins with `look`.
  first_look(std::uint32_t look, bool learns) : look_(look), learns_(learns), turns_(learns ? 0 : look) {}

  // A wait begins: so many turns before the first look.
  std::uint32_t begin() const { return until_probe_ == 0 && learns_ ? 0 : turns_; }
  // It has ended, after so many looks in vain.
  void end(std::uint32_t looks) {
    if (!learns_) return;
    if (until_probe_ == 0) [[unlikely]]
      return probed(looks);
    --until_probe_;
    if (looks == 0 || looks > close)
      turns_ -= std::min(turns_, sooner);
    else
      turns_ = std::min(turns_ + later, limit_);
  }

 private:
  void probed(std::uint32_t looks);

  std::uint32_t look_;
  bool learns_;
  std::uint32_t turns_, limit_ = 0;
  std::uint32_t until_probe_ = 0;  // waits
  std::uint32_t probed_ = 0;       // probes so far
  // Looks: of the last probes, and of as many as `probes` before them.
  std::uint32_t soonest_ = close, soonest_before_ = close;
};

}  // namespace loadstone::wait
