// Which cores each rank gets. A function of the machine and of what is wished, and of nothing else:
// `binding` brings the machine, and finds out which cores other jobs have.
//
// Unless wishes say otherwise:
// - A rank whose program is known to run one thread gets one core; ranks that talk to each other
//   are neighbours.
// - Any other gets its share of the cores, or as many as the user has said that it starts threads.
// - Nobody is bound where there is not a core for each.
// - I/O processes get a core each of what the ranks leave, near those that they work for; ranks of
//   many threads leave them one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/cores.hpp"

namespace loadstone::launch {

enum class machine_part : std::uint8_t { automatic, none, hwthread, core, l3cache, numa, socket };

// What the command line says.
struct placement_wish {
  machine_part bind = machine_part::automatic;  // what a rank may run on
  machine_part map = machine_part::automatic;   // of what the next rank gets the next one
  std::uint32_t in_a_row = 1;                   // ranks that one such part gets before the next does
  std::uint32_t each = 0;                       // ranks on each such part, if that is said (ppr:K:PART)
  bool each_on_node = false;                    // the part is the whole machine
  std::uint32_t cores = 0;                      // for each rank; 0: not said
  bool hwthreads = false;                       // hardware threads count as cores
};

// Ranks of one program, and how many threads each of them starts; 0: as many as there are cores for
// it.
struct demand {
  std::uint32_t ranks;
  std::uint32_t threads;
};

struct placement {
  std::vector<processors> places;  // by rank; empty: ranks are not bound
  std::vector<std::uint32_t>
      threads;               // by rank: as many as there are cores for it, all ranks counted; at least 1
  bool crowded = false;      // ranks share cores
  std::uint32_t served = 0;  // I/O processes for which there is a core beside those of the ranks
  std::vector<processors> servers;  // which, if ranks are bound
  std::string note;                 // a wish cannot be had as it was said
};

// `usable`: at most so many cores' worth of time are ours (quotas). `servers`: I/O processes.
placement place(const std::vector<core>& cores, const std::vector<demand>& ranks, const placement_wish& wish,
                std::uint32_t usable, std::uint32_t servers = 0);

// Cores, hardware threads, or groups of cores; a machine that shows no such groups is one.
std::size_t count_parts(const std::vector<core>& cores, machine_part part);

// Ranks that may use every processor, of which `ours` cores' worth are ours.
placement unbound(std::uint32_t ranks, std::size_t ours, std::uint32_t servers = 0);

// As it is written on the command line, and back; automatic: not a name of one.
const char* name_of(machine_part part);
machine_part part_named(const std::string& name);

// Processors as people write them: 0-3,8.
std::string written(const processors& place);

}  // namespace loadstone::launch
