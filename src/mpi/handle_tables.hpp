// The tables of handles of one process, one for each kind of MPI object.
#pragma once

#include "base/pool.hpp"
#include "mpi/attributes.hpp"
#include "mpi/communicator.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/handle_table.hpp"
#include "mpi/message.hpp"
#include "mpi/op_object.hpp"

namespace loadstone::mpi {

struct handle_tables {
  communicator_table comms;
  group_table groups;
  datatype_table types;
  op_table ops;
  info_table infos;
  errhandler_table errhandlers;
  request_table requests;  // this and the next two under the gate, but for find()
  message_table messages;
  base::pool<message> message_objects;
  session_table sessions;
  window_table windows;
  file_table files;
  keyval_table keyvals;
};

}  // namespace loadstone::mpi
