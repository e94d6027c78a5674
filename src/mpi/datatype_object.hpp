// A datatype of MPI: the layout (datatype::type), and what only this layer knows: handle, name,
// attributes.
#pragma once

#include <mutex>
#include <string>

#include "datatype/type.hpp"
#include "mpi.h"
#include "mpi/attributes.hpp"

namespace loadstone::mpi {

class process;

class datatype {
 public:
  // Takes over one reference of `core`.
  datatype(const loadstone::datatype::type* core, MPI_Datatype handle);
  ~datatype() { core_->release(); }
  datatype(const datatype&) = delete;
  datatype& operator=(const datatype&) = delete;

  MPI_Datatype handle() const { return handle_; }
  void set_handle(MPI_Datatype handle) { handle_ = handle; }
  const loadstone::datatype::type* core() const { return core_; }
  bool committed() const { return core_->committed(); }
  bool predefined() const { return core_->predefined(); }
  bool compares() const { return compares_; }  // does MPI_Compare_and_swap take it (MPI §12.3.4)?

  std::string name() const;
  void set_name(std::string_view name);
  attribute_set attributes;

 private:
  MPI_Datatype handle_;
  const loadstone::datatype::type* core_;
  const bool compares_;
  mutable std::mutex lock_;  // guards the name
  std::string name_;
};

// A new handle for a type; takes over one reference. MPI_DATATYPE_NULL when handles are used up.
MPI_Datatype new_datatype(process& p, const loadstone::datatype::type* core);

}  // namespace loadstone::mpi
