// What the end of a rank means for the job, and the paragraph that explains it.
#pragma once

#include <cstdint>
#include <string>

#include "memory/job_layout.hpp"

namespace loadstone::launch {

enum class verdict : std::uint8_t {
  fine,    // ended as it should
  failed,  // its status counts, but nobody needs it any more: the others may finish
  left,   // returned from main with status 0, without MPI_Finalize: it depends on the others (departures.hpp)
  fatal,  // the job ends
};

// Has a process taken the rank's place: called MPI_Init?
bool has_claimed(const memory::process_entry& entry);
bool has_finalized(const memory::process_entry& entry);

// `entry` is the rank's; wait_status as from waitpid.
verdict judge(const memory::process_entry& entry, int wait_status);

// The exit status of mpiexec that this end of a rank asks for.
int exit_status_of(const memory::process_entry& entry, int wait_status);

struct death {
  std::uint32_t rank, world_size;
  std::int32_t pid;
  int wait_status;
  bool out_of_memory;  // the kernel killed somebody for lack of memory in the meantime
  bool others_stopped;
};

// One paragraph, ended by a newline.
std::string explain(const death& d, const memory::process_entry& entry);

}  // namespace loadstone::launch
