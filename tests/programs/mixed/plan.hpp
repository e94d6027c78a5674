// What random programs of everything (mixed_random.cpp) are made of: numbers that all ranks draw
// alike, values that say where they come from, buffers with guards, and what is still under way.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace mixed {

using word = std::uint32_t;

struct random {
  std::uint64_t state;
  std::uint64_t operator()() {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  long below(long n) { return n <= 0 ? 0 : static_cast<long>((*this)() % static_cast<std::uint64_t>(n)); }
  bool one_in(long n) { return below(n) == 0; }
  // Mostly small, now and then `most`: each power of two as often as the next.
  long size(long most) {
    if (one_in(12)) return 0;
    int bits = 0;
    while ((2L << bits) <= most) ++bits;
    const long up_to = 1L << below(bits + 1);
    return std::min(most, up_to + below(up_to));
  }
};

// Word i of what `from` has for `to` in operation `op`.
inline word value(std::uint64_t op, int from, int to, long i) {
  random r{op * 0x100000001b3 + static_cast<std::uint64_t>(from) * 0x1000193 +
           static_cast<std::uint64_t>(to) * 0x3779f9 + static_cast<std::uint64_t>(i) * 0x9e3779b9};
  return static_cast<word>(r());
}

// Elements of `used` words at the start of each `extent`; what is between belongs to nobody.
struct layout {
  MPI_Datatype type = MPI_UINT32_T;
  long used = 1, extent = 1;
};

constexpr word guard = 0xA5A5A5A5;

// Memory for elements, from malloc or from MPI.
class buffer {
 public:
  buffer(const layout& l, long count, bool from_mpi) : l_(l), count_(count), from_mpi_(from_mpi) {
    words_ = static_cast<std::size_t>(std::max(0L, count) * l.extent) + 2;
    void* p = nullptr;
    if (from_mpi)
      MPI_Alloc_mem(static_cast<MPI_Aint>(words_ * sizeof(word)), MPI_INFO_NULL, &p);
    else
      p = std::malloc(words_ * sizeof(word));
    memory_ = static_cast<word*>(p);
    clear();
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() {
    if (from_mpi_)
      MPI_Free_mem(memory_);
    else
      std::free(memory_);
  }
  void clear() { std::fill(memory_, memory_ + words_, guard); }
  word* data() { return memory_ + 1; }
  word* element(long i) { return memory_ + 1 + i * l_.extent; }
  word& at(long i) {
    return memory_[1 + i / l_.used * l_.extent + i % l_.used];
  }  // the i-th word that is used
  long used_words() const { return count_ * l_.used; }
  // The first word outside elements that has been written, or -1.
  long scribbled() const {
    if (memory_[0] != guard) return 0;
    for (long e = 0; e < count_; ++e)
      for (long i = l_.used; i < l_.extent; ++i)
        if (memory_[1 + e * l_.extent + i] != guard) return 1 + e * l_.extent + i;
    return memory_[words_ - 1] != guard ? static_cast<long>(words_) - 1 : -1;
  }

 private:
  layout l_;
  long count_;
  bool from_mpi_;
  std::size_t words_;
  word* memory_;
};
using buffers = std::shared_ptr<buffer>;

// A communicator, and who is in it as ranks of the schedule's base. An intra-communicator's two
// groups are the same.
struct communicator {
  MPI_Comm comm = MPI_COMM_NULL;  // MPI_COMM_NULL at who is in neither group
  std::vector<int> groups[2];
  bool inter = false, grid = false;
  int side = 0, me = -1;  // which group this process is in, and its rank there
  const std::vector<int>& local() const { return groups[side]; }
  const std::vector<int>& remote() const { return groups[inter ? 1 - side : side]; }
  bool member() const { return comm != MPI_COMM_NULL; }
  bool has_all(int n) const { return !inter && static_cast<int>(groups[0].size()) == n; }
};

// A request to be completed when the schedule has come to step `due`; then `check` says whether all
// is right.
struct pending {
  long due;
  MPI_Request request;
  std::function<void()> check;
  bool of_file = false, persistent = false, done = false;
};

}  // namespace mixed
