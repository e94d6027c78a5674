// What /proc, /sys and the environment say of this system.
#pragma once

#include <string>
#include <vector>

#include "command/finding.hpp"

namespace loadstone::command {

struct surroundings {
  std::uint32_t ranks = 1;       // of the job in mind
  std::uint32_t processors = 1;  // in the affinity mask
  std::string root;              // put before /proc and /sys: tests bring a tree of their own
};

// Each looks at one thing. An answer without text: this system does not have it.
finding look_at_processors(const surroundings& here);  // enough of them, and of their time
finding look_at_clock(const surroundings& here);
finding look_at_frequency(const surroundings& here);
finding look_at_huge_pages(const surroundings& here);
finding look_at_host(const surroundings& here);  // of a virtual machine: does it take processors away?
finding look_at_load(const surroundings& here);
finding look_at_memory(const surroundings& here);
finding look_at_launcher();
finding look_at_valgrind();  // does this build tell it what peers write?
std::vector<finding> look_at_settings(const surroundings& here);

// Who refuses process_vm_readv, as far as can be told: one sentence, and what mends it.
finding explain_refusal(const surroundings& here, int error_number);

}  // namespace loadstone::command
