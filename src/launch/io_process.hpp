// An I/O process: carries what its share of the ranks has had accepted (buffering/) to their files.
// A child of the keeper, which holds all of them (io_service).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launch/cores.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

// What one is told when it starts.
struct io_start {
  std::string writes;  // how, as for buffering::choose_writes
  processors place;    // it is bound to; empty: where the keeper is
  bool alone;          // there are no others
};

// The files that it may write to: their numbers and descriptors.
using io_file_list = std::vector<std::pair<std::uint64_t, int>>;

class io_process {
 public:
  // `shared_pid`, if any: where the front finds its process id.
  io_process(memory::job& job, std::uint32_t index, io_start how, std::atomic<std::int32_t>* shared_pid);
  ~io_process();
  io_process(const io_process&) = delete;
  io_process& operator=(const io_process&) = delete;

  pid_t process() const { return pid_; }  // -1: none
  int socket() const { return socket_; }  // readable when it has ended
  const processors& place() const { return how_.place; }
  // False and errno: it could not be. It inherits the files, and no other descriptors.
  bool start(const io_file_list& files);
  // Has it ended since this was asked before?
  bool see_end();
  // It has ended too often without writing anything: another start is of no use.
  bool is_hopeless() const { return deaths_ > most_deaths; }

  bool tell_open(std::uint64_t id, int descriptor) { return tell(id, descriptor); }
  void tell_closed(std::uint64_t id);

 private:
  static constexpr int most_deaths = 5;
  bool tell(std::uint64_t id, int descriptor);

  memory::job& job_;
  const std::uint32_t index_;
  const io_start how_;
  std::atomic<std::int32_t>* const shared_pid_;
  pid_t pid_ = -1;
  int socket_ = -1;
  std::uint64_t carried_at_start_ = 0;
  int deaths_ = 0;                        // since it has last written something
  std::vector<std::uint64_t> undropped_;  // closed, and it could not be told yet
};

// What it does; in the child of that process, and never returns. It closes all descriptors but
// these.
[[noreturn]] void run_io_process(memory::job& job, std::uint32_t index, pid_t keeper, int socket,
                                 const io_start& how, const io_file_list& files);

// A message to it: a file to write to (with its descriptor), or one that is closed.
struct io_message {
  std::uint64_t id;
  std::uint32_t open, unused_;
};

}  // namespace loadstone::launch
