// The info hints of a file: those of the standard and ours, with the values in effect (MPI
// §14.2.8).
#pragma once

#include <sys/types.h>

#include <string>

#include "io/hints.hpp"
#include "mpi/info.hpp"

namespace loadstone::mpi {

class file_hints {
 public:
  // What the user gives when the file of this name is opened; windows that are not given.
  file_hints(const info::pairs& given, std::string_view path, std::int64_t window);
  // Later. What describes how the file was opened is ignored, as are unknown keys and values
  // without a meaning at any time.
  void take(const info::pairs& given) { take(given, false); }
  info::pairs in_use() const;  // what has effect, and what is accepted

  io::hints effect() const;
  mode_t permissions() const;          // file_perm
  bool buffered() const;               // loadstone_io_buffer
  bool buffer_always() const;          // the same: also where no core is idle
  std::int64_t buffer_bytes() const;   // the same, as a size; -1: not said
  std::int64_t program_bytes() const;  // loadstone_io_program_memory; 0: not said

 private:
  bool at_random() const;  // access_style
  void take(const info::pairs& given, bool opening);
  info pairs_;
};

}  // namespace loadstone::mpi
