// `loadstone info`: prints every setting with its value, its default, and where the value came
// from.
#pragma once

#include "command/options.hpp"

namespace loadstone::command {

// Prints to standard output, mistakes of the user as well: a name that nothing reads, a value that
// cannot be used. Returns the exit status: 1 if there was such a mistake, else 0.
int show_settings(const info_options& wanted);

}  // namespace loadstone::command
