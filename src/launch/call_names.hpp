// Names of MPI functions from the numbers in job memory: places in the generated table, whose
// first, 0, stands for none.
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::launch {

std::string call_name(std::uint32_t number);  // "MPI_Recv"; empty for 0 and for numbers that we do not know

}  // namespace loadstone::launch
