// With fewer cores than processes: when a program that tests again and again, where it could wait,
// had better give its core away. One that does something between two tests keeps it.
#pragma once

#include <cstdint>

#include "wait/policy.hpp"

namespace loadstone::wait {

// Times are of one clock, in ns.
class test_loop {
 public:
  explicit test_loop(const policy& p) : on_a_core_(p.on_a_core) {}

  // A test has found nothing. Had the core better be given away? `turn_ns`: not before it has been
  // ours for so long.
  bool found_nothing(std::uint64_t now, std::uint64_t turn_ns) {
    if (now - last_ > longest_pause_ns) in_a_row_ = 0;
    last_ = now;
    return ++in_a_row_ >= tests_at_first && now >= keep_until_ + turn_ns;
  }
  void found() { in_a_row_ = 0; }
  // It was. If it met a process that computes, it is kept for a small part of what that took: else
  // somebody on another core who answers us would get one answer in each time slice. The more share
  // a core, the smaller: they must not take each other for such ones for long.
  void gave_away(std::uint64_t from, std::uint64_t until) {
    const std::uint64_t took = until - from;
    last_ = keep_until_ = until;
    if (took > policy::slow_yield_ns) keep_until_ += took / (8 * on_a_core_);
  }

 private:
  std::uint32_t on_a_core_;
  static constexpr std::uint32_t tests_at_first = 3;
  static constexpr std::uint64_t longest_pause_ns = 10'000;
  std::uint32_t in_a_row_ = 0;
  std::uint64_t last_ = 0;  // when the last test ended
  std::uint64_t keep_until_ = 0;
};

}  // namespace loadstone::wait
