// Checks of `loadstone doctor` that read /proc, /sys and the environment; those that try something
// are in probes.hpp.
#pragma once

#include <string>
#include <vector>

#include "command/finding.hpp"

namespace loadstone::command {

struct surroundings {
  std::uint32_t ranks = 1;       // of the job that the user asks about
  std::uint32_t processors = 1;  // in the affinity mask
  std::string root;              // put before /proc and /sys: tests bring a tree of their own
};

// Each checks one thing. A finding without text: this system has nothing of the kind.
finding look_at_processors(const surroundings& here);  // are there enough, by mask and by quota?
finding look_at_clock(const surroundings& here);
finding look_at_frequency(const surroundings& here);
finding look_at_huge_pages(const surroundings& here);
finding look_at_host(const surroundings& here);  // does the host of this virtual machine take time away?
finding look_at_load(const surroundings& here);
finding look_at_memory(const surroundings& here);
finding look_at_launcher();
finding look_at_valgrind();  // can this build tell valgrind what peers write?
std::vector<finding> look_at_settings(const surroundings& here);

// Says what refuses process_vm_readv, as far as can be known, and what to do about it.
finding explain_refusal(const surroundings& here, int error_number);

}  // namespace loadstone::command
