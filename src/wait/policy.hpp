// How long to look before sleeping. Chosen once per process, at set-up; backoff.hpp follows it.
//
// Source of the numbers: trials on two cores (docs of the folder). With a core for every process a peer
// answers within microseconds and a wake-up costs 6 µs, so 20 µs of spinning pays. With fewer cores the peer
// may be waiting for *our* core: we yield at once, and again and again, for a yield costs half a microsecond
// when nobody else wants the core, and one who is awake needs no bell, which costs its ringer more than that.
// Unless it is seen to run beside us: two who answer each other within a microsecond then keep both cores until
// the kernel takes one away, instead of changing places with others for each message.
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
  // Looks that cost no clock and give nothing away: the first of each wait, for some microseconds. (Two reads of
  // the clock, one of them behind the message that ends the wait, were 0.03 us of waits of 1 to 3 us.)
  std::uint32_t free_looks = 128;
  // With too few cores: so often in one wait. 0: there are enough.
  std::uint32_t yields = 0;
  // With too few cores: looks before the first yield while those we wait for are seen to run beside us.
  std::uint32_t patient_looks = 0;

  // Yields that took longer than this met a computing process: it costs a time slice, so the next waits do
  // without; the more of them, the more often that has happened in a row. (Ranks of the job that do something
  // between two waits take tens of microseconds.)
  static constexpr std::uint32_t slow_yield_ns = 1'000'000;
  // Those that took longer than this met a rank that had something to do.
  static constexpr std::uint32_t close_yield_ns = 100'000;
  static constexpr std::uint32_t least_without_yield = 16, most_without_yield = 1024;
};

// `cores`: what the job may use; `processes`: how many of it run on them.
policy choose_policy(std::uint32_t cores, std::uint32_t processes);
// The same, but obeying LOADSTONE_WAIT=spin|adaptive|block.
policy choose_policy_from_environment(std::uint32_t cores, std::uint32_t processes);

}  // namespace loadstone::wait
