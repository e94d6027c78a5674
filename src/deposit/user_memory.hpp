// Any memory of a peer, not only its arena: what its program allocated itself. Possible where the
// system lets this process read and write there (process_vm_*), which is a property of the peer.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/vm_access.hpp"
#include "transport/choice.hpp"

namespace loadstone::deposit {

enum class reached : std::uint8_t {
  done,         // every byte has been copied
  refused,      // not by this way, now or for ever: choose another. Some bytes may have been copied
  gone,         // the peer has died
  bad_address,  // the memory is not there, at this end or the other
};

// Needs no gate: any thread may call at any time.
class user_memory {
 public:
  // `wanted` false (LOADSTONE_VM=0): nobody is reached.
  user_memory(memory::job& job, std::uint32_t self, const transport::choice& by = {}, bool wanted = true)
      : by_(by), self_(self), access_(job, self, wanted) {}

  // May it be reached? Not past a transport that maps no memory. Found out at first contact,
  // for both directions. A refusal turns it off for good.
  bool reaches(std::uint32_t peer) { return by_.maps(self_, peer) && access_.allowed(peer); }

  // `remote` is an address in the peer's process. They return when the copy is over. Of two lists,
  // which may be cut differently, the shorter one says how many bytes there are.
  reached put(std::uint32_t peer, std::uint64_t remote, const void* local, std::size_t bytes) {
    const iovec there{reinterpret_cast<void*>(remote), bytes}, here{const_cast<void*>(local), bytes};
    return put(peer, {&there, 1}, {&here, 1});
  }
  reached get(std::uint32_t peer, void* local, std::uint64_t remote, std::size_t bytes) {
    const iovec here{local, bytes}, there{reinterpret_cast<void*>(remote), bytes};
    return get(peer, {&here, 1}, {&there, 1});
  }
  reached put(std::uint32_t peer, std::span<const iovec> remote, std::span<const iovec> local);
  reached get(std::uint32_t peer, std::span<const iovec> local, std::span<const iovec> remote);

 private:
  const transport::choice by_;
  const std::uint32_t self_;
  memory::vm_access access_;
};

}  // namespace loadstone::deposit
