#include "model/plausible.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace loadstone::model {

namespace {

// A core stores or loads a line for each cycle at the most, and has less than 6.7 GHz. Times are
// read from a clock of nanoseconds.
constexpr double bytes_of_a_line = 64, least_line = 0.15e-3, clock_step = 1e-3;
// However slow the copy: 50 MB/s, and what a change of processes may add.
constexpr double least_rate = 50, most_extra = 1000;  // bytes in a µs; µs
// From one size to the next, four times as large at the most: a copy that takes half as long, or
// whose rate falls to a sixteenth, was not what was measured before.
constexpr double most_gain = 2, most_loss = 16, surely_measured = 1;  // the last one in µs

struct plausible_time {
  const char* name;
  double machine::*figure;
  double least, most;  // µs
  bool may_be_unknown;
};
constexpr plausible_time times[] = {{"a line from one core to another", &machine::line, 0.003, 50, false},
                                    {"a process that is woken", &machine::wake, 0.2, 50'000, false},
                                    {"a call of process_vm_readv", &machine::call, 0.02, 500, true},
                                    {"a further piece of such a call", &machine::piece, 0.001, 100, true},
                                    {"a change of processes", &machine::turn, 0.02, 5'000, true},
                                    {"adding 1 KiB of doubles", &machine::fold, 0.0015, 10, true}};

std::string wrong_in(const curve& c, const char* what, double cores) {
  const curve::point* before = nullptr;
  for (const curve::point& p : c.points()) {
    const auto bytes = static_cast<double>(p.bytes);
    const auto says = [&](const std::string& why) {
      return fmt::format("{}: {} bytes in {:.3g} µs ({:.3g} GB/s): {}", what, p.bytes, p.time,
                         p.time > 0 ? bytes / p.time / 1e3 : 0, why);
    };
    if (p.time + clock_step < bytes / bytes_of_a_line * least_line / cores)
      return says("quicker than a core can load and store");
    if (p.time > bytes / least_rate + most_extra) return says("slower than any machine");
    if (before != nullptr) {
      const auto fewer = static_cast<double>(before->bytes);
      if (p.time * most_gain + clock_step < before->time)
        return says(fmt::format("{} bytes took {:.3g} µs", before->bytes, before->time));
      if (p.time > surely_measured && p.time > most_loss * bytes / fewer * std::max(before->time, clock_step))
        return says(fmt::format("{} bytes took only {:.3g} µs", before->bytes, before->time));
    }
    before = &p;
  }
  return {};
}

}  // namespace

std::string implausible(const machine& m) {
  for (const plausible_time& b : times) {
    const double time = m.*b.figure;
    if (b.may_be_unknown && time == 0) continue;
    if (!(time >= b.least && time <= b.most))
      return fmt::format("{} takes {:.3g} µs; expected {} to {}", b.name, time, b.least, b.most);
  }
  const struct {
    const curve& of;
    const char* name;
    double cores;
  } curves[] = {{m.put, "copying into shared memory", 1},
                {m.get, "copying out of shared memory", 1},
                {m.vm, "process_vm_readv", 1},
                {m.vm_together, "process_vm_readv and _writev at the same time", 2},
                {m.together, "two cores that copy", 2}};
  for (const auto& c : curves)
    if (std::string wrong = wrong_in(c.of, c.name, c.cores); !wrong.empty()) return wrong;
  return {};
}

}  // namespace loadstone::model
