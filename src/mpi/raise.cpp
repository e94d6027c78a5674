#include "mpi/raise.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <string>

#include "mpi/communicator.hpp"
#include "mpi/errors.hpp"
#include "mpi/file.hpp"
#include "mpi/process.hpp"
#include "mpi/session.hpp"
#include "mpi/waiting.hpp"
#include "mpi/window.hpp"

namespace loadstone::mpi {
namespace {

// How many handlers this thread is in. An error of a call that a handler makes is returned, without
// invoking a handler.
thread_local int nesting = 0;

struct nested {
  nested() { ++nesting; }
  ~nested() { --nesting; }
};

std::string describe(const process& p, function f, int code, const std::string& ending) {
  const error_detail& detail = last_error_detail();
  const bool known = detail.error_class == code && detail.text[0] != '\0';
  const std::string particular = known ? std::string(detail.text) : std::string(function_name(f));
  std::string text = p.errors.text(code);
  if (text.empty()) text = fmt::format("error code {}, which the program has made", code);
  return fmt::format("{}.\n  {}\n  {}", text, particular, ending);
}

const char* what(const target& object) {
  if (object.comm != nullptr) return object.comm->is_inter() ? "the inter-communicator" : "the communicator";
  if (object.sess != nullptr) return "the session";
  if (object.win != nullptr) return "the window";
  if (object.on_file) return "the file";
  return nullptr;
}

std::string ending_for(const target& object, const char* handler, const char* consequence) {
  if (object.given != nullptr)
    return fmt::format("The error handler given to the call is {}: {}", handler, consequence);
  const char* subject = what(object);
  if (subject == nullptr)
    return fmt::format("Errors outside communicators are handled by {}: {}", handler, consequence);
  std::string name = object.comm != nullptr  ? object.comm->name()
                     : object.win != nullptr ? object.win->name()
                                             : "";
  if (!name.empty()) name.insert(0, " ");
  return fmt::format("The error handler of {}{} is {}: {}", subject, name, handler, consequence);
}

errhandler* handler_of(process& p, const target& object) {
  if (object.given != nullptr) return object.given;
  if (object.comm != nullptr) return object.comm->error_handler();
  if (object.sess != nullptr) return object.sess->error_handler();
  if (object.win != nullptr) return object.win->error_handler();
  if (object.file != nullptr) return object.file->error_handler();
  if (object.on_file) return p.handlers.of_files.get();
  return p.default_error_handler();
}

// If the job is ending, waits for the end and reports nothing, because an error that only follows
// from the death of another rank would mislead. The launcher may not have seen that death yet, so
// it gets up to a second. If it does not act (it may not see a rank that is the child of a program
// that lives on), the error is reported.
void perhaps_wait_for_the_end(process& p, int code) {
  constexpr int longest_ms = 1000;
  const bool follows = p.errors.class_of(code) == MPI_ERR_PROC_ABORTED || p.another_has_failed();
  for (int ms = 0; follows && ms < longest_ms && !p.job_is_ending(); ++ms) usleep(1000);
  if (p.job_is_ending()) wait_for_the_end();
}

[[noreturn]] void end(process& p, function f, const target& object, int code, const char* handler,
                      const char* consequence) {
  perhaps_wait_for_the_end(p, code);
  p.end(memory::last_words::error, code, describe(p, f, code, ending_for(object, handler, consequence)));
}

void invoke(process& p, function f, const target& object, const errhandler& handler, int code) {
  const nested guard;
  int reported = code;
  switch (handler.kind()) {
    case errhandler_kind::returns:
      return;
    case errhandler_kind::fatal:
      end(p, f, object, code, "MPI_ERRORS_ARE_FATAL", "the job ends");
    case errhandler_kind::abort:
      // Like MPI_Abort on that communicator (MPI §9.3), which may end all connected processes
      // (§11.5).
      end(p, f, object, code, "MPI_ERRORS_ABORT", "its processes end, and the job with them");
    case errhandler_kind::communicator: {
      // If the handler was an argument of the call, the object that it is for does not exist.
      // Errors without an object belong to MPI_COMM_SELF.
      MPI_Comm comm = object.given != nullptr  ? MPI_COMM_NULL
                      : object.comm == nullptr ? MPI_COMM_SELF
                                               : object.comm->handle();
      return handler.function<MPI_Comm_errhandler_function>()(&comm, &reported, function_name(f));
    }
    case errhandler_kind::session: {
      MPI_Session session = object.sess == nullptr ? MPI_SESSION_NULL : object.sess->handle();
      return handler.function<MPI_Session_errhandler_function>()(&session, &reported, function_name(f));
    }
    case errhandler_kind::window: {
      MPI_Win win = object.win == nullptr ? MPI_WIN_NULL : object.win->handle();
      return handler.function<MPI_Win_errhandler_function>()(&win, &reported, function_name(f));
    }
    case errhandler_kind::file: {
      // A file whose close has failed is gone.
      MPI_File file =
          object.given != nullptr || object.file == nullptr ? MPI_FILE_NULL : object.file->handle();
      return handler.function<MPI_File_errhandler_function>()(&file, &reported, function_name(f));
    }
  }
}

}  // namespace

int raise_error(process& p, function f, const target& object, int code) {
  if (nesting > 0) return code;
  errhandler* handler = handler_of(p, object);
  invoke(p, f, object, handler == nullptr ? p.handlers.errors_are_fatal : *handler, code);
  return code;
}

void end_with(process& p, function f, int error_class, std::string_view what) {
  error_detail& detail = last_error_detail();
  detail.error_class = error_class;
  const auto end = fmt::format_to_n(detail.text, sizeof detail.text - 1, "{}: {}", function_name(f), what);
  *end.out = '\0';
  perhaps_wait_for_the_end(p, error_class);
  p.end(memory::last_words::error, error_class,
        describe(p, f, error_class, "No call can return this error: the job ends"));
}

void call_handler(process& p, function f, const target& object, int code) {
  errhandler* handler = handler_of(p, object);
  last_error_detail() = {};  // the code comes from the program: the library has no details of it
  invoke(p, f, object, handler == nullptr ? p.handlers.errors_are_fatal : *handler, code);
}

}  // namespace loadstone::mpi
