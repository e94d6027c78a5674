// The command line of mpiexec.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launch/placement.hpp"

namespace loadstone::launch {

// Which of our environment variables the ranks get.
struct inheritance {
  bool said = false, all = true;
  std::vector<std::string> names;  // if not all
};

// One part of `mpiexec a : b`.
struct application {
  std::uint32_t ranks = 1;
  std::vector<std::string> command;
  inheritance inherited;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string folder;  // --wdir; empty: ours
  std::string path;    // --path: folders in which the program is looked for before PATH
};

// Who gets the standard input.
struct input_wish {
  enum class to : std::uint8_t { rank, all, nobody } whom = to::rank;
  std::uint32_t rank = 0;
};

// Where the ranks' output goes; names with %r in them, empty: to ours. The same name twice is one
// file.
struct output_wish {
  std::string output, error;
};

struct options {
  std::vector<application> applications;
  // For all parts; they have it too when the command line has been parsed.
  inheritance inherited;
  std::vector<std::pair<std::string, std::string>> environment;
  placement_wish placing;
  bool report_bindings = false, io_report = false;
  std::uint32_t io_ranks = 0;  // I/O processes with a core each; 0: one, anywhere
  bool label = false, quiet = false, verbose = false;
  input_wish input;
  output_wish output;
  double timeout = 0;              // seconds; 0 = none
  std::vector<std::string> notes;  // what was asked for and has no effect, a line each
  std::uint64_t shared_heap = 0;   // blocks from so many bytes on are taken from job memory; 0 = none

  std::uint32_t world_size() const {
    std::uint32_t n = 0;
    for (const application& a : applications) n += a.ranks;
    return n;
  }
};

// What to do after parsing: run (status < 0), or print `text` and end with `status` (help, version,
// a mistake).
struct parsed {
  options wanted;
  int status = -1;
  std::string text;
};

parsed parse_command_line(int argc, const char* const* argv);

}  // namespace loadstone::launch
