// Data that were accepted and could not be written: noted by the carrier, told to the writer by its
// next call on that file, and else by mpiexec at the end of the job. Nothing is noted twice where
// the writer has not been told yet: the bytes are added up.
#pragma once

#include <cstdint>
#include <functional>

#include "memory/job.hpp"

namespace loadstone::buffering {

struct failure {
  int number = 0;  // errno; 0: none
  std::uint64_t file = 0, offset = 0, bytes = 0;
  std::uint32_t process = 0, times = 0;
};

// The carrier's end: before it gives the extent back.
void note_failure(memory::job& job, std::uint32_t process, std::uint64_t file, std::uint64_t offset,
                  std::uint64_t bytes, int number);

// What this process has not been told yet about its data for this file; it is told by that. Of
// several calls at the same time one gets it.
failure take_failure(memory::job& job, std::uint32_t process, std::uint64_t file);

// All that nobody has been told, at the end.
void each_untold(memory::job& job, const std::function<void(const failure&)>& tell);

}  // namespace loadstone::buffering
