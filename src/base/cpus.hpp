// How many processors this process may use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::base {

// The affinity mask, cut by the CPU quota of every cgroup above us (rounded up). At least 1.
std::uint32_t usable_cpus();

// Processors in our affinity mask. At least 1.
std::uint32_t affinity_cpus();

// Their numbers, in order.
std::vector<int> affinity_list();

// Moves this thread to the processor number index % n of the n in its affinity mask; it may leave
// again at any time.
void move_to_cpu(std::uint32_t index);

// The same for the processor that has this number, if it is in the mask.
void move_to_cpu_numbered(std::uint32_t number);

// From here on this thread, which may be bound, runs wherever that process may, if it can.
void share_cpus_of(std::int32_t process);

// Does a processor write faster into a line whose last reader has written into it, too, than into
// one that was only read? True of AMD's: a line that both have is not asked for ahead, neither by a
// prefetch for writing nor from the store buffer, and the next locked instruction waits for it. (A
// ring of lines between two cores of a Zen 4 that share a cache, one store and one locked
// instruction a line: 24 ns a line, 9 when the reader has stored one word.) Elsewhere: false.
bool slow_to_take_shared_lines();

// Does this processor write whole lines, in a string instruction, without fetching them first, and
// take the lines of another core in such a copy as fast as by vectors? AMD's do since their family
// 1Ah (docs/decisions/005).
bool copies_best_by_string();

// Processors' worth of time that the tightest of the cgroups above us grants; infinity: no limit.
// `root` is put before /proc and /sys: tests bring a tree of their own.
double cpu_quota(const std::string& root = "");

}  // namespace loadstone::base
