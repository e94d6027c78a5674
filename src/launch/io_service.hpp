// The I/O processes of a job, as the keeper holds them: it forks them when the first file is opened
// for that, keeps the open files, and starts another when one dies, which goes on where job memory
// says. If one cannot be kept running, another takes over its share of the ranks; if none can,
// nothing more is accepted, and the keeper writes what is left.
//
//   rank --request--> keeper --descriptor (socket)--> I/O processes --writes--> file
//     `--------------- extents in job memory --------------^
//
// If the keeper dies, they write what is left, and end.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "buffering/carrier.hpp"
#include "launch/io_process.hpp"
#include "launch/io_report.hpp"
#include "launch/phases.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

struct io_config {
  std::uint32_t processes = 1;                       // at most memory::io_servers
  std::vector<processors> places = {};               // where the first of them run; others where we do
  std::string writes = {};                           // how, as for buffering::choose_writes
  std::atomic<std::int32_t>* shared_pids = nullptr;  // where the front finds them, one each
};

class io_service : public occupant {
 public:
  io_service(memory::job& job, const io_config& how);
  ~io_service() override;
  io_service(const io_service&) = delete;
  io_service& operator=(const io_service&) = delete;

  // Requests of ranks.
  memory::buffer_file::answer serve(std::uint32_t from, const memory::buffer_file& asked);
  memory::release_file::answer serve(std::uint32_t from, const memory::release_file& asked);

  std::vector<pid_t> running() const;
  bool is(pid_t pid) const;
  // A child has ended: was it one of ours? Then another is started.
  void see_ends();
  // Nobody else writes: the keeper does, for at most so long. Is there anything left?
  bool stands_in() const { return stand_in_.has_value(); }
  void stand_in(std::int64_t for_ms);

  // occupant
  void begin_drain() override;
  bool is_busy() override;
  int descriptor() const override;
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
  bool start();
  bool hand_over(std::uint32_t dead);
  bool owes(std::uint32_t index) const;
  bool tell_open(std::uint64_t id, int descriptor);
  io_file_list open_files() const;
  void fail();
  const std::string& path_of(std::uint64_t id);

  memory::job& job_;
  memory::mappings maps_;
  std::deque<io_process> processes_;
  std::uint64_t next_use_ = 1;
  bool draining_ = false;
  std::uint64_t drain_began_ = 0;
  std::vector<file> files_;
  std::vector<std::pair<std::uint64_t, std::string>> names_;  // of all files that there were
  io_report report_;
  std::optional<buffering::carrier> stand_in_;
};

}  // namespace loadstone::launch
