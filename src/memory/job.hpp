// This process's view of the job memory: the memfd that the launcher made, or that a process without launcher makes for itself.
// Layout in job_layout.hpp. Only the header, the process table and the board are mapped here; arenas are mapped chunk by chunk
// (arena.hpp for our own, mappings.hpp for those of peers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.hpp"
#include "memory/job_layout.hpp"

namespace loadstone::memory {

struct job_config {
  std::uint32_t world_size = 1;              // processes of the initial MPI_COMM_WORLD
  std::uint32_t capacity = 0;                // entries in the process table; 0 = world_size
  std::uint64_t arena_span = 1ull << 36;     // file range of one arena (sparse)
  std::uint64_t arena_limit = 0;             // bytes one arena may really use; 0 = span (tests and LOADSTONE_ARENA_LIMIT)
};

class job {
 public:
  static base::result<std::unique_ptr<job>> create(const job_config& config);
  static base::result<std::unique_ptr<job>> attach(int descriptor);  // takes the descriptor; checks magic and version
  // A second view for a rank that is a thread of this process: its own mapping, or (ThreadSanitizer) the same one.
  base::result<std::unique_ptr<job>> second_view();
  ~job();

  job_header& header();
  process_entry& process(std::uint32_t index);
  int descriptor() const;

  // Claims entry `index` for this process (or thread), once, by compare-and-swap; publishes pid and random number.
  base::status claim(std::uint32_t index);

 private:
  job() = default;
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::memory
