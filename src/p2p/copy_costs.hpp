// Which way the next large message to one peer takes for which both ends wait, through cells or by
// the kernel: whichever has taken less time, as the program sees it.
//
// Measured is how long this process is busy with large messages of that peer, for each byte of
// them: from when one is being moved until none is any more (begins(), ends()), which is a *round*.
// Now and then the way that is not chosen is tried for some rounds in a row, of which the first
// count for nothing. Trials cost a fiftieth of the time; only a trial changes the way, and only for
// a gain of a twentieth. Messages of each power of two are judged apart. Of two processes that send
// each other such messages the one with the lower number decides for both (follow()). Why, and
// figures: docs/decisions/028.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/learned.hpp"
#include "base/trials.hpp"

namespace loadstone::p2p {

// From here on it is chosen. What is shorter leaves through cells, in one block.
inline constexpr std::int64_t least_chosen = 256 * 1024;

class copy_costs {
 public:
  // `settle`: bytes through cells before anything is judged: the ring is being made, and fresh
  // memory says nothing. `trial_every`: rounds from one trial to the next at least; 0: none, all go
  // through cells. `cells_seem`: for tests, so many times dearer.
  struct rules {
    std::uint64_t settle = 8u << 20;
    std::uint32_t trial_every = 48;
    double cells_seem = 1;
  };
  enum class way : std::uint8_t { cells, kernel };

  // For the next message to it.
  way choose(const rules& by, std::int64_t bytes) {
    of_size& s = sizes_[size_class(bytes)];
    s.large = bytes >= 2 << 20;
    if (s.round_is_over) s.end_round(by, settled_ >= by.settle);
    if (s.followed != 0) --s.followed;
    const way chosen = s.followed != 0 ? s.theirs : s.current;
    s.use(chosen);
    if (chosen == way::cells && settled_ < by.settle) settled_ += static_cast<std::uint64_t>(bytes);
    return chosen;
  }
  // The peer, which decides, has sent one of this length so.
  void follow(std::int64_t bytes, way theirs) {
    of_size& s = sizes_[size_class(bytes)];
    s.theirs = theirs;
    s.followed = most_followed;
  }

  // Is none being moved, or one alone? Otherwise begins() and ends() need not know the time.
  bool idle() const { return open_ == 0; }
  bool last() const { return open_ == 1; }

  // One is being moved from now on (ns); that way; no longer.
  void begins(std::int64_t bytes, std::uint64_t now) {
    const std::size_t size = size_class(bytes);
    if (open_++ == 0) busy_ = {now, 0, size, 0};
    busy_.bytes += bytes;
    if (busy_.size != size) busy_.ways = both;
  }
  void goes(way by) { busy_.ways |= 1u << static_cast<unsigned>(by); }
  void ends(const rules& by, std::uint64_t now) {
    if (--open_ != 0) return;
    of_size& s = sizes_[busy_.size];
    if (busy_.ways != 0 && busy_.ways != both)
      s.saw(by, busy_.ways == 1 ? way::cells : way::kernel, busy_.bytes,
            static_cast<double>(now - busy_.since));
    s.round_is_over = true;
  }

 private:
  // So many messages are sent as the peer's last one; then it sends none any more.
  static constexpr std::uint32_t most_followed = 16;
  static constexpr unsigned both = 3;
  // Rounds of a trial that count, those before them that do not, as after each change, and after
  // which it is given up, for one process alone does not decide.
  static constexpr std::uint32_t of_trial = 3, unlike = 2, longest_trial = 16;
  // Rounds that are judged together, and those before the first trial.
  static constexpr std::uint32_t judged_every = 4, until_first = 10;
  // Of a trial that is given up before its end, and of what is a gain.
  static constexpr double hopeless = 1.3, gain = 0.95;

  struct of_size {
    std::array<base::learned, 2> cost;  // ns for a byte, by way
    bool large = false;  // beyond the caches of a core: what a way finds there takes longer to change
    way usual{}, current{}, used{}, theirs{};
    bool round_is_over = false;
    std::uint32_t since = 0;     // the last trial began: rounds
    std::uint32_t changing = 0;  // rounds that do not count yet
    std::uint32_t followed = 0;  // messages that are left of most_followed
    std::uint32_t rounds = 0;    // in the sums
    std::int64_t bytes = 0;
    double ns = 0;

    void saw(const rules& by, way which, std::int64_t n, double took) {
      if (which != used || changing != 0) return;
      bytes += n;
      ns += which == way::cells ? by.cells_seem * took : took;
    }
    void use(way which) {
      if (which == used) return;
      used = which;
      changing = unlike + (large ? 3 : 0);
      forget();
    }
    void forget() {
      bytes = 0;
      ns = 0;
      rounds = 0;
    }
    base::learned& of(way which) { return cost[static_cast<std::size_t>(which)]; }
    static way other(way w) { return w == way::cells ? way::kernel : way::cells; }

    void end_round(const rules& by, bool settled) {
      round_is_over = false;
      ++since;
      if (changing != 0)
        --changing;
      else if (bytes != 0)
        ++rounds;
      if (!settled) return forget();
      if (followed <= 1 && current != usual) return try_on();
      if (rounds >= judged_every) {
        of(used).saw(ns / static_cast<double>(bytes));
        forget();
      }
      if (followed > 1 || !due(by)) return;
      current = other(usual);
      since = 0;
    }
    void try_on() {
      const double now = rounds != 0 ? ns / static_cast<double>(bytes) : 0, known = of(usual).value();
      if (since < longest_trial && rounds < of_trial && now < hopeless * known) return;
      if (rounds != 0) {
        of(current) = {};
        of(current).saw(now);
        if (now < gain * known) usual = current;
      }
      current = usual;
      forget();
    }
    bool due(const rules& by) {
      if (by.trial_every == 0 || !of(usual).known()) return false;
      if (!of(other(usual)).known()) return since >= until_first;
      constexpr double share = 0.02 / (of_trial + unlike);  // of each of its rounds
      const double dearer = of(other(usual)).value() / of(usual).value();
      return since >= base::trial_every(by.trial_every, dearer, share);
    }
  };

  // 256 KiB to 512; 1 MiB; 2; 4 MiB; more. (And what is shorter, in tests.)
  static std::size_t size_class(std::int64_t bytes) {
    const int log = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes) >> 18)) - 1;
    return static_cast<std::size_t>(std::clamp(log, 0, 4));
  }
  struct busy {
    std::uint64_t since;
    std::int64_t bytes;
    std::size_t size;
    unsigned ways;  // bits
  };

  std::array<of_size, 5> sizes_;
  busy busy_{};
  std::uint32_t open_ = 0;
  std::uint64_t settled_ = 0;
};

}  // namespace loadstone::p2p
