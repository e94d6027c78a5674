// The beginning and the end of a message's request: once a message each, in line.
#pragma once

#include "mpi/process.hpp"
#include "mpi/request_object.hpp"

namespace loadstone::mpi {

inline MPI_Request message_request::begin(communicator* where) {
  where_ = where;
  if (where != nullptr) ++where->messages().users;
  active_ = true;
  return handle_ = owner_.requests.renew(handle_);
}

inline void message_request::end() {
  owner_.requests.suspend(handle_);
  if (operation_ != nullptr) {
    // Relaxed: completion happens under the gate, which the caller holds.
    if (operation_->complete.load(std::memory_order_relaxed) && operation_->is_message() && spent_ == nullptr)
        [[likely]]
      spent_ = std::exchange(operation_, nullptr);
    else
      drop_operation();
  }
  if (where_ != nullptr) --where_->messages().users;
  where_ = nullptr;
  owner_.message_requests.give(this);
}

}  // namespace loadstone::mpi
