// What a thread waits for: written to the process table just before sleeping, read by mpiexec for hang
// reports.
#pragma once

#include <cstdint>

namespace loadstone::wait {

struct reason {
  std::uint16_t call = 0;     // MPI function number (abi/functions.tsv order), 0 = none
  std::int32_t peer = -1;     // process waited for (index in the process table); -1 any, -2 none
  std::int32_t tag = 0;       // -1 = any tag
  std::uint64_t context = 0;  // communicator's context id
  const char* detail = "";    // short literal, e.g. "rendezvous", "barrier round 2"
};

}  // namespace loadstone::wait
