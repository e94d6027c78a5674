// Which parts of the machine the processes of a communicator share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/communicator.hpp"

namespace loadstone::mpi {

class hardware {
 public:
  hardware(process& p, const process_list& who);

  // The level an MPI_Info value names ("hwloc://L3Cache", "L3Cache"); -1: none.
  static int level_named(std::string_view resource);
  static std::string_view name(int level);
  // The largest kind of hardware that divides these processes, each being in one of them; -1: none
  // does.
  int dividing_level() const;
  // By position in the list; MPI_UNDEFINED: not in one of them.
  std::vector<int> domains(int level) const;

 private:
  std::vector<std::vector<int>> domains_;  // by level
};

}  // namespace loadstone::mpi
