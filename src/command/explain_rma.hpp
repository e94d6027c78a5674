// `loadstone explain rma`: the ways to a target's memory, what each would cost, which is taken and
// why.
#pragma once

#include <string>
#include <vector>

#include "command/options.hpp"

namespace loadstone::command {

std::vector<std::string> windows_to_explain();  // what --window may be

// Prints it and returns the exit status.
int explain_rma(const explain_options& wanted);

}  // namespace loadstone::command
