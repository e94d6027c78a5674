// Which processors this process may use, how many that is, and what they are good at. Read from the
// system at each call: no call belongs on a hot path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone::base {

// How many processors' worth of time this process may use: those of its affinity mask, or the CPU
// quota of its cgroups (rounded up) if that is less. At least 1.
std::uint32_t usable_cpus();

// How many processors are in our affinity mask. At least 1.
std::uint32_t affinity_cpus();

// Their numbers, in order.
std::vector<int> affinity_list();

// Moves this thread to one of the n processors in its affinity mask: number index % n. The mask
// stays as it was, so the kernel may move the thread away again at any time.
void move_to_cpu(std::uint32_t index);

// The same, to the processor that the system gives this number, if it is in the mask.
void move_to_cpu_numbered(std::uint32_t number);

// Gives this thread the affinity mask of another process. If the system refuses, the mask stays as
// it is.
void share_cpus_of(std::int32_t process);

// Bytes of the second-level cache of a core; 2 MiB where the system does not say.
std::size_t second_level_cache();

// Is it slow to write into a cache line that two cores hold in the shared state? Then a reader
// should store a word into each line that it has read: the line is its own then, and the writer
// gets it back faster. True of AMD's processors: they fetch a shared line for writing neither by a
// prefetch nor early from the store buffer, and the next locked instruction waits for it. Two cores
// of a Zen 4 that share a cache, a ring of lines, one store and one locked instruction a line: 24
// ns a line, and 9 when the reader has stored one word. Elsewhere: false.
bool slow_to_take_shared_lines();

// Is a string instruction (rep movsb) the best way to copy between two cores? It is where it writes
// whole lines without fetching them first, and reads another core's lines as fast as vector loads
// do: on AMD's processors since their family 1Ah (docs/decisions/005).
bool copies_best_by_string();

// Are there vectors of 64 bytes (AVX-512 with its parts VL, BW and DQ)? Of AMD's processors, from
// Zen 4 on.
bool has_vectors_of_64();

// Is the same instruction slow where source and destination lie almost alike in their pages, as the
// kernel's copies are then? On AMD's family 19h, Zen 3 and 4 (docs/decisions/031).
bool copies_some_slowly_by_string();

// What the processor calls itself ("AMD EPYC 9B45"); empty where it does not say (x86-64 does).
std::string processor_name();

// How many processors' worth of time the tightest of our cgroups grants; infinity: no limit. `root`
// is put before /proc and /sys: tests bring a tree of their own.
double cpu_quota(const std::string& root = "");

}  // namespace loadstone::base
