// What the files about windows share: how a call tells what is wrong with an epoch or an operation,
// and how it waits.
#pragma once

#include <string>
#include <string_view>

#include "mpi/waiting.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {

// `target`: a rank of the window, or MPI_ANY_SOURCE for all members, or MPI_PROC_NULL for none.
inline wait::reason reason_for(const call& c, const window& win, int target, const char* detail) {
  wait::reason why;
  why.call = call_number(c);
  why.peer = target >= 0               ? static_cast<std::int32_t>(win.core().process_of(target))
             : target == MPI_PROC_NULL ? -2
                                       : -1;
  why.tag = -1;
  why.communicator = wait::is_window | win.core().id();
  why.detail = detail;
  return why;
}

// For calls by which programs may wait in a loop: other work gets its turn now and then, and so do
// other processes. Takes the gate.
void look_around(process& p, window& win);

// MPI_ERR_RMA_SYNC. `target`: a rank, or MPI_PROC_NULL if that is the target, or MPI_ANY_SOURCE.
[[gnu::cold]] int wrong_epoch(call& c, int target, epochs::objection what);

// A wait for members has failed: MPI_ERR_PROC_ABORTED. `target`: a rank, or MPI_ANY_SOURCE.
[[gnu::cold]] int member_lost(call& c, int target);

// An argument of a one-sided operation, as errors name it: "argument 5 (target_disp)".
[[gnu::cold]] std::string argument(const call& c, std::string_view name);

// What went wrong with an operation; `displacement`: the argument target_disp.
[[gnu::cold]] int operation_failed(call& c, const window& win, int target, std::int64_t displacement,
                                   const rma::trouble& what);

}  // namespace loadstone::mpi
