// Data that were accepted and could not be written: noted by the carrier, told to the writer by its
// next call on that file, and else by mpiexec at the end of the job. Until the writer has been told
// the bytes are added up.
//
// A process has a place for each file, which one carrier at a time writes; so there is always room,
// and a carrier or writer that dies at any point leaves what was noted, and all of it
// (models/failures.pml). An extent counts once, though it is written again by the next carrier. If
// that one can write it, the writer is told all the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "memory/job.hpp"

namespace loadstone::buffering {

struct failure {
  int number = 0;  // errno of the first; 0: there is none
  int last = 0;    // and of the last
  std::uint64_t file = 0, offset = 0, bytes = 0;
  std::uint32_t times = 0;
  std::string why() const;
};

// The carrier's end: before it gives extent `n` of the process back.
void note_failure(memory::job& job, std::uint32_t process, std::uint64_t n, std::uint64_t file,
                  std::uint64_t offset, std::uint64_t bytes, int number);

// What this process has not been told yet about its data for this file; it is told by that. Of
// several calls at the same time one gets it. Two loads, if there is nothing.
failure take_failure(memory::job& job, std::uint32_t process, std::uint64_t file);

// Is there any?
bool has_failure(memory::job& job, std::uint32_t process, std::uint64_t file);

// All that nobody has been told, at the end.
void each_untold(memory::job& job, const std::function<void(std::uint32_t process, const failure&)>& tell);

// Is there any for the file that had this place? Then no other may have it.
bool has_untold(memory::job& job, std::uint32_t place);

}  // namespace loadstone::buffering
