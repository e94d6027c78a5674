// What mpiexec --io-report says: what was written to each file, how, and what the I/O processes
// did.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "launch/io_process.hpp"
#include "memory/job.hpp"

namespace loadstone::launch {

std::string size_of(std::uint64_t bytes);  // for people

class io_report {
 public:
  explicit io_report(memory::job& job) : job_(job) {}
  // The figures of a file, before its place is another's.
  void add(const std::string& path, std::uint64_t id);
  // `end`: when the last rank had ended, in ns.
  std::string text(const std::deque<io_process>& processes, std::uint64_t end) const;

 private:
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
  std::string process_lines(const std::deque<io_process>& processes) const;
  std::string reads() const;
  std::string steady_state(const figures& all, std::uint64_t end) const;

  memory::job& job_;
  std::vector<figures> files_;  // one for each path: of snapshots there are hundreds
};

}  // namespace loadstone::launch
