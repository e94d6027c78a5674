// Does it pay to buffer a write? Where a core is idle it does: the call is a copy, and all else
// goes on beside the program. With all cores busy the copy and the carrying take time from the
// program:
//
//   at once     what the call takes that writes it (waits for the device included), and what the
//               system takes later to write pages back, where the carrier goes past them
//   buffered    a copy, and the processor time of the carrier, less what ranks leave idle meanwhile
//
// All four are measured, by this process and by the carrier: a write in sixteen is a trial, of
// which an eighth goes the other way. As long as nothing has been measured, figures of a usual
// machine stand in. A core is idle if ranks have fewer threads running than there are cores, as
// this process sees of itself: processor time between two writes, by the clock. That is looked at
// with each long write, and every 5 ms with short ones, which go as it was seen last.
//
// What finds no room in a buffer is written by its call, or waits until the carrier has made room:
// whichever was quicker. The carrier serves all writers of the job meanwhile, and each of them has
// its share of it.
//
// One for each process, under the lock of its stream.
#pragma once

#include <cstdint>
#include <map>

#include "base/learned.hpp"

namespace loadstone::buffering {

class worth {
 public:
  worth(std::uint32_t ranks, std::uint32_t cores) : ranks_(ranks), cores_(cores), spare_(ranks < cores) {}

  // How many bytes from the front of a write of so many are better written at once: all, none, or
  // those of a trial.
  std::uint64_t at_once(std::uint64_t device, bool past_cache, std::uint64_t bytes);
  // The same with the times given: since the last write, by the clock, of the processor, and
  // waiting for a core. Tests.
  std::uint64_t at_once(std::uint64_t device, bool past_cache, std::uint64_t bytes, std::uint64_t wall_ns,
                        std::uint64_t cpu_ns, std::uint64_t delay_ns = 0);

  // Looks how busy this process is, which writes so many bytes; not at each short write. Has it?
  bool look(std::uint64_t bytes);
  // Would a write be buffered, but for trials? As it was seen last.
  bool buffers(std::uint64_t device, bool past_cache) { return spare_ || pays(device, past_cache); }

  // Had what finds no room better wait for the carrier, which so many processes share?
  bool waits(std::uint64_t device, std::uint32_t writers);

  // What was measured.
  void copied(std::uint64_t bytes, std::uint64_t ns);
  void written(std::uint64_t device, std::uint64_t bytes, std::uint64_t ns);
  // Sums of the carrier, of a file of this device; `ns` by the clock.
  void carried(std::uint64_t device, std::uint64_t bytes, std::uint64_t cpu_ns, std::uint64_t ns);

  static constexpr std::uint64_t least_trial = 1 << 20;  // shorter writes make no trials
  static constexpr std::uint64_t most_tried = 8 << 20;
  static constexpr std::uint32_t trial_every = 16;

 private:
  using rate = base::learned_mean;  // ns a byte
  struct device {
    rate at_once, carry, drain;                                   // drain: the carrier's, by the clock
    std::uint64_t carried_bytes = 0, carry_ns = 0, drain_ns = 0;  // as seen last
    std::uint32_t writes = 0, overflows = 0;
    bool buffers = false, decided = false;
  };
  void mark(std::uint64_t now);
  void saw(std::uint64_t wall_ns, std::uint64_t cpu_ns, std::uint64_t not_idle_ns, std::uint64_t bytes);
  bool pays(std::uint64_t device, bool past_cache);
  std::uint64_t part(std::uint64_t device, bool past_cache, std::uint64_t bytes);

  const std::uint32_t ranks_, cores_;
  rate copy_;
  std::map<std::uint64_t, device> devices_;
  double threads_ = 1;  // that this process keeps running
  bool spare_;          // is there a core for the carrier? As seen last
  double idle_ = 0;     // ns a byte that this process has left its core between writes, the same
  // Since when it is looked at this process, and what it has written since then.
  std::uint64_t marked_wall_ = 0, marked_cpu_ = 0, marked_delay_ = 0, marked_bytes_ = 0, marked_writing_ = 0;
};

}  // namespace loadstone::buffering
