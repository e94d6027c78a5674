// Ordinary memory of a peer through process_vm_readv/writev, checked per pair at first contact.
// Process ids repeat, and mean something else in another namespace: the kernel is asked which one
// the peer has here (liveness.hpp; a peer that is not seen from here is refused), and its random
// number is read and compared with the process table.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.hpp"
#include "memory/job.hpp"

namespace loadstone::memory {

class vm_access {
 public:
  // `wanted` false (LOADSTONE_VM=0): it is off for all.
  vm_access(job& job, std::uint32_t self, bool wanted = true);
  ~vm_access();
  // May this process use the calls below with `process`? Decided once per pair; a later refusal
  // turns it off for that pair.
  bool allowed(std::uint32_t process);
  // Moves bytes until one side's list is used up; returns how many. Errors: refused (fall back),
  // bad_address, gone.
  base::result<std::size_t> read(std::uint32_t process, const iovec* local, std::size_t locals,
                                 const iovec* remote, std::size_t remotes);
  base::result<std::size_t> write(std::uint32_t process, const iovec* local, std::size_t locals,
                                  const iovec* remote, std::size_t remotes);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::memory
