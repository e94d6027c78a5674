// One thing that `loadstone doctor` looked at.
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::command {

enum class verdict : std::uint8_t {
  ok,      // as it should be
  remark,  // costs nothing or little
  costs,   // slower than the machine
  stops,   // jobs do not start
};

struct finding {
  verdict how = verdict::ok;
  std::string what;  // one line
  std::string cost;  // what follows from it; empty for ok
  std::string mend;  // what to do; empty: nothing can be done, or need be
};

}  // namespace loadstone::command
