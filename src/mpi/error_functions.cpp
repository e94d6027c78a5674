// Error classes, codes and strings; calling an error handler by hand.
#include <algorithm>
#include <cstring>

#include "mpi/call.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/raise.hpp"
#include "mpi/session.hpp"

namespace loadstone::mpi {
namespace {

int not_a_code(call& c, int code) {
  return c.fail(MPI_ERR_ARG,
                "argument 1 (errorcode) is {}; expected an error code of MPI or of MPI_Add_error_code", code);
}

}  // namespace

int impl::Error_class(call& c, int errorcode, int* errorclass) {
  if (!c.process().errors.exists(errorcode)) return not_a_code(c, errorcode);
  *errorclass = c.process().errors.class_of(errorcode);
  return MPI_SUCCESS;
}

int impl::Error_string(call& c, int errorcode, char* string, int* resultlen) {
  if (!c.process().errors.exists(errorcode)) return not_a_code(c, errorcode);
  std::string text = c.process().errors.text(errorcode);
  const error_detail& detail = last_error_detail();
  // A class or code that the program has made has the program's string, and nothing is added (MPI
  // §9.5).
  if (!class_name(errorcode).empty() && detail.error_class == errorcode && detail.text[0] != '\0') {
    const int rank = c.process().world_rank();
    text = rank < 0 ? fmt::format("{} ({})", text, detail.text)
                    : fmt::format("{} (rank {}, {})", text, rank, detail.text);
  }
  const std::size_t length = std::min<std::size_t>(text.size(), MPI_MAX_ERROR_STRING - 1);
  std::memcpy(string, text.data(), length);
  string[length] = '\0';
  *resultlen = static_cast<int>(length);
  return MPI_SUCCESS;
}

int impl::Add_error_class(call& c, int* errorclass) {
  *errorclass = c.process().errors.add_class();
  return MPI_SUCCESS;
}

int impl::Add_error_code(call& c, int errorclass, int* errorcode) {
  error_registry& errors = c.process().errors;
  if (!errors.exists(errorclass) || errors.class_of(errorclass) != errorclass) {
    return c.fail(MPI_ERR_ARG, "argument 1 (errorclass) is {}; expected an error class", errorclass);
  }
  *errorcode = errors.add_code(errorclass);
  return MPI_SUCCESS;
}

int impl::Add_error_string(call& c, int errorcode, const char* string) {
  if (!c.process().errors.set_text(errorcode, std::string_view(string).substr(0, MPI_MAX_ERROR_STRING - 1))) {
    return c.fail(MPI_ERR_ARG,
                  "argument 1 (errorcode) is {}; expected a class or code that the program has added",
                  errorcode);
  }
  return MPI_SUCCESS;
}

int impl::Remove_error_class(call& c, int errorclass) {
  switch (c.process().errors.remove_class(errorclass)) {
    case error_registry::removal::done:
      return MPI_SUCCESS;
    case error_registry::removal::in_use:
      return c.fail(MPI_ERR_ARG, "argument 1 (errorclass) is {}, which still has codes or a string",
                    errorclass);
    default:
      return c.fail(MPI_ERR_ARG, "argument 1 (errorclass) is {}; expected a class that the program has added",
                    errorclass);
  }
}

int impl::Remove_error_code(call& c, int errorcode) {
  switch (c.process().errors.remove_code(errorcode)) {
    case error_registry::removal::done:
      return MPI_SUCCESS;
    case error_registry::removal::in_use:
      return c.fail(MPI_ERR_ARG, "argument 1 (errorcode) is {}, which still has a string", errorcode);
    default:
      return c.fail(MPI_ERR_ARG, "argument 1 (errorcode) is {}; expected a code that the program has added",
                    errorcode);
  }
}

int impl::Remove_error_string(call& c, int errorcode) {
  if (c.process().errors.remove_text(errorcode) != error_registry::removal::done) {
    return c.fail(MPI_ERR_ARG, "argument 1 (errorcode) is {}; expected one that has a string of the program",
                  errorcode);
  }
  return MPI_SUCCESS;
}

// The handler is invoked with the code of the caller; the call itself succeeds if the handler
// returns (MPI §9.6).
int impl::Comm_call_errhandler(call& c, communicator& comm, int errorcode) {
  target object;
  object.comm = &comm;
  call_handler(c.process(), c.which(), object, errorcode);
  return MPI_SUCCESS;
}

int impl::Session_call_errhandler(call& c, session& session, int errorcode) {
  target object;
  object.sess = &session;
  call_handler(c.process(), c.which(), object, errorcode);
  return MPI_SUCCESS;
}

int impl::Win_call_errhandler(call& c, window& win, int errorcode) {
  target object;
  object.win = &win;
  call_handler(c.process(), c.which(), object, errorcode);
  return MPI_SUCCESS;
}

int impl::File_call_errhandler(call& c, MPI_File file, int errorcode) {
  target object;
  object.file = c.handles().files.find(file);
  object.on_file = true;
  call_handler(c.process(), c.which(), object, errorcode);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
