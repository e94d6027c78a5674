// The writer's end of active buffering: copies data into a buffer of this process in job memory and
// describes them by extents (memory/io_layout.hpp). From then on they are accepted: they reach the
// file whatever becomes of this process.
//
//   accept()   PREPARE: is there somebody to carry?  BUFFER: copy, as long as there is room
//              what does not fit is the caller's to write (SEND_OVERFLOW: to the disk), once
//              settle_range() says that nothing older of ours lies there
//
// Whole pages of the file lie on whole pages of memory, and are an extent of their own, so that the
// carrier can write them past the page cache.
//
// The buffer grows in segments, on demand, up to a limit, and only while the machine and the
// cgroups have memory left; it is given back when they have not: by a write, or, if none comes, by
// the carrier (carrier::relieve). Never more than was asked for.
// One for each process; any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "buffering/worth.hpp"
#include "memory/address.hpp"
#include "memory/arena.hpp"
#include "memory/headroom.hpp"
#include "memory/job.hpp"

namespace loadstone::buffering {

constexpr std::uint64_t margin = 256 << 20;  // what buffers always leave to the machine

struct config {
  static constexpr std::uint64_t automatic = ~std::uint64_t{};
  std::uint64_t bytes = automatic;  // of one process; 0: nothing is accepted
  std::uint64_t program_bytes = 0;  // the most that the program itself will need, of one process; 0: not said
  // Of memory, the first; later ones are as large as all before them, or as what is wanted.
  std::uint64_t segment = 4 << 20;
  std::uint64_t direct_below = 16 << 10;       // shorter writes are not worth a hand-over
  std::string root;                            // before /proc and /sys; tests bring a machine of their own
  bool always = false;                         // also where it does not pay (worth.hpp)
  std::uint32_t extents = memory::io_extents;  // in use at once, at most; tests: fewer
};

class stream {
 public:
  stream(memory::job& job, memory::arena& arena, const config& wanted);
  ~stream();  // what is published is written first
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  // A file, and where the figures of this opening of it are kept, if anywhere.
  struct target {
    target(std::uint64_t f, memory::io_figures* figures = nullptr) : file(f), opening(figures) {}
    std::uint64_t file;
    memory::io_figures* opening;
  };

  // How many bytes from the front were accepted. `limit`: of the buffer, for this file;
  // `automatic`: as configured. How many bytes, from the front of a write of so many, its caller
  // had better write at once: worth.hpp. `device`: of the file; `past_cache`: can it be written
  // past the page cache?
  std::uint64_t at_once(std::uint64_t file, std::uint64_t device, bool past_cache, std::uint64_t bytes);
  // So many bytes are written without that question: worth::look().
  void look(std::uint64_t bytes);
  // Would such a write be buffered now? As it was seen last, and without trials.
  bool buffers(std::uint64_t device, bool past_cache);
  std::uint64_t accept(target to, std::uint64_t offset, const std::byte* memory, std::uint64_t bytes,
                       std::uint64_t limit = config::automatic);
  // What was not accepted: had it better wait until the carrier has made room? (worth.hpp)
  bool waits_for_room(std::uint64_t device);
  // Until some is made; so many bytes are offered again then. False: none will be made, as nothing
  // of ours is on its way.
  bool await_room(target to, std::uint64_t bytes);
  // Everything accepted here so far has been written (or has failed).
  void settle(target to);
  // The same of what overlaps [offset, offset + bytes).
  void settle_range(target to, std::uint64_t offset, std::uint64_t bytes);
  // The program says how much memory a process of it will need at most; the largest counts.
  void declare(std::uint64_t program_bytes);
  bool overlaps(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes) const;
  // For the figures. The caller has written by itself: what was not accepted, or what at_once()
  // said, or something else; or it has waited.
  void note_overflow(target to, std::uint64_t device, std::uint64_t bytes, std::uint64_t ns);
  void note_at_once(target to, std::uint64_t device, std::uint64_t bytes, std::uint64_t ns);
  void note_called(target to, std::uint64_t bytes, std::uint64_t ns);
  void note_stall(target to, std::uint64_t ns);

  std::uint64_t held() const;  // memory of the buffer
  std::uint64_t limit();       // what it may become, as configured

 private:
  struct segment {
    std::byte* base;
    std::uint64_t address;  // local_address
    std::uint64_t bytes, used;
    std::uint64_t last;     // extents before this number lie in it, at most
    std::uint64_t touched;  // from its begin: memory that has been filled before, which is quicker
  };
  bool begin();
  bool claim();
  void unclaim();
  void list_segments();
  std::uint64_t spared() const;
  segment* room(std::uint64_t limit, std::uint64_t unit, std::uint64_t wanted, std::uint64_t* end);
  bool grow(std::uint64_t limit, std::uint64_t wanted);
  void shrink();
  bool short_of_memory();
  std::uint64_t written() const;
  void wait_until(std::uint64_t number, target to);
  void need(std::uint64_t file, std::uint64_t bytes, std::uint64_t now);
  // Calls `note` with the figures of the file, of this process, and of the opening.
  template <class Note>
  void each(target to, Note note) {
    note(job_.io().files[memory::io_file_place(to.file)].figures);
    note(mine_.figures);
    if (to.opening != nullptr) note(*to.opening);
  }

  memory::job& job_;
  memory::arena& arena_;
  const config config_;
  memory::headroom headroom_;
  memory::io_writer& mine_;

  mutable std::mutex mutex_;
  memory::io_ring* ring_ = nullptr;
  std::deque<segment> segments_;  // in the order in which they were filled last
  std::uint64_t held_ = 0, limit_ = config::automatic;
  std::uint64_t program_bytes_;
  std::uint32_t relieved_ = 0;  // as seen last
  bool refused_ = false;
  bool short_ = false;        // has the machine's memory been short in this call?
  std::uint64_t looked_ = 0;  // when it was asked last whether memory is short
  // What a buffer without end would hold, and when it was reckoned, by a clock that stands still
  // while a call is blocked by the file system.
  double owed_ = 0;
  std::uint64_t owed_at_ = 0;
  worth worth_;
};

}  // namespace loadstone::buffering
