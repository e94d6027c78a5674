// Waiting for a full lane. Its sender waits while the reader reads on, but no longer than three
// quarters of a millisecond, for it does not poll meanwhile; and for ten or twenty microseconds
// when the reader does not. With too few cores it lets others run once instead. Who has waited in
// vain does so again only when the reader has read on since (docs/decisions/013).
#pragma once

#include <cstdint>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "transport/attention.hpp"
#include "transport/peer_table.hpp"
#include "wait/pause.hpp"
#include "wait/policy.hpp"

namespace loadstone::transport {

class patience {
 public:
  // `polls`: without a sign of its reader; 0: that may need our core.
  explicit patience(std::uint32_t polls) : polls_(polls) {}

  // has_slot() is asked after each pause, and may claim. False: take another lane.
  template <class Lane, class Claim>
  bool wait(peer& p, std::uint8_t kind, const Lane& full, Claim&& has_slot) {
    std::uint64_t at = full.reader_at();
    if (at == p.gave_up_at) return false;
    std::uint64_t left = std::uint64_t{most_times} * polls_;
    for (std::uint32_t polls = 0; polls < polls_ && left != 0; ++polls, --left) {
      if (!attention::takes(*p.at, kind)) return false;
      loadstone::wait::pause();
      if (has_slot()) return true;
      const std::uint64_t before = std::exchange(at, full.reader_at());
      if (at != before) polls = 0;
    }
    p.gave_up_at = at;
    return polls_ == 0 && attention::takes(*p.at, kind) && others_run() && has_slot();
  }

 private:
  // So much longer than without a sign of its reader.
  static constexpr std::uint32_t most_times = 32;

  // A yield that met a computing process costs a time slice, in which a queue would have taken
  // thousands of messages: then we do without for long.
  bool others_run() {
    constexpr std::uint32_t without = 1000;
    if (no_yields_for_ != 0) return --no_yields_for_, false;
    const std::uint64_t before = base::now_ns();
    std::this_thread::yield();
    if (base::now_ns() - before > loadstone::wait::policy::slow_yield_ns) no_yields_for_ = without;
    return true;
  }

  const std::uint32_t polls_;
  std::uint32_t no_yields_for_ = 0;  // full lanes
};

}  // namespace loadstone::transport
