// Two ranks of this library, timed: runs message_times (tools/model) under the mpiexec beside this
// program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/measure.hpp"

namespace loadstone::command {

struct timed_message {
  std::int64_t bytes;
  std::string protocol;  // as the library's performance variables call it
  double time;           // one way, microseconds
};

struct timed_messages {
  std::vector<timed_message> all;
  std::string error;  // what went wrong; empty: nothing
};

// `environment` is added to ours for the job.
timed_messages time_messages(model::pattern how, std::span<const std::int64_t> sizes,
                             std::span<const std::pair<std::string, std::string>> environment);

}  // namespace loadstone::command
