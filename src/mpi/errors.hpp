// Error classes, codes and strings, and the details of each thread's last error.
//
// The codes that the library returns are the classes themselves, so that `code == MPI_ERR_RANK`
// works, as many programs expect. The details of an error are kept for each thread:
// MPI_Error_string adds them for the class that failed last, and the fatal error handlers print
// them.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

class call;
class communicator;
class errhandler;
class process;

std::string_view class_name(int error_class);  // "MPI_ERR_RANK"; empty if it is not a predefined class
std::string_view class_text(int error_class);  // "invalid rank"

// User-defined classes, codes and strings of one process.
class error_registry {
 public:
  int last_used() const;  // the attribute MPI_LASTUSEDCODE
  const int* last_used_address() const { return &last_used_; }
  bool exists(int code) const;       // predefined or user-defined
  int class_of(int code) const;      // MPI_ERR_UNKNOWN if it does not exist
  std::string text(int code) const;  // the user's string, or the predefined text

  int add_class();                                 // the new class
  int add_code(int error_class);                   // the new code
  bool set_text(int code, std::string_view text);  // user-defined codes and classes only
  // Each returns `unknown` if there is no such user-defined class, code or string, and `in_use` if
  // a class still has codes.
  enum class removal { done, unknown, in_use };
  removal remove_class(int error_class);
  removal remove_code(int code);
  removal remove_text(int code);

 private:
  struct entry {
    int error_class;  // itself for a class
    std::string text;
    bool has_text = false;
  };
  int next();
  mutable std::mutex lock_;
  std::map<int, entry> entries_;
  int last_used_ = MPI_ERR_LASTCODE;
};

// The details of this thread's last error: "MPI_Send: argument 4 (dest) is 7; expected …".
struct error_detail {
  int error_class = MPI_SUCCESS;
  char text[480] = "";
};
error_detail& last_error_detail();

}  // namespace loadstone::mpi
