// This process's view of the job memory: the memfd that the launcher made, or that a process
// without launcher makes for itself. Layout in job_layout.hpp. Only the header, the process table
// and the board are mapped here; arenas are mapped chunk by chunk (arena.hpp for our own,
// mappings.hpp for those of peers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.hpp"
#include "memory/file_mapper.hpp"
#include "memory/io_layout.hpp"
#include "memory/job_layout.hpp"
#include "memory/request_layout.hpp"

namespace loadstone::memory {

struct job_config {
  std::uint32_t world_size = 1;  // processes of the initial MPI_COMM_WORLD
  std::uint32_t capacity = 0;    // entries in the process table; 0 = world_size
  std::uint64_t arena_span =
      1ull << 36;  // file range of one arena (sparse); made smaller under a file-size limit
  std::uint64_t arena_limit =
      0;                      // bytes one arena may really use; 0 = span (tests and LOADSTONE_ARENA_LIMIT)
  std::int32_t launcher = 0;  // process id of mpiexec; 0 = none
  std::uint32_t cpus = 0;     // processors it may use; 0 = those of this process
};

// May rank-threads have a mapping of their own? ThreadSanitizer follows addresses: there they share
// one.
#ifdef __SANITIZE_THREAD__
inline constexpr bool shared_views = true;
#else
inline constexpr bool shared_views = false;
#endif

class job {
 public:
  static base::result<std::unique_ptr<job>> create(const job_config& config);
  // Takes the descriptor and makes it close-on-exec; checks magic, version and every size against
  // the file. On an error the descriptor stays the caller's.
  static base::result<std::unique_ptr<job>> attach(int descriptor);
  // A second view for a rank that is a thread of this process: its own mapping, or
  // (ThreadSanitizer) the same one.
  base::result<std::unique_ptr<job>> second_view(bool share_mappings = shared_views);
  ~job();
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  job_header& header();
  process_entry& process(std::uint32_t index);
  board_slot* board();
  request_area& requests();
  io_area& io();
  io_writer& io(std::uint32_t index);  // of that process
  // Only of a process that has had memory for it reserved: before it publishes what may fail.
  io_failures& failures(std::uint32_t index);
  base::status reserve_failures(std::uint32_t index);
  int descriptor() const;
  file_mapper& mapper();

  // Claims entry `index` for this process (or thread), once, by compare-and-swap; publishes pid and
  // random number. code::stranger: somebody else has claimed it. The random number lives as long as
  // this object.
  base::status claim(std::uint32_t index);
  std::uint32_t self() const;  // the entry claimed through this object; UINT32_MAX = none

  // Says how far this process has come; mpiexec judges its end by it. Only the claimer may call
  // this.
  //   initialized: MPI_Init or a first session is about to return, its end is owed
  //   finalized: that is done
  void enter(process_state state);
  // What all processes of the job use alike, though each has been told it from outside: that of the
  // first to call this, at once or while others wait for a moment. `mine` is cut off where there is
  // no more room.
  std::string_view agree(std::string_view mine);
  // This process is ending by exit(status), or has returned from main. A forked child that does
  // says nothing.
  void note_exit(int status);

 private:
  job() = default;
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::memory
