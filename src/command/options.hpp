// The command line of `loadstone`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/measure.hpp"

namespace loadstone::command {

struct info_options {
  bool changed = false;            // only settings that are set
  std::vector<std::string> names;  // only these; with or without LOADSTONE_
  std::uint32_t ranks = 0;         // explain the automatic choices for so many; 0: one for each processor
};

struct doctor_options {
  std::uint32_t ranks = 0;  // of the job that is asked about; 0: one for each processor
};

struct model_options {
  std::uint32_t rounds = 3;
  model::pattern how = model::pattern::rewritten;
  bool suggest = false;           // print suggested settings instead of tables
  std::string svg;                // a file for the picture; empty: none
  std::uint32_t collectives = 0;  // only these, of so many ranks; 0: all tables
};

struct model_io_options {
  std::int64_t bytes = 64 << 20;  // of one rank in one snapshot
  double interval = 1;            // seconds between two
  std::uint32_t ranks = 0;        // 0: one for each processor
  std::int64_t buffer = -1;       // of one rank; -1: as the library would choose
  std::string folder = ".";       // of the file system that is asked about
};

struct explain_options {
  std::int64_t bytes = 0;
  std::string peer = "ordinary";  // where the buffers lie, and what is allowed
  std::uint32_t ranks = 2;
  bool waits = true;        // blocking calls at both ends
  bool advertised = false;  // the receive was posted long before, by a call that does not wait
  // Of a collective:
  std::string collective;
  // Of a one-sided operation:
  std::string window = "allocated";  // where the target's memory is from
  std::int64_t blocks = 1;           // equal ones at the target
};

// Runs what the words ask for and returns the exit status. Mistakes go to standard error, with
// status 2.
int run_command_line(int argc, const char* const* argv);

}  // namespace loadstone::command
