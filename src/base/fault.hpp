// Named fault points: places where a test may kill, stop or delay this process. Compiled in only
// with LOADSTONE_FAULTS=ON (presets debug, faults, asan, tsan); otherwise the macro is nothing.
//
//   LOADSTONE_FAULT_POINT("inbox.claimed");
//
// LOADSTONE_FAULT=<name>:<action>[:<process>[:<nth pass>]] in the environment arms one point; a
// process is a number in the job, `-` for one that has none (mpiexec), `*` for any; actions are
// kill (SIGKILL), stop (SIGSTOP), delay (10 ms at each of the first 32 passes, then at every 512th:
// enough to change the order of events, and a flood still ends). LOADSTONE_FAULT_LOG=<file> appends
// "<name> <process>" for every point reached, once a process. tests/faults/run.py finds the points
// in the sources and fails if one is never reached, so a name stands at one place only.
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
