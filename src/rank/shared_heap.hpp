// Gives the program's malloc memory of this rank's arena, which peers can map (mpiexec
// --shared-heap). malloc itself is in libloadstone_heap (src/heap), which LD_PRELOAD puts into the
// process. If it is not there, nothing here has an effect.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/arena.hpp"
#include "memory/job.hpp"

namespace loadstone {

class shared_heap {
 public:
  // Does nothing in a job of one rank, which would gain nothing, nor where the kernel's overcommit
  // is strict, as memory of the arena is not reserved before it is touched: then all blocks stay
  // libc's.
  // `least`: of the blocks that it is for; 0: as the heap has it.
  shared_heap(memory::job& job, memory::arena& arena, std::size_t least);
  ~shared_heap();  // existing blocks stay valid
  shared_heap(const shared_heap&) = delete;
  shared_heap& operator=(const shared_heap&) = delete;

  // Whether new large blocks come from the arena: wanted while MPI is in use. Off at first. One
  // thread at a time.
  void allow(bool on);

 private:
  memory::arena& arena_;
  const std::size_t least_;
  bool wanted_;
  bool attached_ = false;
};

}  // namespace loadstone
