// Storage: the one way from MPI files to bytes that stay. Everything above (views, collective
// access, shared pointers) knows offsets in bytes and memory, and asks for all else here.
//
// What the layer above relies on. "Accepted" is a write that has returned success.
//  1. A read sees what the same process has had accepted before, wherever it lies by now.
//  2. Another process sees it after: settle() by the writer, a message from there to the reader,
//     settle() by the reader (MPI §14.6; sync() does that, too). close() counts as the settle() of
//     a writer, open() as that of a reader. Without that a reader gets, for each byte, an old value
//     or an accepted one.
//  3. With set_atomic(true), which all who opened the file together call in the same place, 2 holds
//     at once: a write that has returned is seen by every read that begins later, in any process of
//     the group. Nothing may be held back then but where every reader looks.
//  4. size() counts what this process has had accepted, and of others what 2 says. resize(),
//     reserve() and size() of the group are made by one member between barriers: what others of
//     the group had accepted before the barrier must be settled by then, which is what settle() is
//     for.
//  5. Errors that come late (disk full behind an accepted write) come out of the next call on this
//     file: of read, write, sync, settle, late or close. They name errno, offset and bytes.
//  6. Two writes that overlap, of one process, keep their order.
//
// Threads: one stored_file may be used by several threads at once. No call needs the gate of a
// rank, none may be called under it, and all may block.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "memory/io_layout.hpp"

namespace loadstone::memory {
class job;
}

namespace loadstone::io {

// What has failed: an errno, and a sentence without a full stop, for the user. Made once, where the
// failure is known.
struct [[nodiscard]] trouble {
  int number = 0;  // 0: nothing has
  std::string what;
  std::int64_t offset = -1, bytes = 0;  // of the data that it is about; -1: of none
  bool ok() const { return number == 0; }
};

// Bytes of a file, and the memory they come from or go to. Extents of one call are ascending and do
// not overlap in the file.
struct extent {
  std::int64_t offset;
  std::byte* memory;  // of writes: only read
  std::int64_t bytes;
};

struct open_how {
  std::string path;
  bool read = true, write = false;
  bool create = false, exclusive = false;
  mode_t permissions = 0666;  // of a file that is made, before umask
  // Others that open the same file together with this process, itself included; they call open()
  // one after another: the first alone, and the rest after it has returned, without `create`.
  int group = 1;
  int member = 0;                  // which of them: 0 is the first
  std::uint64_t together = 0;      // names this opening in the job: the same at all members, at no other
  bool buffered = true;            // may writes be held back (hint loadstone_io_buffer)?
  bool buffer_always = false;      // also where it does not pay
  std::int64_t buffer_bytes = -1;  // how much of this process; -1: as the settings say
  std::int64_t program_bytes = 0;  // the most memory that a process of the program needs; 0: not said
};

// What the file is, which decides what makes sense with it.
struct file_kind {
  bool regular = true;           // has a size, can be cut and filled up
  bool seekable = true;          // pipes, terminals and sockets are not: offsets mean nothing there
  std::int64_t block = 4096;     // data is best cut at multiples of this
  std::string_view system = "";  // "ext4", "tmpfs", "nfs"; empty: not known
  bool past_cache = false;       // buffering::past_cache::gains_at
};

class stored_file {
 public:
  virtual ~stored_file() = default;  // closes, if nobody has; errors are lost then
  stored_file() = default;
  stored_file(const stored_file&) = delete;
  stored_file& operator=(const stored_file&) = delete;

  virtual const file_kind& kind() const = 0;
  virtual int descriptor() const { return -1; }  // of the open file, if it is one of the system

  // What this process has written through it. `also`: where the same is counted of all its files.
  const memory::io_figures& figures() const { return figures_; }
  void count_in(memory::io_figures& also) { also_ = &also; }
  // What was carried of it behind accepted writes, of all processes, and the share of the time that
  // writing took for this one for which no call of it has waited.
  struct carried {
    std::uint64_t bytes = 0;
    double hidden = 0;
  };
  virtual carried behind() const { return {}; }

  // Reads or writes all extents, in their order. *done: how many bytes, counted in that order; less
  // than all without trouble: a read has met the end of the file.
  virtual trouble read(std::span<const extent> extents, std::int64_t* done) = 0;
  virtual trouble write(std::span<const extent> extents, std::int64_t* done) = 0;

  // Stores into the file's pages: quicker than write(), where several processes write to a file,
  // which the system lets them do one after another. Can `bytes` bytes of [from, to) be stored, and
  // is that quick, as the pages are in memory, and write() would return no sooner? A guess.
  virtual bool in_memory(std::int64_t /*from*/, std::int64_t /*to*/, std::int64_t /*bytes*/) { return false; }
  // Calls use(memory), where `memory` is that of byte `from`: it stores `bytes` bytes of [from,
  // to), and holds nothing that would have to be given back. False: not to be had, or not all was
  // stored: it is to be written.
  using user = std::function<void(std::byte*)>;
  virtual bool store(std::int64_t /*from*/, std::int64_t /*to*/, std::int64_t /*bytes*/, const user&) {
    return false;
  }

  virtual trouble size(std::int64_t* bytes) = 0;
  virtual trouble resize(std::int64_t bytes) = 0;   // cuts, or fills up with zeros
  virtual trouble reserve(std::int64_t bytes) = 0;  // space for so many bytes; never cuts
  virtual trouble settle() = 0;  // what was accepted here is where every process finds it (rules 2, 4)
  // settle(), and on the device: all that is settled of this file, whoever wrote it.
  virtual trouble sync() = 0;
  // What was accepted and is lost, if that has not been told (rule 5). Told by this.
  virtual trouble late() { return {}; }
  virtual trouble close() = 0;  // settle(), and gives up the file; no call after it
  virtual trouble set_atomic(bool on) = 0;

  // Locks bytes against everybody who locks them, in any process: for reading (shared) or writing
  // (alone). Waits. One range at a time for each stored_file; a second caller waits for the first.
  // Fails (ENOTSUP) where the file system has no locks. A process that dies loses its locks.
  virtual trouble lock(std::int64_t offset, std::int64_t bytes, bool alone) = 0;
  virtual void unlock() = 0;

 protected:
  memory::io_figures figures_{};
  memory::io_figures* also_ = nullptr;
};

class storage {
 public:
  virtual ~storage() = default;
  // The file, or null and why.
  virtual std::unique_ptr<stored_file> open(const open_how& how, trouble* why) = 0;
  virtual trouble remove(const std::string& path) = 0;
};

// Files by pread, pwrite and their kin, each call on the calling thread. `job`: in which others may
// write past the page cache (buffering/apart.hpp); null: there are none.
std::unique_ptr<storage> make_plain_storage(memory::job* job = nullptr);

}  // namespace loadstone::io
