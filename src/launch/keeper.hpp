// The keeper: launches the ranks of one job, forwards their output, and sees the job to its end in three
// phases:
//
//   running   until all ranks have ended, one fails, the time is over, or the user ends it
//   stop      the others get SIGTERM and, a second later, SIGKILL; then everything below us is killed
//   drain     what was printed is forwarded to its end; the explanation follows; only now are dead ranks
//   reaped
#pragma once

#include "launch/guard.hpp"
#include "launch/options.hpp"

namespace loadstone::launch {

// Runs the job; the exit status of mpiexec.
int keep_job(const options& wanted, const front_line& line);

}  // namespace loadstone::launch
