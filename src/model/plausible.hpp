// Can a machine be as it was measured? Where something else had the processors meanwhile, figures
// come out that no machine has; and jobs would choose by them until somebody measures again.
#pragma once

#include <string>

#include "model/machine.hpp"

namespace loadstone::model {

// What cannot be, in words; empty: nothing is known against it. Half of a wrong figure passes: this
// refuses what is impossible, not what is unusual.
std::string implausible(const machine& m);

}  // namespace loadstone::model
