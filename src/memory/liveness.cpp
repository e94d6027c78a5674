#include "memory/liveness.hpp"

#include <cstdlib>
#include <string>

#include "base/text_file.hpp"

namespace loadstone::memory {

std::uint64_t start_time_of(pid_t pid) {
  std::string text = base::read_text_file("/proc/" + std::to_string(pid) + "/stat");
  std::size_t at = text.rfind(')');  // the command name before it may hold anything
  if (at == std::string::npos || at + 2 >= text.size()) return 0;
  if (text[at + 2] == 'Z' || text[at + 2] == 'X') return 0;
  // The state after ") " is field 3; the start time is field 22.
  for (int field = 3; field < 22; ++field) {
    at = text.find(' ', at + (field == 3 ? 2 : 1));
    if (at == std::string::npos) return 0;
  }
  return std::strtoull(text.c_str() + at + 1, nullptr, 10);
}

bool is_alive(const process_entry& entry) {
  if (entry.dead.load(std::memory_order_acquire) != 0) return false;  // sync: process-dead
  auto state =
      static_cast<process_state>(entry.state.load(std::memory_order_acquire));  // sync: process-claimed
  if (state == process_state::free || state == process_state::claiming) return true;
  std::uint64_t now = start_time_of(entry.pid);
  return now != 0 && (entry.start_time == 0 || now == entry.start_time);
}

}  // namespace loadstone::memory
