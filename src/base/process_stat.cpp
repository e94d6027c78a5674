#include "base/process_stat.hpp"

#include <cstdio>
#include <string>

#include "base/text_file.hpp"

namespace loadstone::base {

std::optional<process_stat> stat_of_process(pid_t pid) {
  const std::string text = read_text_file("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t end = text.rfind(')');  // the command name before it may hold anything
  if (end == std::string::npos) return {};
  process_stat found;
  int parent = 0;
  unsigned long user = 0, system = 0;
  unsigned long long start = 0;
  // Fields 3 (state) and 4, 14 and 15 (user, system), 22 (start).
  if (std::sscanf(text.c_str() + end + 1,
                  " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %llu",
                  &found.state, &parent, &user, &system, &start) != 5)
    return {};
  found.parent = parent;
  found.used_ticks = user + system;
  found.start_time = start;
  return found;
}

}  // namespace loadstone::base
