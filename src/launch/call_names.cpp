#include "launch/call_names.hpp"

#include "mpi/generated/names.hpp"  // generated data, no code of that layer

namespace loadstone::launch {

std::string call_name(std::uint32_t number) {
  return number == 0 || number >= mpi::function_count ? std::string() : mpi::function_names[number];
}

}  // namespace loadstone::launch
