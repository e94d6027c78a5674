// A file: the engine's file (io/file.hpp), the communicator that its group talks through, and what
// the user has attached to it: error handler, hints, a split collective that has begun.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "io/background.hpp"
#include "io/file.hpp"
#include "mpi.h"
#include "mpi/communicator.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/file_hints.hpp"

namespace loadstone::mpi {

class call;
class datatype;
class process;

class file {
 public:
  // Takes the communicator, which was made for it.
  file(process& owner, std::unique_ptr<communicator> comm, std::string path, int amode,
       const info::pairs& given);
  ~file();
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  MPI_File handle() const { return handle_; }
  void set_handle(MPI_File handle) { handle_ = handle; }
  process& owner() const { return owner_; }
  communicator& comm() const { return *comm_; }
  int amode() const { return amode_; }
  bool sequential() const { return (amode_ & MPI_MODE_SEQUENTIAL) != 0; }
  io::file& core() { return core_; }
  io::background& later() { return later_; }
  // For blocking calls: the group, and what a report of a hang says of this call.
  io::team& together(const call& c);
  // Every error of a call on the file says where it was: "file /tmp/a, rank 3 of its 8".
  std::string describe() const;

  errhandler* error_handler() const { return error_handler_.get(); }
  void set_error_handler(errhandler* handler);  // takes a reference of its own, releases the old one

  file_hints hints;
  // The split collective that has begun; null: none has.
  struct {
    io::background::operation* operation = nullptr;
    const char* name = nullptr;  // "MPI_File_write_all"
    const void* buffer = nullptr;
  } split;

 private:
  process& owner_;
  MPI_File handle_ = MPI_FILE_NULL;
  const int amode_;
  const std::string path_;
  communicator* const comm_;
  io::team blocking_;
  io::file core_;
  io::background later_;
  errhandler_slot error_handler_;
};

// The class of an error of `io`; where no errno says more, `other`.
int error_class_of(const io::trouble& why, int other);
// Records it for the call: what was to be done, why not, which file, which rank. Returns the class.
int file_failed(call& c, const file& f, const io::trouble& why, int other = MPI_ERR_IO);

}  // namespace loadstone::mpi
