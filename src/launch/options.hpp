// The command line of mpiexec.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::launch {

// One part of `mpiexec a : b`.
struct application {
  std::uint32_t ranks = 1;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string folder;  // --wdir; empty: ours
};

enum class binding_wish : std::uint8_t { automatic, core, none };

struct options {
  std::vector<application> applications;
  binding_wish binding = binding_wish::automatic;
  bool label = false;
  double timeout = 0;              // seconds; 0 = none
  std::vector<std::string> notes;  // what was asked for and has no effect, a line each
  std::uint64_t shared_heap = 0;   // blocks from so many bytes on are taken from job memory; 0 = none

  std::uint32_t world_size() const {
    std::uint32_t n = 0;
    for (const application& a : applications) n += a.ranks;
    return n;
  }
};

// What to do after parsing: run (status < 0), or print `text` and end with `status` (help, version, a
// mistake).
struct parsed {
  options wanted;
  int status = -1;
  std::string text;
};

parsed parse_command_line(int argc, const char* const* argv);

}  // namespace loadstone::launch
