// One-sided operations: put, get, in pieces, atomics, counters, fences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/status.hpp"
#include "memory/address.hpp"
#include "memory/job.hpp"
#include "wait/record.hpp"

namespace loadstone::transport {
class routes;
class peer_memory;
}  // namespace loadstone::transport

namespace loadstone::deposit {

class endpoint;

// An arrival counter in job memory; waiters poll it at home.
struct counter {
  memory::address where;
};

enum class atomic_op : std::uint8_t { fetch_add, swap, compare_swap, fetch_and, fetch_or, fetch_xor };

// Local buffers: any memory. Remote: job memory. Each returns when the local source may be reused,
// or the data has arrived locally.
class one_sided {
 public:
  // Sets its handlers at `by`, through which it waits, and asks owners of words.
  one_sided(endpoint& by, memory::job& job, transport::routes& routes, transport::peer_memory& memory);

  base::status put(memory::address remote, const void* local, std::size_t bytes);
  base::status get(void* local, memory::address remote, std::size_t bytes);
  struct strided {  // `count` blocks of `block` bytes, `stride` bytes from start to start
    std::size_t block, count;
    std::ptrdiff_t stride;
  };
  base::status put_strided(memory::address remote, strided at_remote, const void* local, strided at_local);
  base::status get_strided(void* local, strided at_local, memory::address remote, strided at_remote);
  struct block {
    std::uint64_t remote_offset, local_offset, bytes;
  };
  base::status put_indexed(memory::address remote, const void* local, std::span<const block> blocks);
  base::status get_indexed(void* local, memory::address remote, std::span<const block> blocks);
  // 4- or 8-byte integers, naturally aligned; the old value.
  base::result<std::uint64_t> atomic(memory::address remote, std::size_t width, atomic_op op,
                                     std::uint64_t operand, std::uint64_t compare = 0);
  // Counters: a 64-bit word in job memory (arena). signal() wakes a peer waiting for it.
  base::status signal(std::uint32_t peer, counter where, std::uint64_t n);
  bool wait_counter(counter mine, std::uint64_t at_least, const wait::reason& why);
  // With integrity the fence reads back what was put since the last one, and stores again what is
  // not there; an error when that does not help. Until it returns, the bytes put belong to this
  // process: whatever their owner stores there before may be overwritten.
  base::status fence(std::uint32_t peer);
  base::status fence_all();

 private:
  bool by_message(memory::address remote) const;
  // Where remote words are only their owner's to change (remote_atomics.cpp).
  base::result<std::uint64_t> atomic_by_message(memory::address remote, std::size_t width, atomic_op op,
                                                std::uint64_t operand, std::uint64_t compare);
  base::status signal_by_message(std::uint32_t peer, counter where, std::uint64_t n);
  // An atomic instruction on a word mapped here; the old value.
  static std::uint64_t apply(std::byte* at, std::size_t width, atomic_op op, std::uint64_t operand,
                             std::uint64_t compare);

  endpoint& endpoint_;
  memory::job& job_;
  transport::routes& routes_;
  transport::peer_memory& memory_;
  // Operations by message that wait for their answer: by number, so that an answer nobody waits for
  // any more finds nothing to write to.
  std::uint64_t next_ = 1;
  std::unordered_map<std::uint64_t, std::optional<std::uint64_t>> answers_;
};

}  // namespace loadstone::deposit
