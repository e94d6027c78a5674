// mpiexec --shared-heap: a malloc of ours in every rank, which takes large blocks from job memory
// (src/heap).
#pragma once

#include <cstdint>
#include <string>

#include "launch/options.hpp"

namespace loadstone::launch {

inline constexpr const char* shared_heap_variable = "LOADSTONE_SHARED_HEAP";
inline constexpr std::uint64_t usual_shared_heap = 32 * 1024;
inline constexpr std::uint64_t least_shared_heap = 4096;

// "0" is no shared heap. False: not a number, or too small.
[[nodiscard]] bool parse_shared_heap(const std::string& text, std::uint64_t* bytes);

// Finds the library beside this mpiexec. Empty: `*library` is its path, or empty where no library
// is needed. Else why there can be no shared heap.
std::string find_shared_heap(const options& wanted, std::string* library);

// In the process that becomes a rank, after the variables that the user gave it.
void set_shared_heap(const std::string& library, std::uint64_t bytes);

}  // namespace loadstone::launch
