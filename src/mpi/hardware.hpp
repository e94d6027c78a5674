// Which parts of the machine (packages, caches, cores) the processes of a communicator share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/communicator.hpp"

namespace loadstone::mpi {

class hardware {
 public:
  hardware(process& p, const process_list& who);

  // The level that the value of an info key names ("hwloc://L3Cache", "L3Cache"); -1: none.
  static int level_named(std::string_view resource);
  static std::string_view name(int level);
  // The largest kind of part that splits these processes, each process being within one part; -1:
  // there is none.
  int dividing_level() const;
  // The number of the part that each process of the list is in; MPI_UNDEFINED: not within one.
  std::vector<int> domains(int level) const;

 private:
  std::vector<std::vector<int>> domains_;  // by level
};

}  // namespace loadstone::mpi
