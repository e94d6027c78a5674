// Starting the process of one rank.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "launch/binding.hpp"
#include "launch/options.hpp"
#include "launch/thread_counts.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

struct rank_start {
  memory::job* job;
  const application* program;
  std::uint32_t rank;
  const processors* place;   // nullptr: not bound
  int input, output, error;  // become descriptors 0, 1 and 2
  int report;                // where to write start_failure if the program cannot be started; close-on-exec
  rlimit open_files;         // what the user had
  const std::string* heap;   // library of the shared heap; empty: none
  std::uint64_t heap_from;   // bytes from which blocks are shared
  const variables* threads;  // what it is told of threads (thread_counts.hpp)
  bool alone_below;  // programs started by the rank are jobs of one, whatever launcher we run under ourselves
};

struct start_failure {
  std::uint32_t rank;
  std::int32_t number;  // errno
  std::int32_t step;    // 0: the program itself, 1: the working folder
};

// The process id, or -1 with errno. Its process group has the same number.
pid_t start_rank(const rank_start& how);

}  // namespace loadstone::launch
