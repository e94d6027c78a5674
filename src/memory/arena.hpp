// The part of job memory that this process owns. It grows in chunks, which are its regions. Memory
// is reserved before it is touched (but for what is lent, and the largest blocks), and this process
// touches it first.
// Thread safety: all calls may come from any thread of the owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.hpp"
#include "memory/address.hpp"
#include "memory/job.hpp"

namespace loadstone::memory {

class arena {
 public:
  // Opens the arena of claimed process `self`; region 0 is mapped at once and holds the region
  // table.
  static base::result<std::unique_ptr<arena>> open(job& job, std::uint32_t self);
  ~arena();

  // Bytes are not zeroed unless the chunk is fresh. From 256 MiB on a block becomes memory where it
  // is touched, as long as all such blocks of the job are at most half of what is left.
  // code::no_memory (with the limit or cgroup that refused) when out of memory.
  base::result<void*> allocate(std::size_t bytes, std::size_t alignment = 64);
  void release(void* block);

  // A region for whoever divides it himself. Peers can map it as any other, and find() knows it;
  // but nothing is reserved: it becomes memory where it is touched, and the borrower calls charge()
  // before. It stays mapped when the arena is gone. Refused to a thread that is just now within
  // this class: its bookkeeping allocates.
  struct lent {
    std::byte* base;
    std::size_t bytes;
    int descriptor;             // of the file behind it: the job's
    std::uint64_t file_offset;  // of `base`
  };
  base::result<lent> lend(std::size_t bytes);
  // Counts memory that a borrower is going to touch, or has given back, against the limits.
  // charge() fails as allocate() does. Neither waits for other threads.
  base::status charge(std::size_t bytes);
  void discharge(std::size_t bytes);

  // Does [p, p+n) lie in one region of this arena? Then its address. Constant time; a fast "no" for
  // ordinary memory.
  bool find(const void* p, std::size_t n, address* where) const;
  address address_of(const void* block) const;  // precondition: ours
  void* pointer(address where) const;           // precondition: ours

  // May so much more go to what only saves time? Half of what this process may have is for what
  // cannot do without.
  bool has_spare(std::size_t bytes) const;
  std::size_t reserved_bytes() const;  // what the system has really given, and what was charged

 private:
  arena() = default;
  struct state;
  std::unique_ptr<state> state_;
};

// A word every process finds without asking: the first `front_bytes` bytes of region 0 of process p
// are at this address. The transport keeps its inbox there.
inline constexpr std::size_t front_bytes = 96 * 1024;
inline constexpr address front_of(std::uint32_t process) {
  return {{process, 0, 0}, 64 * 1024};  // after the region table
}

}  // namespace loadstone::memory
