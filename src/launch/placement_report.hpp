// What mpiexec --report-bindings says.
#pragma once

#include <string>

#include "launch/thread_counts.hpp"

namespace loadstone::launch {

// One line for each rank; `all` is the processors of those that are not bound.
std::string describe_placement(const options& wanted, const placement& where, const processors& all);

}  // namespace loadstone::launch
