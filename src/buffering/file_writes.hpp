// How the carrier writes: a list of writes, which may be done in any order and at the same time.
// By io_uring where the kernel has it and the build found liburing; by pwritev otherwise. Chosen
// once, when the carrier starts.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace loadstone::buffering {

// One stretch of a file, from several places in memory.
struct file_write {
  int descriptor = -1;
  std::uint64_t offset = 0, bytes = 0;
  std::vector<iovec> parts;  // of what is not written: changed by the writing
  std::size_t first = 0;     // of the parts
  // The result.
  std::uint64_t done = 0;
  int number = 0;  // errno; 0: all is written
  void wrote(std::uint64_t more);
};

class file_writes {
 public:
  virtual ~file_writes() = default;
  virtual std::string_view name() const = 0;
  virtual void write(std::span<file_write> all) = 0;  // returns when all are done
};

std::unique_ptr<file_writes> make_system_writes();
std::unique_ptr<file_writes> make_ring_writes();  // nullptr: not here
// `wanted`: "io_uring", "pwrite", or empty for the best that there is.
std::unique_ptr<file_writes> choose_writes(std::string_view wanted);

// What is not done of one write, by pwritev.
void finish_write(file_write& w);

}  // namespace loadstone::buffering
