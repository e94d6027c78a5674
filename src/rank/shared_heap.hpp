// The program's large blocks, where its malloc is that of libloadstone_heap: they come from our arena, where peers reach
// them. That library is in every program linked with libmpi_abi, and in all that mpiexec --shared-heap starts; without it
// nothing here does anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "memory/arena.hpp"
#include "memory/job.hpp"

namespace loadstone {

// Which blocks shall be shared; bytes. What nobody asked for must not cost anybody much: what shared memory does worse (the
// first touch of a page, fork, huge pages) is bounded by the lengths and by the sum.
struct shared_blocks {
  std::size_t shortest = 32 * 1024;  // 0: none
  std::size_t longest = std::size_t{256} << 20;
  std::size_t most = std::size_t{256} << 20;  // that live at a time

  // Where nobody has said anything: as above, but nothing that would have had a huge page where ordinary memory has
  // them and shared memory has not. `root` is put before /sys.
  static shared_blocks usual(const std::string& root = "");
  static shared_blocks from(std::size_t bytes) { return {bytes, SIZE_MAX, SIZE_MAX}; }
  // The system counts memory of the job when it is touched, and answers with SIGBUS when there is none: nothing may be shared
  // that is not reserved (vm.overcommit_memory is 2).
  static bool impossible(const std::string& root = "");
};

class shared_heap {
 public:
  // For a job of one rank nothing is gained, and under strict overcommit nothing may be touched unreserved: then
  // blocks stay libc's.
  shared_heap(memory::job& job, memory::arena& arena, const shared_blocks& which);
  ~shared_heap();  // blocks that live stay valid
  shared_heap(const shared_heap&) = delete;
  shared_heap& operator=(const shared_heap&) = delete;

  // While MPI is in use. Off at first. Not for several threads at once.
  void allow(bool on);

 private:
  memory::arena& arena_;
  shared_blocks which_;
  bool wanted_;
  bool attached_ = false;
};

}  // namespace loadstone
