// How long to poll before sleeping. Chosen once per process, at set-up; backoff.hpp follows it.
//
// With a core for every process a waiter polls for as long as a sleep costs (sleep_cost.hpp), and
// then sleeps. With fewer cores the peer may be waiting for *our* core: we yield at once, and again
// and again, unless the peer is seen to run beside us. Why: README.md, docs/decisions/015 and 020.
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::wait {

enum class mode : std::uint8_t {
  adaptive,  // spin, yield, sleep
  spin,      // never sleep
  block,     // sleep at once
};

struct policy {
  mode how = mode::adaptive;
  // Polls that give nothing away; from there on there are yields in between, which cost half a
  // microsecond when nobody else wants the core.
  std::uint32_t spin_ns = 20'000;
  // Polls that cost no clock and give nothing away: the first of each wait, for some microseconds.
  std::uint32_t free_polls = 128;
  // With too few cores: so often in one wait. 0: there are enough.
  std::uint32_t yields = 0;
  std::uint32_t on_a_core = 1;  // processes, rounded up
  std::uint32_t threads = 1;    // of this process that may have a core each
  // With too few cores: polls before the first yield, while whom we wait for is seen to run beside
  // us.
  static constexpr std::uint32_t patient_polls = 24;
  // Where several threads may have a core: so many that wait stay awake for each core, to look at
  // their bells, and yield if there are more of them than cores.
  static constexpr std::uint32_t awake_on_a_core = 4;
  std::uint32_t most_awake() const { return threads > 1 ? awake_on_a_core * threads : 0; }

  // Yields that took longer than this met a computing process: it costs a time slice, so the next
  // waits do without; the more of them, the more often that has happened in a row.
  static constexpr std::uint32_t slow_yield_ns = 1'000'000;
  // Those that took longer than this met a rank that had something to do.
  static constexpr std::uint32_t close_yield_ns = 100'000;
  static constexpr std::uint32_t least_without_yield = 16, most_without_yield = 1024;

  static constexpr std::uint32_t least_poll_ns = 50'000;  // however little a sleep costs
  // With a core for every process: how long a waiter polls before a sleep that costs so much. A
  // quarter longer: who has just been woken has the message to read and its answer to write.
  static constexpr std::uint64_t poll_ns(std::uint64_t sleep_costs) {
    return std::max<std::uint64_t>(sleep_costs + sleep_costs / 4, least_poll_ns);
  }
};

// `cores`: what the job may use; `processes`: how many of it run on them.
// `how`: LOADSTONE_WAIT. `own`: cores that this process may use.
inline policy choose_policy(std::uint32_t cores, std::uint32_t processes, mode how = mode::adaptive,
                            std::uint32_t own = ~std::uint32_t{0}) {
  policy chosen;
  chosen.how = how;
  if (processes > cores) {
    chosen.spin_ns = 0;
    chosen.yields = 100;
    chosen.free_polls = 2;
    chosen.on_a_core = (processes + cores - 1) / cores;
  } else if (processes != 0) {
    chosen.threads = std::min(cores / processes, own);
  }
  return chosen;
}

}  // namespace loadstone::wait
