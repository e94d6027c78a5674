// What the model knows of a machine: the basic transfers between two processes on two cores,
// measured (measure.hpp), read from a file, or as built in. Times are microseconds, sizes bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::model {

// A time as a function of the size, measured at some sizes. In between it is linear; below the
// first size it is the first time; beyond the last it is proportional to the size.
class curve {
 public:
  struct point {
    std::int64_t bytes;
    double time;
  };
  void add(std::int64_t bytes, double time);  // sizes in rising order
  double at(std::int64_t bytes) const;        // 0 if nothing has been measured
  bool known() const { return !points_.empty(); }
  double rate(std::int64_t bytes) const {  // GB/s
    return known() ? static_cast<double>(bytes) / at(bytes) / 1e3 : 0;
  }
  std::span<const point> points() const { return points_; }

 private:
  std::vector<point> points_;
};

struct machine {
  double line = 0;       // one-way hand-over of a cache line that two processes write by turns
  double wake = 0;       // from ringing a process asleep on a futex until it runs
  double call = 0;       // process_vm_readv of 8 bytes; 0: the system refuses
  double piece = 0;      // each further piece of the other process's memory in such a call; 0: not known
  double turn = 0;       // from one process of a processor to another that waits for it; 0: not known
  double fold = 0;       // adding 1 KiB of doubles to others in the cache; 0: not known
  bool strings = false;  // does it copy best by string instructions (base/cpus.hpp)?
  // All of data that the other core wrote just before, or (cold) that no cache holds.
  curve put;          // a copy into shared memory that the other core has read since
  curve get;          // a copy out of shared memory that the other core has written since
  curve vm;           // process_vm_readv of the other process's memory; unknown if refused
  curve vm_together;  // the same: one process reads a half, the other writes the other half, at the same time
  curve together;     // shared memory to shared memory, each process a half at the same time
};

// Two cores of an AMD EPYC (Zen 5, 4, 3) that share a cache of 32 MiB, and of an Intel Xeon.
std::span<const machine> built_in_machines();
// Where nothing has been measured: the first of them.
const machine& built_in();
// The one that processors like ours are nearest to. Where copies are quicker by vector than by
// string instructions: of AMD's, Zen 4 where they have vectors of 64 bytes, else Zen 3; the Xeon
// of others. The choice of collectives is made of it.
const machine& nearest_built_in();

// As text, and back; nothing if it is not what write() writes. `about`: one line that says where it
// was measured.
std::string write(const machine& m, std::string_view about);
struct read_machine {
  machine measured;
  std::string about;
};
std::optional<read_machine> read(std::string_view text);

// Of several rounds: the median of each figure. They have the same sizes.
machine median_of(std::span<const machine> rounds);

}  // namespace loadstone::model
