// Is the process behind a table entry still there? Slow (reads /proc): for rare paths such as a slot that
// stays unpublished.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::memory {

// When process `pid` was started, in clock ticks since boot; 0 if there is no such process or it is a zombie.
std::uint64_t start_time_of(pid_t pid);

// False once the launcher has seen it die, or its process id is gone, a zombie, or somebody else's. An entry
// that nobody has claimed yet counts as alive: its process may still come.
bool is_alive(const process_entry& entry);

}  // namespace loadstone::memory
