// Carries extents to their files: an I/O process of a job, or whoever stands in for all of them.
// Each has a share of the processes, and one at a time has it; any that comes after goes on where
// `written` stands.
//
//   IDLE_LISTEN   nothing is published: the owner sleeps on the area's word
//   BUSY_LISTEN   step() after step(): each takes a bounded unit of every process of it, writes
//                 it, gives it back and rings who waits; in between the owner looks at its messages
//   EXIT          when draining and nothing is published
//
// What is whole pages goes to the device from where it lies, past the page cache (past_cache.hpp),
// if the file system can do that, nobody is kept waiting by it, and nobody writes through the cache
// (apart.hpp).
//
// Extents of a process are written in their order where they overlap, and given back in their order
// always. A write that fails is noted (failures.hpp), and its extent given back: the others go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "buffering/file_writes.hpp"
#include "buffering/past_cache.hpp"
#include "memory/headroom.hpp"
#include "memory/job.hpp"
#include "memory/mappings.hpp"

namespace loadstone::buffering {

class carrier {
 public:
  static constexpr std::uint32_t every_share = UINT32_MAX;
  // `server`: whose shares; the figures of the first are counted on if it is for all. `root`:
  // before /proc and /sys; tests bring a machine of their own.
  carrier(memory::job& job, std::unique_ptr<file_writes> how, const std::string& root = {},
          std::uint32_t server = every_share);
  ~carrier();

  // The descriptor stays the caller's, until drop_file() of the same id, or the end.
  void add_file(std::uint64_t id, int descriptor);
  void drop_file(std::uint64_t id);
  bool knows(std::uint64_t id) const { return files_.contains(id); }
  // An extent is of a file that we do not know: there must be a message about it.
  bool misses_a_file() const { return missing_ != 0; }
  // There will be none: its data are lost, which is noted.
  void give_up_missing() { give_up_ = true; }

  bool has_work();
  // Should this step come later, as a process is in a call that copies or writes? It is blocked by
  // that, and the carrier would take the file, the device and memory from it. Not if somebody waits
  // for us, and not for longer than we have written since we last did: beside processes that write
  // all the time, half of the time is ours. Nor for longer than `most_patience`.
  bool gives_way();
  // Writes some of what is there. Answers how many extents were given back; 0: there is nothing to
  // do, or misses_a_file().
  std::uint64_t step();

  // With nothing to do: if the machine or a cgroup gets short of memory, what buffers hold and
  // nobody fills is given back. Answers when to look again.
  std::chrono::milliseconds relieve();

  static constexpr std::chrono::milliseconds most_patience{100}, look_again{1};
  static constexpr std::uint64_t unit = 8 << 20;  // bytes of one process in one step, and one extent at least

 private:
  struct taken;
  // A file: its descriptor, and one that goes past the page cache, if it can.
  struct target {
    int descriptor, past_cache;
  };
  bool has(std::uint32_t process) const;
  void take_over();
  struct seen;
  seen look() const;
  void take(std::uint32_t process, std::uint64_t from, std::uint64_t to);
  bool put(std::uint32_t process, const memory::io_extent& e);
  bool give_back(std::uint32_t process);
  bool may_go_past_cache();
  void write_taken();
  const file_write& write_of(const taken& t) const;
  std::uint64_t done_of(const taken& t) const;
  // Where the figures are counted on, and what is said of writes past the cache.
  std::uint32_t index() const { return server_ == every_share ? 0 : server_; }

  memory::job& job_;
  memory::mappings maps_;
  std::unique_ptr<file_writes> how_;
  const std::uint32_t server_, shares_;
  std::uint64_t taken_over_ = 0;  // a bit for each share that was found as its last carrier left it
  std::unordered_map<std::uint64_t, target> files_;
  past_cache ways_;
  memory::headroom headroom_;
  std::unordered_map<std::uint32_t, std::uint64_t>
      given_back_;  // of a process: extents it had published then
  std::uint64_t missing_ = 0;
  std::uint64_t gives_way_ns_ = 0;                     // when it was asked last and did; 0: it does not
  std::chrono::nanoseconds patience_ = most_patience;  // for how long it may yet
  bool give_up_ = false;
  // Of the step that is going on.
  std::optional<bool> goes_past_cache_;  // does what can? Not set: nothing could so far
  std::vector<memory::pin> pins_;
  std::vector<file_write> writes_, past_cache_;  // through the page cache, and past it
  std::vector<taken> taken_;
};

}  // namespace loadstone::buffering
