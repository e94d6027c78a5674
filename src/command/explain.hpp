// `loadstone explain`: which way a message takes, what each way would cost, and why.
#pragma once

#include <string>
#include <vector>

#include "command/options.hpp"

namespace loadstone::command {

std::vector<std::string> peers_to_explain();  // what --peer may be

// Says whose times follow.
void print_origin_of_times(bool kept);

// Prints it and returns the exit status.
int explain_message(const explain_options& wanted);

}  // namespace loadstone::command
