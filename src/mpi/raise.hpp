// Invokes the error handler that the program has chosen for the object of a call (MPI §9.3).
#pragma once

#include <cstdint>
#include <string_view>

#include "mpi.h"
#include "mpi/generated/names.hpp"

namespace loadstone::mpi {

class communicator;
class errhandler;
class file;
class process;
class session;
class window;

// The object that a call was about, whose handler gets the error. Nothing is set: the default
// handler.
struct target {
  communicator* comm = nullptr;
  session* sess = nullptr;
  window* win = nullptr;
  mpi::file* file = nullptr;
  bool on_file = false;         // also for MPI_FILE_NULL, which has the default handler of files
  errhandler* given = nullptr;  // an argument of the call, for the object it makes: instead of all others
};

// Invokes the handler with an error of the library. Returns `code` if the handler returns; the
// fatal ones do not.
int raise_error(process& p, function f, const target& object, int code);

// Invokes the handler of the object with a code of the program (MPI_X_call_errhandler).
void call_handler(process& p, function f, const target& object, int code);

// Ends the job with an error that no call can return: it happened during progress, and belongs to
// no request. `f`: the call that this process is in.
[[noreturn]] void end_with(process& p, function f, int error_class, std::string_view what);

// "MPI_INT" for (MPI_Datatype, 0x209); nullptr for dynamic handles.
const char* predefined_name(const char* type, std::intptr_t bits);

}  // namespace loadstone::mpi
