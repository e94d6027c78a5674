// The outcome of one check of `loadstone doctor`: how it is, what that costs, and what to do about
// it.
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::command {

enum class verdict : std::uint8_t {
  ok,      // as it should be
  remark,  // costs nothing or little
  costs,   // jobs are slower than they could be on this machine
  stops,   // jobs do not start
};

struct finding {
  verdict how = verdict::ok;
  std::string what;  // one line
  std::string cost;  // what follows from it; empty for ok
  std::string mend;  // what to do about it; empty: nothing, or nothing is needed
};

}  // namespace loadstone::command
