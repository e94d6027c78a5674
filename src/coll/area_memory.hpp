// Where the areas of this process lie (area_layout.hpp): they come from its arena, and go back when
// nobody looks there any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/area_layout.hpp"
#include "copy/store_choice.hpp"
#include "deposit/endpoint.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/locality.hpp"

namespace loadstone::coll {

class area_blocks;

class area_memory {
 public:
  area_memory(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena)
      : endpoint_(endpoint), job_(job), arena_(arena) {}

  // All bytes of it but data are 0. Null: no memory.
  area* allocate(std::size_t most_bytes, std::uint32_t members);
  void release(area* a) { arena_.release(a); }
  // By all other members. `bytes`: of its blocks.
  void release_when_left(area* a, std::byte* const (&blocks)[2], std::size_t bytes);
  // Blocks for data that does not fit a slot. Where many are held, those that need theirs no
  // more are taken first. Null: no memory.
  std::byte* allocate_block(std::size_t bytes, area_blocks& holder);
  void release_block(std::byte* block, std::size_t bytes);
  bool keeps_little() const;  // of blocks, so that some may stay where nobody asks for them
  void forget(area_blocks& holder) { std::erase(holders_, &holder); }

  deposit::endpoint& endpoint() const { return endpoint_; }
  memory::address address_of(const void* a) const { return arena_.address_of(a); }
  std::byte* pointer(memory::address own) const { return static_cast<std::byte*>(arena_.pointer(own)); }
  // May the buffers of all others be read and written?
  bool reaches_buffers(std::span<const std::uint32_t> processes) const;
  std::uint32_t cores() const { return job_.header().cpus; }
  bool copied_in_background() const { return endpoint_.background().is_for_all(); }
  bool reaches(std::span<const std::uint32_t> processes) const;  // all of them: the same at each of them
  // Are there more of them than cores?
  bool crowded(std::size_t processes) const;
  bool has_died(std::uint32_t process) const;
  bool shares_core(std::uint32_t process) const;  // with us, as it says
  std::uint64_t next_serial() { return ++serials_; }
  copy::store_choice& stores() { return stores_; }
  // Where in the machine they are, by what mpiexec says.
  std::vector<memory::locality> localities(std::span<const std::uint32_t> processes);

 private:
  void sweep();

  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  struct departing {
    area* at;
    std::byte* blocks[2];
    std::size_t bytes;
  };
  std::vector<departing> departing_;
  std::vector<area_blocks*> holders_;     // of blocks
  std::vector<memory::locality> places_;  // of all processes, once somebody has asked
  copy::store_choice stores_;
  std::size_t held_ = 0;  // bytes of blocks, also of those that others may still read
  std::uint64_t serials_ = 0;
};

}  // namespace loadstone::coll
