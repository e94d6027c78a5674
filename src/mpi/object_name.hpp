// Names that users give to communicators, datatypes and windows (MPI §7.8).
#pragma once

#include <string.h>

#include <string_view>

#include "mpi.h"

namespace loadstone::mpi {

// What is kept of such a name: what is longer than MPI_MAX_OBJECT_NAME allows is cut off.
inline std::string_view kept_name(const char* name) {
  return {name, strnlen(name, MPI_MAX_OBJECT_NAME - 1)};
}

}  // namespace loadstone::mpi
