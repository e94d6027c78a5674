// Collectives in `loadstone model`: what they should take, what they do take, whether the quickest
// algorithm is chosen, and whether a collective is slower than what it could be made of.
#pragma once

#include <cstdint>
#include <string>

#include "model/machine.hpp"

namespace loadstone::command {

// Prints tables. Returns an error message, or an empty string.
std::string print_collectives(const model::machine& here, std::uint32_t ranks);

}  // namespace loadstone::command
