// What was accepted by any process of the job and is not in its file yet. Readers look here first,
// so that a read sees what was accepted before it, in whatever process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/job.hpp"
#include "memory/mappings.hpp"

namespace loadstone::buffering {

// Of extents [from, to) of a ring: one behind the last that overlaps these bytes of the file; 0:
// none does.
std::uint64_t last_overlap(const memory::io_extent* ring, std::uint64_t from, std::uint64_t to,
                           std::uint64_t file, std::uint64_t offset, std::uint64_t bytes);

// Until process `p` has this many extents written. Sleeps; any number of threads and processes.
void wait_for_written(memory::job& job, std::uint32_t p, std::uint64_t number);

// An extent of any process that is not written yet.
struct held {
  std::uint32_t process;
  std::uint64_t number;
  memory::io_extent what;
};

// Those that overlap these bytes; of one process, the oldest first.
std::vector<held> find_held(memory::job& job, memory::mappings& maps, std::uint64_t file,
                            std::uint64_t offset, std::uint64_t bytes);

// Copies what it has of [offset, offset + bytes) to its place in `to`. False: it has been written
// meanwhile, and what `to` has got is worth nothing.
bool copy_held(memory::job& job, memory::mappings& maps, const held& from, std::uint64_t offset,
               std::byte* to, std::uint64_t bytes);

// Until everything that any process has had accepted before this call, and that overlaps these
// bytes, is in the file. Answers the time that it took, in ns.
std::uint64_t settle_all(memory::job& job, memory::mappings& maps, std::uint64_t file, std::uint64_t offset,
                         std::uint64_t bytes);

// Is anything of other processes than `self` on its way, in whatever file?
bool others_pending(memory::job& job, std::uint32_t self);

// Bytes of a file; ascending, where there are several, and none overlaps another.
struct range {
  std::uint64_t offset, bytes;
};

// As settle_all, for what other processes than `self` have had accepted in these ranges.
std::uint64_t settle_others(memory::job& job, memory::mappings& maps, std::uint32_t self, std::uint64_t file,
                            std::span<const range> ranges);

// One behind the last byte of this file that is not written; 0: all are.
std::uint64_t pending_end(memory::job& job, memory::mappings& maps, std::uint64_t file);

// How many extents, and bytes, of all processes are not written: all files, or one.
struct amount {
  std::uint64_t extents = 0, bytes = 0;
};
amount pending(memory::job& job, memory::mappings& maps, std::uint64_t file = 0);

}  // namespace loadstone::buffering
