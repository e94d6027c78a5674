// `loadstone model io`: what periodic output costs on this machine and this file system, and which
// buffer it needs (model/snapshots.hpp).
#pragma once

#include "command/options.hpp"

namespace loadstone::command {

// Measures, prints and returns the exit status.
int model_files(const model_io_options& wanted);

}  // namespace loadstone::command
