// How long to look before sleeping. Chosen once per process, at set-up; backoff.hpp follows it.
//
// Source of the numbers: trials on two cores (docs of the folder). With a core for every process a peer
// answers within microseconds and a wake-up costs 6 µs, so 20 µs of spinning pays; with fewer cores the peer
// may be waiting for *our* core, so spinning ends at once, a few yields let it run, and then we sleep.
//
// When nothing is known of the arrivals, looking longer than about twice the wake-up does not pay (Worringer,
// 7.1.2); when they are regular it does, up to the point where the wake-up is a few per cent of the wait.
#pragma once

#include <cstdint>

namespace loadstone::wait {

enum class mode : std::uint8_t {
  adaptive,  // spin, yield, sleep
  spin,      // never sleep
  block,     // sleep at once
};

struct policy {
  mode how = mode::adaptive;
  std::uint32_t spin_ns = 20'000;
  // Looking on, with yields in between, when recent waits show that it pays: at most so long. 0: never.
  std::uint32_t longest_ns = 200'000;
  std::uint32_t yields = 0;

  // Yields that took longer than this met a computing process: it costs a time slice, so stop yielding for a
  // while.
  static constexpr std::uint32_t slow_yield_ns = 100'000;
  static constexpr std::uint32_t waits_without_yield = 1000;
};

// `cores`: what the job may use; `processes`: how many of it run on them.
policy choose_policy(std::uint32_t cores, std::uint32_t processes);
// The same, but obeying LOADSTONE_WAIT=spin|adaptive|block.
policy choose_policy_from_environment(std::uint32_t cores, std::uint32_t processes);

}  // namespace loadstone::wait
