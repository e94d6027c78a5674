// Whether payload is stored into cells through the caches, or past them.
//
// A cell that is used again holds lines that its last reader still has. Between cores that share a
// cache, getting such a line back for writing costs as much as any other; between cores that do not
// (two dies, two sockets, or two virtual processors that the host has moved apart) ten times as
// much, and the whole transfer waits for it. A store past the caches (non-temporal) never asks for
// the line: the same price in both cases, for which the reader then goes to memory. So ordinary
// stores, unless they are measured to be twice as dear here and now.
//
// Measured, two virtual cores of an AMD Zen 4 (docs/decisions/008): 2.5 ns a line through the
// caches where the cores share one, 25 ns where they do not, and 3 ns past them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/learned.hpp"
#include "base/looks.hpp"

namespace loadstone::copy {

enum class store_way : std::uint8_t { through, past };

// Which way the next payload goes. One per process: its cells serve all peers.
class store_choice {
 public:
  explicit store_choice(bool always_past = false)
      : always_past_(always_past), better_(always_past ? store_way::past : store_way::through) {}

  struct plan {
    store_way way;
    bool timed;  // say took() how long it was
  };
  plan next() {
    if (always_past_) [[unlikely]]
      return {store_way::past, false};
    if (++payloads_ == next_other_) [[unlikely]] {
      next_other_ += looks_apart();
      return {better_ == store_way::through ? store_way::past : store_way::through, true};
    }
    return {better_, payloads_ % timed_every == 0};
  }
  void took(store_way way, std::size_t bytes, std::uint64_t ns) {
    cost_[static_cast<std::size_t>(way)].saw(static_cast<double>(ns) / static_cast<double>(bytes));
    const bool far = cost_[1].known() && cost_[0].value() > dearer * cost_[1].value();
    better_ = far ? store_way::past : store_way::through;
  }
  store_way better() const { return better_; }

  // A look at the clock costs as much as some lines; the other way is tried now and then, for the
  // host may move us.
  static constexpr std::uint32_t timed_every = 8, other_every = 128;  // or more, where a look is dear

 private:
  static constexpr std::uint32_t first_other = 16;
  std::uint32_t looks_apart() const {
    // Past the caches is the exception: what would end it is looked for often.
    const bool dear = better_ == store_way::through && cost_[0].known();
    return base::look_every(other_every, dear ? cost_[1].value() / cost_[0].value() : 1);
  }
  // Past the caches the reader pays, too.
  static constexpr double dearer = 2;
  const bool always_past_;  // tests
  std::uint32_t payloads_ = 0, next_other_ = first_other;
  store_way better_;
  base::learned cost_[2];  // ns a byte, by way
};

}  // namespace loadstone::copy
