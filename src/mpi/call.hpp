// One call of an MPI function: which function, in which process, on which object. The generated
// entry makes it, and passes it to the implementation.
//
// An implementation that finds an error reports it once and returns:
//
//   return c.fail(MPI_ERR_ARG, "the dimensions multiply to {}; expected {}", product, size);
//
// The entry then invokes the error handler of the object that the call is about. If that returns,
// the entry returns the error class.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

#include "mpi.h"
#include "mpi/communicator.hpp"
#include "mpi/errors.hpp"
#include "mpi/generated/names.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

class errhandler;
class file;
class session;
class window;

class call {
 public:
  explicit call(function f)
      : function_(f), process_(process::current()), events_wanted_(process_.deferred_events.in_use()) {
    process_.activity.note_call(f);
    if (events_wanted_) [[unlikely]]
      event_queue::enter();
  }
  ~call() {
    if (events_wanted_) [[unlikely]]
      process_.deferred_events.leave();
  }
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  function which() const { return function_; }
  const char* name() const { return function_name(function_); }  // "MPI_Send_c"
  bool large() const { return is_large(function_); }             // entered through the _c form
  mpi::process& process() const { return process_; }
  handle_tables& handles() const { return process_.handles; }
  bool running() const { return process_.running(); }

  // The object whose error handler gets the errors of this call, from here on.
  void on(communicator& where) { communicator_ = &where; }
  void on(session& where) { session_ = &where; }
  void on(window& where) { window_ = &where; }
  // The call is about this member of the window: a rank, or MPI_PROC_NULL.
  void aims_at(int target) { target_ = target; }
  void on(file& where) { file_ = &where, on_file_ = true; }
  void on(MPI_File where) { file_ = handles().files.find(where); }  // null: that of MPI_FILE_NULL
  void on_files() { on_file_ = true; }  // that of MPI_FILE_NULL, until a file is known
  void on(errhandler& given) { given_ = &given; }
  // The same, with a reference that the call releases when it has raised its error.
  void on_last(errhandler& given) { given_ = &given, releases_ = true; }

  // Records what is wrong; returns `error_class`. On a window it is told with target and epoch.
  template <class... Args>
  [[gnu::cold, gnu::noinline]] int fail(int error_class, fmt::format_string<Args...> text, Args&&... args) {
    return record(error_class, text, fmt::make_format_args(args...));
  }

  int finish(int code) {
    if (code == MPI_SUCCESS) [[likely]]
      return code;
    return raise(code);
  }

  // Invokes the error handler; returns `code` if the handler returns.
  [[gnu::cold]] int raise(int code);

  // Errors that the generated checks find. Each invokes the error handler, and returns what the
  // entry has to return.
  [[gnu::cold]] int outside();      // before MPI_Init or after MPI_Finalize
  [[gnu::cold]] int unsupported();  // the function has no implementation yet
  [[gnu::cold]] int wrong_handle(int error_class, int position, const char* argument, const char* type,
                                 std::intptr_t bits, int index = -1);
  [[gnu::cold]] int wrong_errhandler(int position, const char* argument, const char* object);
  [[gnu::cold]] int predefined_handle(int error_class, int position, const char* argument, const char* type,
                                      std::intptr_t bits);
  [[gnu::cold]] int not_committed(int position, const char* argument, MPI_Datatype handle, int index = -1);
  [[gnu::cold]] int wrong_op(int position, const char* argument, MPI_Op op, MPI_Datatype type);
  [[gnu::cold]] int no_address(int position, const char* argument, std::uintptr_t bits);
  [[gnu::cold]] int wrong_number(int error_class, int position, const char* argument, std::int64_t value,
                                 const char* expected);
  // For receives and probes, where wildcards may be wrong: a hint of the communicator can rule them
  // out.
  [[gnu::cold]] int wrong_source(int position, const char* argument, int value, int size);
  [[gnu::cold]] int wrong_receive_tag(int position, const char* argument, int value);
  [[gnu::cold]] int wrong_element(int error_class, int position, const char* argument, int index,
                                  std::int64_t value, const char* expected);
  [[gnu::cold]] int wrong_rank(int error_class, int position, const char* argument, int value, int size,
                               const char* also);
  [[gnu::cold]] int misplaced_in_place(int position, const char* argument);
  [[gnu::cold]] int aliased(int position, const char* argument, int other_position, const char* other,
                            const void* address);
  // A count of elements, `times` in all, whose bytes exceed 64 bits; `index`: its place in an
  // array, or -1.
  [[gnu::cold]] int too_many(int position, const char* argument, std::int64_t value, std::int64_t times,
                             const datatype& type, std::int64_t index = -1);
  [[gnu::cold]] int too_large(int position, const char* argument, std::int64_t value);

 private:
  int record(int error_class, fmt::string_view text, fmt::format_args args);

  function function_;
  mpi::process& process_;
  const bool events_wanted_;  // had a tool registered for events when the call began?
  communicator* communicator_ = nullptr;
  session* session_ = nullptr;
  window* window_ = nullptr;
  int target_ = MPI_ANY_SOURCE;  // none, or all members
  file* file_ = nullptr;
  bool on_file_ = false;
  errhandler* given_ = nullptr;
  bool releases_ = false;
};

}  // namespace loadstone::mpi
