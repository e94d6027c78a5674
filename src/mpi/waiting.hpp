// How a call waits, and what it stores about that for reports of hangs.
#pragma once

#include <mutex>

#include "mpi/call.hpp"
#include "mpi/communicator.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

// The number by which mpiexec knows a function: its position in generated/names.hpp. Number 0 is a
// function that never waits; in reports it means none.
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

// Called when the job is being stopped: waits until mpiexec ends this process, as there is nothing
// sensible to return to the program.
[[noreturn]] void wait_for_the_end();

}  // namespace loadstone::mpi
