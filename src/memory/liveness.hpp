// Is the process behind a table entry still there, and under which number do we see it?
//
// A process that claims an entry takes a lock on the first byte of that entry in the job's file
// (fcntl, a record lock), and mpiexec one on the first byte of the header. The kernel releases it
// when the process ends, however that comes, and a forked child does not inherit it. Anybody can
// ask whether it is held, and is told the holder's process id as it is *here*: also without /proc,
// and in another PID namespace, where the number in the entry names somebody else.
// docs/decisions/016-liveness.md
//
// A system call or two (and /proc, once the lock is gone): for rare paths such as a slot that stays
// unpublished.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "memory/job.hpp"

namespace loadstone::memory {

// When process `pid` was started, in clock ticks since boot; 0 if there is no such process, it is a
// zombie, or there is no /proc.
std::uint64_t start_time_of(pid_t pid);

// For claim() and create(). False: the system has refused the lock.
bool hold_life_lock(job& of, std::uint32_t index);
bool hold_launcher_lock(job& of);
// Is this process in another PID namespace than its launcher? Its numbers mean nothing there.
bool sees_launcher_apart(job& of);

// False once the launcher has seen it die, or its lock is gone and no process with its number and
// start time is seen (one that has closed descriptors it does not know has lost the lock, and
// lives). An entry that nobody has claimed yet counts as alive: its process may still come.
bool is_alive(job& of, std::uint32_t index);

// Its process id, or mpiexec's, in our PID namespace; 0: we do not see it.
pid_t pid_here(job& of, std::uint32_t index);
pid_t launcher_here(job& of);

// Has mpiexec died? Not where its lock cannot be asked for.
bool launcher_is_gone(job& of);

// To be called by a process that is about to fail because that one has died: mpiexec then knows
// what came of what.
void note_death(job& of, std::uint32_t index);

}  // namespace loadstone::memory
