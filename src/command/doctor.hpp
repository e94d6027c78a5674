// `loadstone doctor`: what on this system costs speed, and how to mend it.
#pragma once

#include "command/options.hpp"

namespace loadstone::command {

// Prints to standard output. Returns the exit status: 0, 1 (something costs), 3 (jobs do not
// start).
int show_findings(const doctor_options& wanted);

}  // namespace loadstone::command
