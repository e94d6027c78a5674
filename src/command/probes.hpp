// Checks of `loadstone doctor` that try something out; those that only read are in
// system_checks.hpp.
#pragma once

#include "command/finding.hpp"
#include "command/system_checks.hpp"

namespace loadstone::command {

// May one process read another one's memory by process_vm_readv? Tried between two that are related
// as the ranks of a job are: children of one parent, each of which allows that parent to trace it.
finding try_process_vm(const surroundings& here);

// Can job memory be made? Tried as mpiexec does it.
finding try_job_memory(const surroundings& here);

// How would the I/O process of a job write files?
finding try_file_writes();

// Does each rank get a core? Chosen, and claimed for a moment, as mpiexec does it.
finding try_binding(const surroundings& here);

// Does the environment (OMP_NUM_THREADS and the like) ask for more threads than there are
// processors?
finding look_at_threads(const surroundings& here);

}  // namespace loadstone::command
