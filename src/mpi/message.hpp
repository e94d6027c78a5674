// A message that a matched probe (MPI_Mprobe) has taken, until it is received.
#pragma once

#include "mpi.h"
#include "mpi/communicator.hpp"

namespace loadstone::mpi {

class message {
 public:
  communicator* where = nullptr;
  p2p::matched_message* taken = nullptr;
  MPI_Message handle = MPI_MESSAGE_NULL;
  message* next_free = nullptr;  // pool
};

}  // namespace loadstone::mpi
