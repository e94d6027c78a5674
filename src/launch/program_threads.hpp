// Does a program start threads? Looked up in what it would load, without running it.
#pragma once

#include <functional>
#include <string>

namespace loadstone::launch {

// A variable of the environment that the program will have; nullptr: not set.
using variable_lookup = std::function<const char*(const char*)>;

enum class threading : std::uint8_t {
  none,  // an MPI program in machine code; nothing in it, or in what it loads, refers to the starting of threads
  some,     // something does: OpenMP, a threaded BLAS, TBB, std::thread, pthread_create
  unknown,  // a script, a program without MPI (an interpreter, a wrapper), or a library that is not found
};

// `program` is its file; empty: not found.
threading threading_of(const std::string& program, const variable_lookup& variable);

}  // namespace loadstone::launch
