#include "transport/poor/integrity.hpp"

#include <cstdio>
#include <cstdlib>

namespace loadstone::transport {

void integrity::give_up(std::uint32_t owner, const char* what) const {
  std::fprintf(stderr,
               "loadstone: %s in the memory of process %u was read %u times at process %u and never fitted "
               "its checksum\n",
               what, owner, most_readings, self_);
  std::abort();
}

}  // namespace loadstone::transport
