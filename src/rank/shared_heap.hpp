// The program's large blocks, when mpiexec --shared-heap has put libloadstone_heap into it: they
// come from our arena, where peers reach them. Without that library in the process, nothing here
// does anything.
#pragma once

#include <cstdint>

#include "memory/arena.hpp"
#include "memory/job.hpp"

namespace loadstone {

class shared_heap {
 public:
  // For a job of one rank nothing is gained, and under strict overcommit nothing may be touched
  // unreserved: then blocks stay libc's.
  shared_heap(memory::job& job, memory::arena& arena);
  ~shared_heap();  // blocks that live stay valid
  shared_heap(const shared_heap&) = delete;
  shared_heap& operator=(const shared_heap&) = delete;

  // While MPI is in use. Off at first. Not for several threads at once.
  void allow(bool on);

 private:
  memory::arena& arena_;
  bool wanted_;
  bool attached_ = false;
};

}  // namespace loadstone
