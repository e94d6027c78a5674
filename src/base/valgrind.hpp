// Valgrind sees what this process does, and nothing of what others do to its memory: data that a
// peer has written into it (process_vm_writev, or stores into job memory that both map) looks to it
// as it was before. These tell it.
//
// A build without valgrind's header (LOADSTONE_VALGRIND, CMake) has functions that do nothing. No
// call belongs on the way of a short message: there, what cannot be told is not done under valgrind
// (rank::config).
#pragma once

#include <cstddef>

namespace loadstone::base {

// Has this build valgrind's header, so that the functions below do something?
bool can_tell_valgrind();

// Is this process run by valgrind? Found out once.
bool under_valgrind();

// Somebody else has written these bytes.
void written_by_others(const void* at, std::size_t bytes);

// While one lives, this thread's use of bytes that nobody has written is not reported: the holes
// and paddings of what is sent.
class unwritten_is_fine {
 public:
  unwritten_is_fine();
  ~unwritten_is_fine();
  unwritten_is_fine(const unwritten_is_fine&) = delete;
  unwritten_is_fine& operator=(const unwritten_is_fine&) = delete;
};

}  // namespace loadstone::base
