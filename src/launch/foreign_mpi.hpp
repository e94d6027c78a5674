// Is a rank a program of another MPI? Started by our mpiexec, such a program runs as so many jobs
// of one rank each.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "launch/options.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

// Does a library of this name belong to an MPI: libmpi.so.40, libmpich.so.12, libmpi_mpifh.so.40?
bool is_mpi_library(std::string_view name);

// The library of another MPI in a map of memory (/proc/<process>/maps); empty if there is none, or
// ours is there.
std::string mpi_in_maps(std::string_view maps);

// The same for a process and what it has started.
std::string foreign_mpi_of(pid_t process);

// For a program that has ended before anybody looked: the library that its file names. Nothing of
// libmpi_abi, which may be ours.
std::string foreign_mpi_named_by(const application& program);

// Looks for such ranks while a job runs. One that is seen is told when its rank ends, or has not
// called our MPI_Init for a while: a Python program may load libraries of several. It is told once;
// the texts are empty otherwise.
class foreign_watch {
 public:
  static constexpr std::int64_t first_check_ms = 20;

  explicit foreign_watch(const options& wanted) : wanted_(wanted), said_(wanted.world_size() < 2) {}
  // One rank of each program is looked at. `running`: their processes, -1 for a rank that has ended
  // or called MPI_Init.
  std::string check(memory::job& job, const std::vector<pid_t>& running, std::int64_t now_ms);
  std::int64_t next_check() const { return next_; }  // less and less often; -1: nobody is left to look at
  std::string rank_ended(std::uint32_t part);        // one that had not called MPI_Init

 private:
  static constexpr std::int64_t patience_ms = 5000;
  std::string say(std::uint32_t part);
  const options& wanted_;
  std::string library_;
  std::int64_t since_ = -1, next_ = -1, pause_ = first_check_ms;
  bool said_;
  std::set<std::uint32_t> files_read_;  // of these parts, for the libraries that they name
};

}  // namespace loadstone::launch
