// What libloadstone gives to libloadstone_heap when MPI starts: a `source` of memory that peers can
// map. The heap library gets into programs by LD_PRELOAD, and is linked neither with libloadstone
// nor with the C++ runtime. These structs and the two functions at the end are all that the two
// libraries know of each other; libloadstone finds the functions with dlsym (rank/shared_heap.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::heap {

// Memory that peers can map. Its pages are allocated when they are touched; it stays mapped until
// the process ends.
struct span {
  void* base;
  std::size_t bytes;
  int descriptor;      // of the file behind it; owned by the source, which may close it after detach
  std::int64_t place;  // offset of `base` in that file
};

// Where the heap library gets its spans. Any thread may call the functions, several at a time. They
// do not throw, and may call malloc.
struct source {
  std::uint32_t version;
  std::size_t least;  // blocks from this size on come from it; 0: as usual
  void* context;
  // Makes a span of at least `bytes`. False: there is no memory, or this thread is already in a
  // function of the source.
  bool (*grow)(void* context, std::size_t bytes, span* made);
  // To be called before `bytes` more of its spans are touched. False: a limit does not allow it.
  bool (*charge)(void* context, std::size_t bytes);
  // To be called when `bytes` have been given back to the system. Never waits for `grow` or
  // `charge`.
  void (*discharge)(void* context, std::size_t bytes);
};
inline constexpr std::uint32_t source_version = 2;

}  // namespace loadstone::heap

extern "C" {
// From now on large blocks come from `from`, which is copied. False: it is of another version, or
// there is a source already, or some of the program's calls of malloc and its family do not come
// here (it brings a malloc of its own).
bool loadstone_heap_attach(const loadstone::heap::source* from);
// From now on no block comes from that source; existing blocks stay valid. When this returns, no
// function of the source is running, and none will be called again.
void loadstone_heap_detach(void* context);
}
