// The launcher's end of the requests (memory/requests): what ranks ask of mpiexec, in its
// loop. A thread sleeps on job memory and makes a descriptor readable when a rank has called, for
// poll() cannot watch memory. (Ranks could inherit the descriptor; but programs close what they
// do not know, and a rank would then write into a file of theirs.)
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "launch/io_service.hpp"
#include "memory/job.hpp"
#include "memory/name_table.hpp"
#include "memory/requests.hpp"

namespace loadstone::launch {

class request_server {
 public:
  // After the ranks have been forked.
  request_server(memory::job& job, io_service& files);
  ~request_server();
  request_server(const request_server&) = delete;
  request_server& operator=(const request_server&) = delete;

  // Readable when serve() has something to do. -1: this system has refused a thread or a
  // descriptor, and serve() is to be called every check_every_ms.
  int descriptor() const { return ready_; }
  static constexpr std::int64_t check_every_ms = 20;

  void serve();
  void rank_ended(std::uint32_t rank);  // what it held and published is nobody's

 private:
  void wake_loop();
  memory::request_desk desk_;
  memory::name_table names_;
  io_service& files_;
  int ready_ = -1;
  std::atomic<bool> ending_{false};
  std::thread sleeper_;
};

}  // namespace loadstone::launch
