// What all one-sided operations begin and end with.
#pragma once

#include "mpi/datatype_object.hpp"
#include "mpi/window_call.hpp"

namespace loadstone::mpi {

// Each returns MPI_SUCCESS, or records what is wrong. Takes the gate.
[[gnu::cold]] int open_epoch(call& c, window& win, int target);
int need_passive_epoch(call& c, window& win, int target);

// May an operation on this target, or MPI_PROC_NULL, begin? Where that is so already, one load.
inline int enter(call& c, window& win, int target) {
  c.aims_at(target);
  return target >= 0 && win.epochs.allows(target) ? MPI_SUCCESS : open_epoch(c, win, target);
}

// An operation with a request. It is complete at its origin when it returns, as all are, and so is
// its request, which is the one that all sends that have left share.
template <class Operation>
int by_request(call& c, window& win, int target, MPI_Request* request, Operation operation) {
  c.aims_at(target);
  if (const int error = need_passive_epoch(c, win, target)) return error;
  if (target != MPI_PROC_NULL)
    if (const int error = operation()) return error;
  look_around(c.process(), win);
  *request = c.process().message_requests.sent.handle();
  return MPI_SUCCESS;
}

// MPI_ERR_TRUNCATE: `bytes` of `from` do not fit into `to`, which has `room`: "origin", "target",
// "result".
[[gnu::cold]] int too_long(call& c, const char* from, std::int64_t bytes, const char* to, std::int64_t room);
[[gnu::cold]] int no_slice(call& c, const base::status& why);

}  // namespace loadstone::mpi
