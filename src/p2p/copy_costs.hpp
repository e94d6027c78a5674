// Which way the next large message to one peer takes for which both ends wait, through cells or by
// the kernel: whichever has taken less time, as the program sees it.
//
// Measured is how long this process has been busy with large messages of that peer, for each byte
// of them: from when one is being moved until none is any more (begins(), ends()). The way that is
// not chosen is tried for some *rounds* in a row, of which the first count for nothing. (A round:
// the messages that leave before the program waits the next time.) Trials cost a fiftieth of the
// time; only a trial changes the way, and only for a gain of a twentieth. Messages of each power of
// two are judged apart. Of two processes that send each other such messages the one with the lower
// number decides for both (follow()). Why, and figures: docs/decisions/028.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/learned.hpp"
#include "base/trials.hpp"

namespace loadstone::p2p {

// From here on it is chosen. Below, cells are quicker: also for 64 KiB, which many programs send,
// and which four reads of the clock would cost a tenth of its time.
inline constexpr std::int64_t least_chosen = 64 * 1024 + 1;

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
    if (s.round_is_over || ++s.sent == most_of_round) s.end_round(by, settled_ >= by.settle);
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
  // One has left at once, in so many ns, and its receiver copies, too. Where those of the peer are
  // waited for, so is that, and our copy is not what the program waits for.
  void left(const rules& by, std::int64_t bytes, double ns) {
    of_size& s = sizes_[size_class(bytes)];
    s.into_cell = ns / static_cast<double>(bytes);
    if (open_ == 0 && !s.waited_for) s.saw(by, way::cells, bytes, ns);
  }
  // One has come at once, and was copied in so many ns; `waited_for`: since before it came, so with
  // the first quarter of what its sender does (as long as it takes us).
  void came(const rules& by, std::int64_t bytes, double ns, bool waited_for) {
    of_size& s = sizes_[size_class(bytes)];
    s.waited_for = waited_for;
    if (waited_for) ns += s.into_cell / 4 * static_cast<double>(bytes);
    if (open_ == 0) s.saw(by, way::cells, bytes, ns);
    s.round_is_over = true;
  }

 private:
  // So many messages are sent as the peer's last one; then it sends none any more.
  static constexpr std::uint32_t most_followed = 16;
  static constexpr unsigned both = 3;
  // Messages of a round in which nobody waits.
  static constexpr std::uint32_t most_of_round = 8;
  // Rounds of a trial that count, those before them that do not, as after each change, and after
  // which it is given up, for one process alone does not decide.
  static constexpr std::uint32_t of_trial = 3, unlike = 2, longest_trial = 16;
  static constexpr std::uint32_t judged_every = 4;
  // Rounds before a surprise leads to a trial; twice as many after each one in vain.
  static constexpr std::uint32_t least_patience = 10, most_patience = 1536;
  // Of a trial that is given up before its end, of what calls for one, and of what is a gain.
  static constexpr double hopeless = 1.3, surprising = 1.25, gain = 0.95;

  struct of_size {
    std::array<base::learned, 2> cost;  // ns for a byte, by way
    bool large = false;  // beyond the caches of a core: what a way finds there takes longer to change
    way usual{}, current{}, used{}, theirs{};
    bool round_is_over = false;
    bool waited_for = false;     // the last one that came at once
    double into_cell = 0;        // ns a byte of the last one that left so
    std::uint32_t sent = 0;      // of this round
    std::uint32_t since = 0;     // the last trial: rounds
    std::uint32_t trying = 0;    // rounds that are left of this one
    std::uint32_t changing = 0;  // rounds that do not count yet
    std::uint32_t followed = 0;  // messages that are left of most_followed
    std::uint32_t rounds = 0;    // in the sums
    std::uint32_t patience = least_patience;
    double expected = 0;  // of the usual way: no surprise
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
      sent = 0;
      ++since;
      if (changing != 0) {
        --changing;
      } else if (bytes != 0) {
        ++rounds;
        if (trying != 0) --trying;
      }
      if (!settled) return forget();
      if (followed > 1)
        judge();
      else if (current != usual)
        try_on();
      else if (judge() || due(by))
        begin_trial(by);
    }
    // What the way that is used costs now. True: surprisingly much.
    bool judge() {
      if (rounds < judged_every) return false;
      of(used).saw(ns / static_cast<double>(bytes));
      if (expected == 0) expected = of(used).value();
      forget();
      return of(used).value() > surprising * expected && since >= patience;
    }
    void begin_trial(const rules& by) {
      if (by.trial_every == 0) return;
      current = other(usual);
      trying = of_trial;
      since = 0;
    }
    void try_on() {
      if (rounds != 0) {
        const double now = ns / static_cast<double>(bytes), known = of(usual).value();
        if (trying != 0 && now < hopeless * known && since < longest_trial) return;
        of(current) = {};
        of(current).saw(now);
        const bool better = now < gain * known;
        if (better) usual = current;
        patience = better ? least_patience : std::min(2 * patience, most_patience);
        expected = of(usual).value();
      } else if (since < longest_trial) {
        return;
      }
      trying = 0;
      current = usual;
      forget();
    }
    bool due(const rules& by) {
      if (by.trial_every == 0 || !of(usual).known()) return false;
      if (!of(other(usual)).known()) return since >= least_patience;
      constexpr double share = 0.02 / (of_trial + unlike);  // of each of its rounds
      const double dearer = of(other(usual)).value() / of(usual).value();
      return since >= base::trial_every(by.trial_every, dearer, share);
    }
  };

  // 64 KiB to 128; 256; 512 KiB; 1; 2; 4 MiB; more.
  static std::size_t size_class(std::int64_t bytes) {
    const int log = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes) >> 16)) - 1;
    return static_cast<std::size_t>(std::clamp(log, 0, 6));
  }
  struct busy {
    std::uint64_t since;
    std::int64_t bytes;
    std::size_t size;
    unsigned ways;  // bits
  };

  std::array<of_size, 7> sizes_;
  busy busy_{};
  std::uint32_t open_ = 0;
  std::uint64_t settled_ = 0;
};

}  // namespace loadstone::p2p
