// Error handlers of communicators, sessions, windows and files: create, set, get, free (MPI §9.3).
// Invoking them: raise.cpp.
#include "mpi/call.hpp"
#include "mpi/file.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/session.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {
namespace {

template <class Function>
int create(call& c, errhandler_kind kind, Function* function, MPI_Errhandler* out) {
  auto* handler = new errhandler(kind, function);
  handler->set_handle(c.handles().errhandlers.insert(handler));
  *out = handler->handle();
  return MPI_SUCCESS;
}

// The caller of MPI_X_get_errhandler gets a reference of its own, to be freed.
MPI_Errhandler share(errhandler* handler) {
  handler->acquire();
  return handler->handle();
}

}  // namespace

int impl::Comm_create_errhandler(call& c, MPI_Comm_errhandler_function* function,
                                 MPI_Errhandler* errhandler) {
  return create(c, errhandler_kind::communicator, function, errhandler);
}

int impl::Session_create_errhandler(call& c, MPI_Session_errhandler_function* function,
                                    MPI_Errhandler* errhandler) {
  return create(c, errhandler_kind::session, function, errhandler);
}

int impl::Win_create_errhandler(call& c, MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create(c, errhandler_kind::window, function, errhandler);
}

int impl::File_create_errhandler(call& c, MPI_File_errhandler_function* function,
                                 MPI_Errhandler* errhandler) {
  return create(c, errhandler_kind::file, function, errhandler);
}

int impl::Comm_set_errhandler(call&, communicator& comm, errhandler& errhandler) {
  comm.set_error_handler(&errhandler);
  return MPI_SUCCESS;
}

int impl::Comm_get_errhandler(call&, communicator& comm, MPI_Errhandler* errhandler) {
  *errhandler = share(comm.error_handler());
  return MPI_SUCCESS;
}

int impl::Session_set_errhandler(call&, session& session, errhandler& errhandler) {
  session.set_error_handler(&errhandler);
  return MPI_SUCCESS;
}

int impl::Session_get_errhandler(call&, session& session, MPI_Errhandler* errhandler) {
  *errhandler = share(session.error_handler());
  return MPI_SUCCESS;
}

int impl::Win_set_errhandler(call&, window& win, errhandler& errhandler) {
  win.set_error_handler(&errhandler);
  return MPI_SUCCESS;
}

int impl::Win_get_errhandler(call&, window& win, MPI_Errhandler* errhandler) {
  *errhandler = share(win.error_handler());
  return MPI_SUCCESS;
}

// That of the null file is for files that are not open, and inherited by those that are opened.
int impl::File_set_errhandler(call& c, MPI_File handle, errhandler& errhandler) {
  if (file* f = c.handles().files.find(handle)) {
    f->set_error_handler(&errhandler);
  } else {
    c.process().release(c.process().handlers.of_files.exchange(&errhandler));
  }
  return MPI_SUCCESS;
}

int impl::File_get_errhandler(call& c, MPI_File handle, MPI_Errhandler* errhandler) {
  const file* f = c.handles().files.find(handle);
  *errhandler = share(f != nullptr ? f->error_handler() : c.process().handlers.of_files.get());
  return MPI_SUCCESS;
}

// The handle is gone; objects that use the handler keep it.
int impl::Errhandler_free(call& c, errhandler& errhandler) {
  c.process().release(&errhandler);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
