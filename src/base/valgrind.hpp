// Tells valgrind what other processes have written into this one's memory (process_vm_writev,
// stores into job memory that both map). Valgrind sees only what this process does: without being
// told, it takes received data for uninitialised.
//
// A build without valgrind's header (LOADSTONE_VALGRIND, CMake) has functions that do nothing.
// Nothing here is called on the way of a short message; mechanisms whose data cannot be told of are
// switched off under valgrind instead (rank::config).
#pragma once

#include <cstddef>

namespace loadstone::base {

// Was this build made with valgrind's header, so that the functions below do something?
bool can_tell_valgrind();

// Is this process run by valgrind? Found out once.
bool under_valgrind();

// Somebody else has written these bytes.
void written_by_others(const void* at, std::size_t bytes);

// While one lives, valgrind does not report that this thread uses uninitialised bytes: the holes
// and padding of what is sent.
class unwritten_is_fine {
 public:
  unwritten_is_fine();
  ~unwritten_is_fine();
  unwritten_is_fine(const unwritten_is_fine&) = delete;
  unwritten_is_fine& operator=(const unwritten_is_fine&) = delete;
};

}  // namespace loadstone::base
