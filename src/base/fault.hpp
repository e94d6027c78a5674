// Named fault points: places where a test may kill, stop or delay this process. Compiled in only
// with LOADSTONE_FAULTS=ON (presets debug, faults, asan, tsan); otherwise the macro is nothing.
//
//   LOADSTONE_FAULT_POINT("inbox.claimed");
//
// LOADSTONE_FAULT=<name>:<action>[:<process>[:<nth pass>]] in the environment arms one point.
//   process   a number in the job; `-`: a process without one (mpiexec); `*`: any
//   action    kill (SIGKILL); stop (SIGSTOP); delay: 10 ms at each of the first 32 passes, then at
//             every 512th, which changes the order of events and still lets a flood end
//
// LOADSTONE_FAULT_LOG=<file> appends "<name> <process>" for every point reached, once a process.
// tests/faults/run.py finds the points in the sources and fails if one is never reached. So each
// name is used at one place only.
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
