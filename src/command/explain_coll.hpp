// `loadstone explain coll`: the algorithms of a collective, what each would cost, which is taken
// and why.
#pragma once

#include <string>
#include <vector>

#include "command/options.hpp"

namespace loadstone::command {

std::vector<std::string> collectives_to_explain();

// Prints it and returns the exit status.
int explain_coll(const explain_options& wanted);

}  // namespace loadstone::command
