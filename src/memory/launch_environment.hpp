// How a process finds its job: announced by mpiexec through an inherited descriptor and three
// variables, or made for itself alone.
//
//   LOADSTONE_RANK    this process's index in the process table
//   LOADSTONE_JOB_FD  number of the inherited descriptor of the job memory
//   LOADSTONE_JOB     <process id of mpiexec>:<its descriptor>:<random number of the job,
//                     hexadecimal>:<its PID namespace>
//
// The variables vanish from the environment and the descriptor becomes close-on-exec as soon as the
// place is claimed, so that an MPI program started by a rank is a job of its own and not an
// impostor. A program between mpiexec and the MPI program (a shell, a Python script, valgrind) may
// hand them on; if it closed the descriptor (Python's subprocess does), mpiexec's is opened through
// /proc, if it is seen there. The first process that claims the place has it.
//
// LOADSTONE_SINGLETON=1: a process without an announced job is a job of one rank, whatever launcher
// it seems to run under.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "memory/job.hpp"

namespace loadstone::memory {

struct found_job {
  std::unique_ptr<job> view;  // nullptr: `error` says why
  std::uint32_t self = 0;     // our entry, claimed
  bool launched = false;      // by mpiexec
  std::string error;          // a whole sentence for the user: print it and stop
};

// Reads the environment of this process; call once, before other threads use the environment.
// `arena_limit`: of the job that is made if there is none; 0: no limit.
found_job find_job(std::uint64_t arena_limit = 0);

// The announcement, as mpiexec writes it into the environment of a rank.
struct announcement {
  std::string rank, job_fd, job;
};
announcement announce(job& of, std::uint32_t index);

// What LOADSTONE_ARENA_LIMIT says, in bytes; 0, no limit, also for what is no number, of which the
// ranks speak (rank/settings).
std::uint64_t arena_limit_of(std::string_view text);

// Is this process started by a launcher that we do not speak with yet? Then the sentence to show,
// else an empty string.
std::string foreign_launcher();

}  // namespace loadstone::memory
