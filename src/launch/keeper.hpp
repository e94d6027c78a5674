// The keeper: launches the ranks of one job, forwards their output, answers what they ask
// (request_server.hpp), judges how they end, and sees the job through its phases (phases.hpp). The
// last of these begins when everything below us has been killed: what was printed is forwarded to
// its end, the explanation follows, and only now are dead ranks reaped.
#pragma once

#include "launch/guard.hpp"
#include "launch/options.hpp"

namespace loadstone::launch {

// Runs the job; the exit status of mpiexec.
int keep_job(const options& wanted, const front_line& line);

}  // namespace loadstone::launch
