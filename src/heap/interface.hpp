// What libloadstone hands libloadstone_heap when MPI starts. The heap library is put into programs
// by LD_PRELOAD and linked with neither libloadstone nor the C++ runtime: they meet through these
// structs and two names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::heap {

// Memory that peers can map, and that becomes real when it is touched. It stays mapped until the
// process ends.
struct span {
  void* base;
  std::size_t bytes;
  int descriptor;      // of the file behind it; the caller's, who may close it after detach
  std::int64_t place;  // of `base` in that file
};

// Called from any thread, by several at once; none of the functions throws. They may call malloc.
struct source {
  std::uint32_t version;
  void* context;
  // At least `bytes`; false: there is none, also when this thread is just now within the source.
  bool (*grow)(void* context, std::size_t bytes, span* made);
  // Before so many bytes more of its spans are touched; false: a limit does not allow it.
  bool (*charge)(void* context, std::size_t bytes);
  // So many bytes are given back to the system. Never waits for `grow` or `charge`.
  void (*discharge)(void* context, std::size_t bytes);
};
inline constexpr std::uint32_t source_version = 1;

}  // namespace loadstone::heap

extern "C" {
// From now on large blocks come from `from`, which is copied. False: another version, or there is a
// source already, or not all of the program's calls of malloc and its family come here (a malloc of
// its own goes first).
bool loadstone_heap_attach(const loadstone::heap::source* from);
// No more blocks from there; blocks that live stay valid. When this returns, no function of the
// source runs, or ever will.
void loadstone_heap_detach(void* context);
}
