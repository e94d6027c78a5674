// mpiexec is two processes, so that the job dies with it whatever is killed
// (docs/decisions/001-guard.md):
//
//   the front        the process that the user started: takes signals and a terminal's input,
//                    waits, and has the exit status
//     └ the keeper   parent of the ranks, in a process group of its own: launches them, forwards
//                    output, explains deaths
//         └ ranks    each in a process group of its own
//
// Both are subreapers. If the front is killed (its process group too), the keeper sees the end of
// the control pipe and kills all descendants; if the keeper is killed, its children come to the
// front, which does the same, but for the I/O processes: they write what they have, and end.
#pragma once

#include <atomic>
#include <cstdint>

namespace loadstone::launch {

// What the keeper is given.
struct front_line {
  int control;     // reads one byte a signal that the front received (its number); end of file: the front is
                   // dead
  int input;       // becomes the standard input of rank 0; -1 = nothing
  int input_peer;  // the front's end of it, to be closed in the keeper; -1 = none
  std::atomic<std::int32_t>* io_processes;  // their process ids, for the front; nullptr: nobody asks
};

// Forks the keeper, which runs keep(line) and exits with its result; the calling process becomes
// the front. Returns the status to exit with.
int run_guarded(int (*keep)(const front_line& line, void* context), void* context);

}  // namespace loadstone::launch
