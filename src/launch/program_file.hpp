// The file of a program: where it is looked for, why it cannot be started, and what it is linked
// with.
#pragma once

#include <string>
#include <vector>

#include "launch/options.hpp"

namespace loadstone::launch {

// The name to start the program with: found in the folders of --path, or as the command line says
// it, for execvp.
std::string program_name(const application& a);

// Do the ranks get this variable of ours?
bool is_kept(const inheritance& kept, const std::string& name);

// Is there a file of this name in a folder of PATH, whether it may be started or not? A folder that
// we may not look into makes execvp say "permission denied" of a program that is nowhere.
bool is_in_path(const std::string& name, const char* path);

// Why the program (step 0) or its folder (step 1) cannot be had, in one sentence: errno, and what
// was looked for.
std::string why_not_started(const application& a, int step, int number);

// The file itself, where the ranks of `a` will find it; empty if there is none.
std::string find_program(const application& a);

// What a file in the format ELF is linked with.
struct linkage {
  std::vector<std::string> libraries;  // as named in it: libmpi.so.40
  bool address_sanitizer = false;      // linked in, or from a library
};
linkage read_linkage(const std::string& file);

}  // namespace loadstone::launch
