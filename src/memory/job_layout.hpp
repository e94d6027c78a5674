// What lies where in job memory, as every process of the job and mpiexec see it.
//
//   0            header                         1 page of 4096 bytes
//   4096         process table                  capacity × 2048 bytes
//   ...          board                          128 slots × 512 bytes
//   ...          requests to the launcher       request_layout.hpp
//   ...          buffered writes to files       io_layout.hpp
//   arenas_at    arena of process 0             arena_span bytes, sparse (arena_layout.hpp)
//   + span       arena of process 1 …
//
// From the start, the file is as large as all arenas together, and it cannot be made shorter. Only
// what has been reserved takes memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace loadstone::memory {

inline constexpr std::size_t isolation = 128;                    // two lines: the prefetcher fetches pairs
inline constexpr std::uint64_t job_magic = 0x31656e6f'74736c64;  // "dlstone1"
inline constexpr std::size_t granule =
    64 * 1024;  // regions begin and end on it: the largest page size we run on

// What they mean: launch/phases.hpp. Ranks see the first two only.
enum class job_phase : std::uint32_t { running = 0, stopping = 1, draining = 2, releasing = 3 };

//   0 ready | 8 magic … sizes … 127 | 128 what the launcher knows of the machine | 256 phase |
//   384 promised | 512 agreed | 4096 end
struct job_header {
  std::atomic<std::uint64_t>
      ready;  // creator stores the job's random number last, release; 0 = not usable (sync: job-ready)
  std::uint64_t magic;
  std::uint32_t layout;  // layout_digest of the creator
  std::uint32_t header_bytes, entry_bytes;
  std::uint32_t world_size;  // processes of the initial MPI_COMM_WORLD: entries 0 … world_size-1
  std::uint32_t capacity;    // entries in the process table
  std::uint32_t board_slots;
  std::uint64_t table_at, board_at, requests_at, arenas_at, file_bytes;
  std::uint64_t arena_span, arena_limit;
  std::int32_t launcher;  // process id of mpiexec; 0: this job has no launcher
  std::uint32_t unused_;
  std::uint64_t io_at;

  // Written by the creator before anyone attaches.
  alignas(isolation)
      std::uint32_t cpus;  // processors this job may use (affinity mask and cgroup quota); 0 = not known
  std::uint32_t reserved_[31];

  alignas(isolation)
      std::atomic<std::uint32_t> phase;  // W: launcher (job_phase); polled by waiters (sync: job-phase)
  std::byte fill_[isolation - 4];

  // Bytes of all blocks that become memory where they are touched (arena.cpp); W: whoever makes or
  // gives back one.
  alignas(isolation) std::atomic<std::uint64_t> promised;

  // What all processes of the job compute costs from, in words of its own: by the first that has
  // something to say (job::agree).
  alignas(isolation)
      std::atomic<std::uint32_t> agreed;  // 0 nobody yet, 1 being written, 2 valid (sync: job-agreed)
  std::uint32_t agreed_bytes;
  static constexpr std::size_t agreed_room = 4096 - 4 * isolation - 8;
  char agreed_text[agreed_room];
};
static_assert(offsetof(job_header, magic) == 8 && offsetof(job_header, table_at) == 40);
static_assert(offsetof(job_header, requests_at) == 56 && offsetof(job_header, launcher) == 96);
static_assert(offsetof(job_header, io_at) == 104);
static_assert(offsetof(job_header, cpus) == 128 && offsetof(job_header, phase) == 256);
static_assert(offsetof(job_header, promised) == 384);
static_assert(offsetof(job_header, agreed) == 512 && offsetof(job_header, agreed_text) == 520);
static_assert(sizeof(job_header) == 4096);

// A process goes through these in order; `claimed` says that a living process stands behind the
// entry.
enum class process_state : std::uint32_t {
  free = 0,
  claiming = 1,     // the compare-and-swap was won, the fields below are being written
  claimed = 2,      // pid, random number and its address are valid
  initialized = 3,  // MPI_Init, or a first session, has returned: its end is owed
  finalized = 4,    // MPI_Finalize is done, or no session is open any more
};

// What a thread waits for that sleeps, or has slept and looks. `state` has a number, which changes
// before the words do, and below it whether the record is free, taken, its words are valid, or are
// so of a thread that is awake.
//   0 state | 4 call | 8 peer | 12 tag | 16 communicator | 24 since | 32 detail[32] | 64 end
struct wait_record {
  std::atomic<std::uint32_t>
      state;  // number | wait_record_free, _taken, _valid or _awake; W: owner's threads (sync: wait-record)
  std::atomic<std::uint32_t> call;          // number of the MPI function
  std::atomic<std::int32_t> peer;           // index in the process table; -1 any, -2 none
  std::atomic<std::int32_t> tag;            // -1 any
  std::atomic<std::uint64_t> communicator;  // or window (wait/record.hpp); 0 none
  std::atomic<std::uint64_t> since;         // CLOCK_MONOTONIC, ns
  std::atomic<std::uint64_t> detail[4];     // up to 31 characters and a zero
};
static_assert(offsetof(wait_record, communicator) == 16 && offsetof(wait_record, detail) == 32);
static_assert(sizeof(wait_record) == 64);
inline constexpr std::uint32_t wait_record_free = 0, wait_record_taken = 1, wait_record_valid = 2,
                               wait_record_awake = 3, wait_record_mask = 3;
