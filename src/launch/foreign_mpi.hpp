// Is a rank a program of another MPI? Started by our mpiexec, such a program runs as so many jobs of one rank each.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "launch/options.hpp"

namespace loadstone::launch {

// Does a library of this name belong to an MPI: libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40?
bool is_mpi_library(std::string_view name);

// The library of another MPI in a map of memory (/proc/<process>/maps); empty if there is none, or ours is there.
std::string mpi_in_maps(std::string_view maps);

// The same for a process and what it has started.
std::string foreign_mpi_of(pid_t process);

// For a program that has ended before anybody looked: the library that its file names. Nothing of libmpi_abi, which may
// be ours.
std::string foreign_mpi_named_by(const application& program);

}  // namespace loadstone::launch
