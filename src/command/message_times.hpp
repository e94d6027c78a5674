// Times messages and one-sided operations between two ranks of this library, and collectives of
// more: runs the programs message_times, one_sided_times and collective_times (tools/model) under
// the mpiexec that is installed beside this program.
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
  std::string protocol;  // its name in the library's performance variables messages_…
  double time;           // one way, microseconds
};

struct timed_messages {
  std::vector<timed_message> all;
  std::string error;  // what went wrong; empty: nothing
};

// `environment` is added to the environment of the job.
timed_messages time_messages(model::pattern how, std::span<const std::int64_t> sizes,
                             std::span<const std::pair<std::string, std::string>> environment);

struct timed_operation {
  std::string what;    // put, get, lock, fence, post; puts, blocks, add
  std::string window;  // allocated, created
  std::int64_t bytes;
  double time;  // microseconds
};

struct timed_operations {
  std::vector<timed_operation> all;
  std::string error;  // what went wrong; empty: nothing
};

timed_operations time_operations(std::span<const std::int64_t> sizes,
                                 std::span<const std::pair<std::string, std::string>> environment);

struct timed_collective {
  std::string what;  // as in LOADSTONE_COLL_<what>
  std::int64_t bytes;
  double time;  // microseconds
};

struct timed_collectives {
  std::vector<timed_collective> all;
  std::string error;  // what went wrong; empty: nothing
};

// Lengths that take too much memory are left out.
timed_collectives time_collectives(std::uint32_t ranks, std::span<const std::string> collectives,
                                   std::span<const std::int64_t> sizes,
                                   std::span<const std::pair<std::string, std::string>> environment);

}  // namespace loadstone::command
