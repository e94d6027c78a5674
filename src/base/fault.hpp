// Named fault points: places where a test may kill, stop or delay this process. Compiled in only with
// LOADSTONE_FAULTS=ON (presets debug, faults, asan, tsan); otherwise the macro is nothing.
//
//   LOADSTONE_FAULT_POINT("inbox.claimed");
//
// LOADSTONE_FAULT=<name>:<action>[:<process>[:<nth pass>]] in the environment arms one point; actions are
// kill (SIGKILL), stop (SIGSTOP), delay (10 ms). LOADSTONE_FAULT_LOG=<file> appends the name of every point
// reached, once a process and point. Every point is listed in tests/fault_points.txt; the tests fail if one
// was never reached.
#pragma once

#include <cstdint>

namespace loadstone::base {
void reach_fault_point(const char* name);
void set_fault_process(std::uint32_t process);  // who "process" in LOADSTONE_FAULT means; called at attach
}  // namespace loadstone::base

#ifdef LOADSTONE_FAULTS
#define LOADSTONE_FAULT_POINT(name) ::loadstone::base::reach_fault_point(name)
#else
#define LOADSTONE_FAULT_POINT(name) ((void)0)
#endif
