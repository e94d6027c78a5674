// The I/O process of a job: carries what ranks have had accepted (buffering/) to their files. The
// keeper forks it when the first file is opened for that, keeps the open files, and starts another
// when it dies; that one goes on where job memory says. If it cannot be kept running, nothing more
// is accepted, and the keeper writes what is left.
//
//   rank --request--> keeper --descriptor (socket)--> I/O process --writes--> file
//     `--------------- extents in job memory -----------^
//
// If the keeper dies, it writes what is left, and ends.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "buffering/carrier.hpp"
#include "launch/phases.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

class io_process : public occupant {
 public:
  // `writes`: how, as for buffering::choose_writes. `shared_pid`, if any: where the front finds it.
  io_process(memory::job& job, std::string writes, std::atomic<std::int32_t>* shared_pid);
  ~io_process() override;
  io_process(const io_process&) = delete;
  io_process& operator=(const io_process&) = delete;

  // Requests of ranks.
  memory::buffer_file::answer serve(std::uint32_t from, const memory::buffer_file& asked);
  memory::release_file::answer serve(std::uint32_t from, const memory::release_file& asked);

  pid_t process() const { return pid_; }  // -1: none
  bool is(pid_t pid) const { return pid == pid_; }
  // A child has ended: was it ours? Then another is started.
  void see_end();
  // Nobody else writes: the keeper does, for at most so long. Is there anything left?
  bool stands_in() const { return stand_in_.has_value(); }
  void stand_in(std::int64_t for_ms);

  // occupant
  void begin_drain() override;
  bool is_busy() override;
  int descriptor() const override { return pid_ >= 0 ? socket_ : -1; }
  std::uint64_t progress() override;

  std::uint64_t pending_bytes();
  // What the user has to know: sentences, each a line. Failures that no rank was told of; data that
  // were accepted and are lost, if the drain was cut short.
  std::string failures();
  std::string lost();
  // --io-report
  std::string report();

 private:
  struct file {
    std::uint64_t id;
    std::uint64_t device, inode;
    int descriptor;
    std::string path;
    std::uint32_t uses;
  };
  // Of one path, and of all files.
  struct figures {
    std::string path;
    std::uint64_t accepted_bytes = 0, copy_ns = 0, called_bytes = 0, called_ns = 0, overflow_bytes = 0,
                  short_bytes = 0, at_once_bytes = 0, at_once_ns = 0, stall_ns = 0, carried_bytes = 0,
                  carry_ns = 0, carry_cpu_ns = 0, needed_bytes = 0, limit_bytes = 0;
    void count(const memory::io_figures& written);
    void count(const memory::io_file& of);
    std::string line() const;
    std::string remarks() const;
  };
  bool start();
  bool tell(std::uint64_t id, int descriptor);
  void fail();
  void add_to_report(const file& f);
  std::string steady_state(const figures& all) const;
  const std::string& path_of(std::uint64_t id);

  memory::job& job_;
  memory::mappings maps_;
  std::string writes_;
  std::atomic<std::int32_t>* shared_pid_;
  pid_t pid_ = -1;
  int socket_ = -1;
  std::uint64_t next_use_ = 1, carried_at_start_ = 0;
  int deaths_ = 0;  // since it has last written something
  bool draining_ = false;
  std::uint64_t drain_began_ = 0;
  std::vector<file> files_;
  std::vector<std::pair<std::uint64_t, std::string>> names_;  // of all files that there were
  std::vector<std::uint64_t> undropped_;  // closed, and the I/O process could not be told yet
  std::vector<figures> closed_;           // one for each path: of snapshots there are hundreds
  std::optional<buffering::carrier> stand_in_;
};

// What it does; in the child of that process, and never returns. It closes all descriptors but
// these.
[[noreturn]] void run_io_process(memory::job& job, pid_t keeper, int socket, const std::string& writes,
                                 const std::vector<std::pair<std::uint64_t, int>>& files);

// A message to it: a file to write to (with its descriptor), or one that is closed.
struct io_message {
  std::uint64_t id;
  std::uint32_t open, unused_;
};

}  // namespace loadstone::launch
