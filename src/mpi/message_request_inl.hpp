// Begins and ends the request of a message. Inline, as every non-blocking message does both once.
#pragma once

#include "mpi/call.hpp"
#include "mpi/process.hpp"
#include "mpi/request_object.hpp"

namespace loadstone::mpi {

inline MPI_Request message_request::begin(communicator* where) {
  where_ = where;
  if (where != nullptr) ++where->messages().users;
  return handle_ = owner_.handles.requests.renew(*place_);
}

inline void message_request::end() {
  // The operation of a complete message stays here, for the next message to use. Relaxed:
  // completion happens under the gate, which the caller holds.
  if (operation_ != nullptr &&
      !(operation_->is_message() && operation_->complete.load(std::memory_order_relaxed))) [[unlikely]]
    drop_operation();
  rest();
}

inline bool message_request::has_ended_well() const {
  const p2p::request* const done = operation_;
  // sync: request-complete
  return done != nullptr && done->complete.load(std::memory_order_acquire) && done->result.error == 0 &&
         done->is_message();
}

inline bool message_request::end_well(MPI_Status* status) {
  if (!has_ended_well()) [[unlikely]]
    return false;
  if (status != MPI_STATUS_IGNORE) set_status(status, operation_->result);
  rest();
  return true;
}

// Once, though a program may have written its handle into an array twice.
inline void message_request::rest() {
  if (handle_ == MPI_REQUEST_NULL) [[unlikely]]
    return;
  handle_ = MPI_REQUEST_NULL;
  owner_.handles.requests.suspend(*place_);
  if (where_ != nullptr) --where_->messages().users;
  owner_.message_requests.give(this);
}

// A request, with a new handle, for the message that the caller starts next. Null: no handle is
// free, which has been recorded as MPI_ERR_OTHER. Under the gate.
inline message_request* new_message(call& c, communicator* comm, MPI_Request* handle) {
  message_request* r = c.process().message_requests.take();
  if (r == nullptr) [[unlikely]]
    c.fail(MPI_ERR_OTHER, "no more request handles are free");
  else
    *handle = r->begin(comm);
  return r;
}

}  // namespace loadstone::mpi
