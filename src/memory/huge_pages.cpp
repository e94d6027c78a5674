#include "memory/huge_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include "base/round_up.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // as Linux 6.1 has it; the C library's headers may be older
#endif

namespace loadstone::memory {

// MADV_COLLAPSE, as the file systems of memory give huge pages by themselves only where an
// administrator has asked for it. It wants one page at least of each that it makes. One call for
// all: each waits for other cores for a moment.
void take_huge_pages(int descriptor, std::uint64_t offset, std::byte* base, std::size_t bytes) {
  const std::uint64_t from = base::round_up(offset, huge_page), to = (offset + bytes) / huge_page * huge_page;
  if (from >= to || (reinterpret_cast<std::uintptr_t>(base) - offset) % huge_page != 0) return;
  for (std::uint64_t at = from; at < to; at += huge_page)
    if (fallocate(descriptor, 0, static_cast<off_t>(at), single_page) != 0) return;
  madvise(base + (from - offset), to - from, MADV_COLLAPSE);
}

}  // namespace loadstone::memory
