// `loadstone model`: what messages should cost on this machine, what they do cost, and which
// settings that suggests.
#pragma once

#include "command/options.hpp"

namespace loadstone::command {

// Prints to standard output. Returns the exit status: 0, or 1 if nothing can be measured (with a
// message on standard error).
int show_model(const model_options& wanted);

}  // namespace loadstone::command
