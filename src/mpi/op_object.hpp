// A reduction operation of MPI: the operation (datatype::op) and its handle.
#pragma once

#include <atomic>

#include "datatype/op.hpp"
#include "mpi.h"
#include "mpi/datatype_object.hpp"

namespace loadstone::mpi {

class process;

class op {
 public:
  op(const loadstone::datatype::op* core, MPI_Op handle) : handle_(handle), core_(core) {}
  ~op() { core_->release(); }
  op(const op&) = delete;
  op& operator=(const op&) = delete;

  MPI_Op handle() const { return handle_; }
  void set_handle(MPI_Op handle) { handle_ = handle; }
  const loadstone::datatype::op* core() const { return core_; }
  bool predefined() const { return core_->predefined(); }
  // Predefined operations: by MPI's table of operations and types; those of the user: always.
  bool defined_on(const datatype& type) const { return core_->defined_on(*type.core()); }

 private:
  MPI_Op handle_;
  const loadstone::datatype::op* core_;
};

}  // namespace loadstone::mpi
