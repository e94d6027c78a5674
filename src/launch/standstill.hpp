// Notices that ranks can never go on (a deadlock, or a message that nobody is left to send), so
// that a job that hangs says so by itself.
//
// What waits show can be wrong for a moment: who has just been woken looks as if it slept. So ranks
// count only if several looks in a row find them stuck in the same waits, at processes that sleep
// and use no processor: a thread that is not in MPI may still be what the others wait for. One that
// sleeps cannot be told from none: so the job is left alone, and is told of once. Who polls for
// ever (LOADSTONE_WAIT=spin, tests in a loop) is not seen to wait.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process_stat.hpp"
#include "launch/wait_report.hpp"

namespace loadstone::launch {

class standstill {
 public:
  static constexpr std::int64_t look_every_ms = 5000, look_again_ms = 1000;
  static constexpr std::uint32_t looks_to_believe = 6;

  // What the system says of a rank's process; nothing where it cannot be asked.
  using stat_of_rank = std::function<std::optional<base::process_stat>(std::uint32_t rank)>;

  // One look at all ranks of the job, at `now_ms`. Text, ended by a newline, when they stand still;
  // it is said once.
  std::string look(std::vector<rank_view> ranks, const stat_of_rank& stat, std::int64_t now_ms);
  // When to look again; timetable::never after it has been said.
  std::int64_t next_look(std::int64_t now_ms) const;

 private:
  struct usage {
    std::uint64_t ticks = 0;
    std::int64_t at = -1;  // not looked at yet
  };
  bool is_busy(std::uint32_t rank, const stat_of_rank& stat, std::int64_t now_ms);
  bool waits_anew(std::uint32_t rank, const rank_view& seen, std::int64_t now_ms) const;

  std::vector<usage> used_;           // by rank
  std::vector<std::uint32_t> stuck_;  // in all of the last looks
  std::uint32_t looks_ = 0;           // that found them
  std::int64_t first_look_ = 0;       // of these
  bool told_ = false;
};

}  // namespace loadstone::launch
