// What /proc says of a process: proc(5), /proc/pid/stat.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace loadstone::base {

struct process_stat {
  char state = 0;  // R running or ready, S sleeping, T and t stopped, Z and X ended, …
  pid_t parent = 0;
  // In ticks, of which a second has sysconf(_SC_CLK_TCK):
  std::uint64_t used_ticks = 0;  // processor time of all its threads
  std::uint64_t start_time = 0;  // since boot

  bool has_ended() const { return state == 'Z' || state == 'X'; }
};

// Nothing where there is no such process, or it cannot be seen from here.
std::optional<process_stat> stat_of_process(pid_t pid);

}  // namespace loadstone::base
