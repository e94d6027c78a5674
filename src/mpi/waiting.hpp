// How a call waits, and what it says it waits for (hang reports).
#pragma once

#include <mutex>

#include "mpi/call.hpp"
#include "mpi/communicator.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

// Numbers as mpiexec knows them: the position in generated/names.hpp. (0 is a function that never
// waits; there it means none.)
inline std::uint16_t call_number(const call& c) {
  return static_cast<std::uint16_t>(c.which());
}

inline wait::reason reason_for(const call& c, const communicator& comm, int peer, int tag,
                               const char* detail) {
  wait::reason why;
  why.call = call_number(c);
  why.peer = peer < 0 ? peer == MPI_PROC_NULL ? -2 : -1 : static_cast<std::int32_t>(comm.peer(peer));
  why.tag = tag < 0 ? -1 : tag;
  why.communicator = comm.id() + 1;
  why.detail = detail;
  return why;
}

// The job is being stopped: mpiexec is about to end this process. Nothing sensible can be returned
// to the program.
[[noreturn]] void wait_for_the_end();

}  // namespace loadstone::mpi
