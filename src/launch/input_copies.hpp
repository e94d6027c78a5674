// --stdin all: the standard input of mpiexec, copied to every rank. It is read as fast as the
// slowest rank takes it.
#pragma once

#include <poll.h>

#include <cstddef>
#include <vector>

namespace loadstone::launch {

class input_copies {
 public:
  explicit input_copies(int from) : from_(from) {}
  ~input_copies();
  input_copies(const input_copies&) = delete;
  input_copies& operator=(const input_copies&) = delete;

  // A pipe for one more rank: its end to read from, to be closed by the caller; or -1 with errno.
  int open_copy();

  // What to wait for, and what to do when poll() has returned: `polls` begins at our first.
  void add_polls(std::vector<pollfd>& polls) const;
  void turn(const pollfd* polls);
  int failure() const { return failure_; }  // why it could not be read to its end (an errno); 0: it could

 private:
  struct copy {
    int to;                // -1: this rank takes no more
    std::size_t done = 0;  // bytes of the block that it has
  };
  bool all_done() const;
  void close_all();
  int from_;  // -1: at its end
  int failure_ = 0;
  std::vector<copy> copies_;
  std::size_t bytes_ = 0;  // in the block
  char block_[16 << 10];
};

}  // namespace loadstone::launch
