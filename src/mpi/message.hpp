// A message that a matched probe (MPI_Mprobe) has taken, until it is received.
#pragma once

#include "mpi.h"
#include "mpi/communicator.hpp"

namespace loadstone::mpi {

class message {
 public:
  message(communicator& where, p2p::matched_message* taken) : where_(where), taken_(taken) {}
  MPI_Message handle() const { return handle_; }
  void set_handle(MPI_Message handle) { handle_ = handle; }
  communicator& where() const { return where_; }
  p2p::matched_message* taken() const { return taken_; }

 private:
  communicator& where_;
  p2p::matched_message* taken_;
  MPI_Message handle_ = MPI_MESSAGE_NULL;
};

}  // namespace loadstone::mpi
