// What can only be known by trying.
#pragma once

#include "command/finding.hpp"
#include "command/system_checks.hpp"

namespace loadstone::command {

// Two processes, related as the ranks of a job are (children of one parent that each allows to
// trace it): may one read the other's memory?
finding try_process_vm(const surroundings& here);

// The job memory, made as mpiexec makes it.
finding try_job_memory(const surroundings& here);

// The cores, chosen (and for that moment claimed) as mpiexec does.
finding try_binding(const surroundings& here);

// Threads that the environment tells runtimes to start, against the processors.
finding look_at_threads(const surroundings& here);

}  // namespace loadstone::command
