// Writes that were accepted and are on their way to their files (active buffering,
// docs/decisions/025-active-buffering.md): behind the requests of the job memory.
//
//   0        the area: bells, files                     io_area
//   ...      one io_writer for each process             capacity × 640 bytes
//   ...      its failures, by file                      capacity × 32896 bytes
//
// The data lie in the arena of the process that wrote them, and so does a ring of extents, which
// describe them. One process publishes extents there, and one at a time (its I/O process, or
// whoever has taken over from it) writes them to the files and gives them back:
//
//   extent n:  free → filled → published (published > n) → in its file (written > n) → free
//
// Nothing but the two counters says how far it has got, so whoever dies leaves an extent that is
// either not accepted yet, or published still: then it is written again, which changes nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/job_layout.hpp"

namespace loadstone::memory {

inline constexpr std::uint32_t io_files = 256;     // open at once with buffers
inline constexpr std::uint32_t io_extents = 4096;  // in the ring of a process
inline constexpr std::uint32_t io_segments = 512;  // of the buffer of a process
inline constexpr std::uint32_t io_servers = 64;    // I/O processes at once

//   0 file | 8 offset | 16 length | 24 data | 32 end
struct io_extent {
  std::uint64_t file;    // io_file_id
  std::uint64_t offset;  // in the file
  std::uint64_t length;
  std::uint64_t data;  // local_address in the arena of the writer
};
static_assert(offsetof(io_extent, data) == 24 && sizeof(io_extent) == 32);

// What a process has besides data: the ring of extents, and what its buffer is made of.
//   0 extents | 131072 count | 131136 segments | 139328 end
struct io_segment {
  std::uint64_t data;  // local_address in the arena of the writer
  std::uint64_t bytes;
};
struct io_ring {
  io_extent extents[io_extents];
  // W: the owner, while it has `claimed` the buffer.
  std::uint64_t segment_count;
  std::byte fill_[56];
  io_segment segments[io_segments];
};
static_assert(offsetof(io_ring, segment_count) == 131072 && offsetof(io_ring, segments) == 131136);
static_assert(sizeof(io_ring) == 139328);

// Who uses the memory of a buffer: nobody, its owner to fill it, or the carrier to give it back to
// the machine. The owner does not wait for the carrier, but writes by itself.
enum class io_claim : std::uint32_t { none = 0, owner = 1, carrier = 2 };

// A place in the table of files, and which use of it.
//   63 … 16 use, from 1 | 15 … 0 place
constexpr std::uint64_t io_file_id(std::uint64_t use, std::uint32_t place) {
  return use << 16 | place;
}
constexpr std::uint32_t io_file_place(std::uint64_t id) {
  return static_cast<std::uint32_t>(id & 0xffff);
}

// What was written, and how long calls took for that. One of each file, one of each process, and
// one of each opening of a file in a process; the same event counts in all three. Relaxed
// everywhere.
struct io_figures {
  std::atomic<std::uint64_t> accepted_bytes, accepted, copy_ns;  // into buffers: bytes, calls, time to copy
  std::atomic<std::uint64_t> called_bytes, called_ns;            // to the file, by the calls themselves;
  std::atomic<std::uint64_t> overflow_bytes, overflow_ns;        // of that: for lack of room
  std::atomic<std::uint64_t> short_bytes;                        // of that: as the machine had no memory left
  std::atomic<std::uint64_t> at_once_bytes, at_once_ns;          // of `called`: as buffering would not pay
  std::atomic<std::uint64_t> stall_ns;                           // waiting for buffered data to be written
};
static_assert(sizeof(io_figures) == 88);

// What was read, for how long calls took for that; of what was fetched ahead of a call, and how
// much of that a call has read. Relaxed everywhere.
struct io_read_figures {
  std::atomic<std::uint64_t> read_bytes, read_ns, ahead_bytes, ahead_used_bytes;
};
static_assert(sizeof(io_read_figures) == 32);

//   0 id | 8 figures | 96 carried … | 128 needed | 136 limit | 144 end
struct io_file {
  std::atomic<std::uint64_t> id;  // io_file_id; 0: nothing is open here. W: the launcher
  io_figures figures;             // W: writers
  std::atomic<std::uint64_t> carried_bytes, carried, carry_ns, carry_cpu_ns;  // W: carriers
  std::atomic<std::uint64_t>
      needed_bytes;                        // the smallest buffer of a process that would take all; W: writers
  std::atomic<std::uint64_t> limit_bytes;  // of the buffer that was too small; W: writers
};
static_assert(offsetof(io_file, carried_bytes) == 96 && offsetof(io_file, needed_bytes) == 128);
static_assert(sizeof(io_file) == 144);

// Data of one process for one file that were accepted and could not be written: what there is to
// tell, twice, and which of both holds. The carrier writes the other one and makes it hold by one
// exchange, the process says by another that it has been told: whoever dies leaves a whole one.
//   0 state | 8 notes | 104 fill | 128 end
struct io_failure {
  // 63 … 1 how often it was noted: notes[that % 2] holds | 0 has nobody been told?
  // (sync: io-failure)
  std::atomic<std::uint64_t> state;
  struct note {
    std::atomic<std::uint64_t> file, offset;  // of the first extent
    std::atomic<std::uint64_t> bytes;         // of all that have failed since it was told
    std::atomic<std::uint64_t> through;       // extents of the process before this one are noted
    std::atomic<std::int32_t> number, last;   // errno of the first, and of the last
    std::atomic<std::uint32_t> times;
    std::uint32_t fill_;
  } notes[2];
  std::byte fill_[24];
};
static_assert(offsetof(io_failure, notes) == 8 && sizeof(io_failure::note) == 48);
static_assert(sizeof(io_failure) == 128);

// Of a process: by place of the file, and behind those, of extents whose file is not known. There
// is memory for it once the process writes with buffers; until it has published, nobody looks
// there.
struct io_failures {
  io_failure of[io_files + 1];
};
static_assert(sizeof(io_failures) == 32896);

// Who carries extents to their files.
enum class io_carrier : std::uint32_t {
  none = 0,     // nobody yet: the first file that is opened starts them
  process = 1,  // the I/O processes; also while one is replaced
  failed = 2,   // none could be kept running: nothing more is accepted
};

// An I/O process, and any that has replaced it.
//   0 called | 4 asleep | 128 pid | 132 started | 136 carried … | 160 past_cache |
//   164 through_cache | 256 end
struct io_server {
  std::atomic<std::uint32_t> called;                 // moves when there is work; it sleeps on it
  std::atomic<std::uint32_t> asleep;                 // 1: whoever publishes has to ring (sync: io-asleep)
  alignas(isolation) std::atomic<std::int32_t> pid;  // as mpiexec sees it. W: the launcher
  std::atomic<std::uint32_t> started;                // how often. W: the launcher
  std::atomic<std::uint64_t> carried_bytes, carried, carry_ns;  // W: itself
  // W: itself. Odd while it writes past the page cache, and who waits for that sleeps on it; how
  // many writes through the cache it has under way (sync: io-apart).
  std::atomic<std::uint32_t> past_cache, through_cache;
};
static_assert(offsetof(io_server, pid) == 128 && offsetof(io_server, carried_bytes) == 136);
static_assert(offsetof(io_server, past_cache) == 160);
static_assert(sizeof(io_server) == 256);

// All processes are divided into as many shares as there are I/O processes; neighbours have the
// same.
constexpr std::uint32_t io_share(std::uint32_t process, std::uint32_t world, std::uint32_t shares) {
  if (shares <= 1) return 0;
  if (process >= world) return process % shares;
  return static_cast<std::uint32_t>(std::uint64_t{process} * shares / world);
}

//   0 carrier | 4 shares | 8 draining | 128 writers | 256 server_of | 512 files | 37376 servers |
//   53760 end
struct io_area {
  // W: the launcher.
  std::atomic<std::uint32_t> carrier;                     // io_carrier
  std::atomic<std::uint32_t> shares;                      // before the ranks are started; 0 is 1
  std::atomic<std::uint32_t> draining;                    // 1: I/O processes end when all is written
  alignas(isolation) std::atomic<std::uint32_t> writers;  // processes that have a buffer. W: writers
  // By share, which of the servers carries it; another one takes over where one is dead for good
  // (sync: io-share). W: the launcher
  alignas(isolation) std::atomic<std::uint32_t> server_of[io_servers];
  io_file files[io_files];
  io_server servers[io_servers];
};
static_assert(offsetof(io_area, writers) == 128 && offsetof(io_area, server_of) == 256);
static_assert(offsetof(io_area, files) == 512);
static_assert(offsetof(io_area, servers) == 37376 && sizeof(io_area) == 53760);

//   0 ring | 8 published | 128 written | 136 carried | 256 moved | 260 waiting | 384 held … |
//   504 reads | 536 through_cache | 640 end
struct io_writer {
  // W: the owner.
  std::atomic<std::uint64_t> ring;       // local_address of its io_ring; 0: none yet
  std::atomic<std::uint64_t> published;  // extents; sync: io-publish, which also publishes the data
  // W: the carrier.
  alignas(isolation) std::atomic<std::uint64_t> written;  // extents; sync: io-written
  std::atomic<std::uint64_t> carried_bytes;  // or failed: what accepted_bytes is less this is held
  std::atomic<std::uint32_t> relieved;       // how often it has given the memory back (sync: io-claim)
  // Whoever waits for `written`, in any process, sets `waiting` and sleeps on `moved`.
  alignas(isolation) std::atomic<std::uint32_t> moved;
  std::atomic<std::uint32_t> waiting;
  std::atomic<std::uint32_t> claimed;  // io_claim; W: both (sync: io-claim)
  // W: the owner. Figures.
  alignas(isolation) std::atomic<std::uint64_t> held_bytes;  // L1: what it has
  std::atomic<std::uint64_t> limit_bytes;                    // and may have
  io_figures figures;                                        // of all files
  std::atomic<std::uint64_t> needed_bytes;                   // as in io_file
  std::atomic<std::uint64_t> first_ns;                       // when it first wrote; 0: it has not
  io_read_figures reads;                                     // of all files
  std::atomic<std::uint32_t> through_cache;  // writes through the page cache that go on (sync: io-apart)
};
static_assert(offsetof(io_writer, published) == 8 && offsetof(io_writer, written) == 128);
static_assert(offsetof(io_writer, moved) == 256 && offsetof(io_writer, held_bytes) == 384);
static_assert(offsetof(io_writer, reads) == 504 && offsetof(io_writer, through_cache) == 536);
static_assert(sizeof(io_writer) == 640);

}  // namespace loadstone::memory
