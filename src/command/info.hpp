// `loadstone info`: the settings.
#pragma once

#include "command/options.hpp"

namespace loadstone::command {

// Prints them to standard output; mistakes of the user (a name that nothing reads, a value of no
// use) stand with them. Returns the exit status.
int show_settings(const info_options& wanted);

}  // namespace loadstone::command
