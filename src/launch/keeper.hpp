// The keeper: launches the ranks of one job, forwards their output, answers what they ask
// (request_server.hpp), judges how they end, and leads the job through its phases (phases.hpp). In
// the last phase everything below us has been killed: the rest of the output is forwarded, the
// explanation follows, and only then are dead ranks reaped.
#pragma once

#include "launch/guard.hpp"
#include "launch/options.hpp"

namespace loadstone::launch {

// Runs the job; the exit status of mpiexec.
int keep_job(const options& wanted, const front_line& line);

}  // namespace loadstone::launch