inline constexpr std::size_t wait_records = 8;  // threads of one process that can be seen waiting at once

// Last words: why this process ends the job. Written once.
enum class last_words : std::uint32_t { none = 0, writing = 1, abort = 2, error = 3 };
inline constexpr std::size_t last_words_bytes = 1008;

//   0 identity | 128 running | 256 launcher's view | 384 wait records | 896 last words
//   1920 presence, sleep cost | 2048 end
struct process_entry {
  // W: the owner, at claim; then read-only but for `state`.
  std::atomic<std::uint32_t> state;  // process_state (sync: process-claimed)
  std::int32_t pid;  // as the process sees itself: in another PID namespace it names somebody else
  std::uint64_t random_number;
  std::uint64_t random_address;  // where the same number lies in the owner's ordinary memory (vm_access.hpp)
  std::uint64_t start_time;  // of the process, clock ticks since boot: tells a reused process id; 0: no /proc
  std::atomic<std::uint32_t> arena_open;  // 1: region 0 exists (sync: arena-open)
  std::uint32_t locked;  // 1: the kernel holds a lock for it, which its end takes away (liveness.hpp)
  std::uint32_t apart;   // 1: `pid` is not its number where mpiexec is
  std::uint32_t unused_[21];

  // W: the owner, while it runs; read by mpiexec.
  alignas(isolation)
      std::atomic<std::uint32_t> last_call;  // number of the MPI function entered last; 0 = none yet
  std::atomic<std::uint32_t> met_death;      // 1 + the process whose death this one met first; 0 = none yet
  std::atomic<std::uint64_t> sleeps, wakeups_sent, sleep_ns;
  std::atomic<std::uint32_t>
      returned;  // 1 + the status of an exit(), or a return from main, that owed its end
  std::atomic<std::uint32_t>
      polls;  // calls that looked and went back (MPI_Test, MPI_Iprobe …); grows, roughly
  std::atomic<std::uint32_t>
      moved;  // what it had sent, received and completed at the last of these; modulo 2^32

  // W: the launcher.
  alignas(isolation) std::atomic<std::uint32_t> dead;  // 1: the process has ended (sync: process-dead)
  std::int32_t wait_status;                            // as from waitpid; valid once dead is 1
  std::int32_t launched_pid;  // what mpiexec forked; the process that claims may be its child
  std::int32_t cpu;           // bound to this processor; -1 = not bound
  std::uint32_t application;  // MPI_APPNUM: which part of `a : b`

  alignas(isolation) wait_record waits[wait_records];

  alignas(isolation) std::atomic<std::uint32_t> words;  // last_words; W: the owner (sync: last-words)
  std::int32_t exit_code;
  std::uint32_t words_bytes;
  char words_text[last_words_bytes];

  // Where the process runs (wait/presence.hpp); W: the owner, around each yield with more processes
  // than cores.
  alignas(isolation) std::atomic<std::uint32_t> presence;
  // What a sleep of it costs, in ns (wait/sleep_cost.hpp); W: the owner, after a sleep.
  std::atomic<std::uint32_t> sleep_cost;
};
static_assert(offsetof(process_entry, presence) == 1920 && offsetof(process_entry, sleep_cost) == 1924);
static_assert(offsetof(process_entry, random_number) == 8 && offsetof(process_entry, last_call) == 128);
static_assert(offsetof(process_entry, dead) == 256 && offsetof(process_entry, waits) == 384);
static_assert(offsetof(process_entry, words) == 896 && offsetof(process_entry, words_text) == 908);
static_assert(sizeof(process_entry) == 2048);

//   0 state | 4 value bytes | 8 key[56] | 64 value[448] | 512 end
struct board_slot {
  std::atomic<std::uint32_t>
      state;  // 0 free; 1 + process while it is written; board_slot_valid (sync: board-publish)
  std::uint32_t value_bytes;
  char key[56];  // zero-terminated
  std::byte value[448];
};
static_assert(offsetof(board_slot, key) == 8 && offsetof(board_slot, value) == 64 &&
              sizeof(board_slot) == 512);
inline constexpr std::uint32_t board_slot_valid = 0xffffffff;
inline constexpr std::uint32_t board_slots = 128;

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace loadstone::memory
