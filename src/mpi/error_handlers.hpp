// The predefined error handlers, and those for errors that belong to no communicator, session or
// window.
#pragma once

#include "mpi/errhandler.hpp"
#include "mpi/handle_table.hpp"

namespace loadstone::mpi {

struct error_handlers {
  errhandler errors_are_fatal{errhandler_kind::fatal, MPI_ERRORS_ARE_FATAL};
  errhandler errors_abort{errhandler_kind::abort, MPI_ERRORS_ABORT};
  errhandler errors_return{errhandler_kind::returns, MPI_ERRORS_RETURN};

  errhandler* initial = &errors_are_fatal;  // the one that the job was started with
  // That of MPI_FILE_NULL: for errors on files that are not open, and inherited by each file when
  // it is opened (MPI §14.7).
  errhandler_slot of_files{&errors_return};
};

}  // namespace loadstone::mpi
