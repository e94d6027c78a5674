// Storage that accepts writes to regular files and lets the I/O process of the job make them
// (buffering/, docs/decisions/025-active-buffering.md). Everything that it does not accept, and
// every file of a job without mpiexec, is as with the plain one.
#pragma once

#include <memory>

#include "buffering/stream.hpp"
#include "io/storage.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"

namespace loadstone::io {

std::unique_ptr<storage> make_buffered_storage(memory::job& job, memory::arena& arena,
                                               const buffering::config& wanted);

}  // namespace loadstone::io
