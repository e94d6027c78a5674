// What mpiexec --report-bindings says.
#pragma once

#include <string>

#include "launch/thread_counts.hpp"

namespace loadstone::launch {

// What has to be said if there is not a core for each I/O process; empty: there is.
std::string note_of_servers(std::uint32_t servers, const placement& where);

// One line for each rank, and for each I/O process that has a core of its own; `all` is the
// processors of ranks that are not bound.
std::string describe_placement(const options& wanted, const placement& where, const processors& all);

}  // namespace loadstone::launch
