// A session: an isolated use of MPI with an error handler of its own.
#pragma once

#include <atomic>
#include <memory>

#include "mpi.h"
#include "mpi/bsend_buffer.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/info.hpp"

namespace loadstone::mpi {

class session {
 public:
  session(process& owner, errhandler* handler, info::pairs hints);
  ~session();

  MPI_Session handle() const { return handle_; }
  void set_handle(MPI_Session handle) { handle_ = handle; }
  errhandler* error_handler() const { return error_handler_.get(); }
  void set_error_handler(errhandler* handler);
  info hints;
  // For buffered sends. Shared with the groups and communicators that are made from the session,
  // which may outlive it.
  const std::shared_ptr<bsend_buffer> buffer = std::make_shared<bsend_buffer>();

 private:
  process& owner_;
  MPI_Session handle_ = MPI_SESSION_NULL;
  errhandler_slot error_handler_;
};

}  // namespace loadstone::mpi
