// Decides whether payload is stored into cells through the caches or past them (non-temporal
// stores), from what each costs this process while it runs. Use: next() before a payload, and
// took() afterwards if it asks for that.
//
// A cell that is used again holds lines that its last reader still has in its cache. If sender and
// reader share a cache, getting such a line for writing costs as much as any other. If they do not
// (two dies, two sockets, or two virtual processors that the host has moved apart), it costs ten
// times as much, and the whole transfer waits for it. A non-temporal store never fetches the line.
// It costs the same in both cases, but the reader then has to read from memory. So ordinary stores
// are used unless they are measured to cost more than twice as much.
//
// Measured on two virtual cores of an AMD Zen 4 (docs/decisions/008): 2.5 ns a line through the
// caches where the cores share one, 25 ns where they do not, and 3 ns past the caches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/learned.hpp"
#include "base/trials.hpp"

namespace loadstone::copy {

enum class store_way : std::uint8_t {
  through,
  past,
  by_turns,  // never chosen here: into the buffer of a pair (copy.hpp)
};

// One per process, because its cells serve all peers.
class store_choice {
 public:
  explicit store_choice(bool always_past = false)
      : always_past_(always_past), better_(always_past ? store_way::past : store_way::through) {}

  struct plan {
    store_way way;
    bool timed;  // call took() with the time that it takes
  };
  plan next() {
    if (always_past_) [[unlikely]]
      return {store_way::past, false};
    if (++payloads_ == next_other_) [[unlikely]] {
      next_other_ += trials_apart();
      return {better_ == store_way::through ? store_way::past : store_way::through, true};
    }
    return {better_, payloads_ % timed_every == 0};
  }
  void took(store_way way, std::size_t bytes, std::uint64_t ns) {
    cost_[static_cast<std::size_t>(way)].saw(base::per_byte(ns, bytes));
    const bool far = cost_[1].known() && cost_[0].value() > dearer * cost_[1].value();
    better_ = far ? store_way::past : store_way::through;
  }
  store_way better() const { return better_; }

  // One payload in `timed_every` is timed, as reading the clock costs as much as some lines. One in
  // `other_every` goes the other way, as the host may have moved us; fewer, where the other way is
  // expensive.
  static constexpr std::uint32_t timed_every = 8, other_every = 128;

 private:
  static constexpr std::uint32_t first_other = 16;
  std::uint32_t trials_apart() const {
    // Past the caches is the exception: what would end it is tried often.
    const bool dear = better_ == store_way::through && cost_[0].known();
    return base::trial_every(other_every, dear ? cost_[1].value() / cost_[0].value() : 1);
  }
  // Past the caches the reader pays, too.
  static constexpr double dearer = 2;
  const bool always_past_;  // tests
  std::uint32_t payloads_ = 0, next_other_ = first_other;
  store_way better_;
  base::learned cost_[2];  // ns a byte, by way
};

}  // namespace loadstone::copy
