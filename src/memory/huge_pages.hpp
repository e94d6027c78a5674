// Huge pages of job memory. A device that writes from where data lie is given runs of neighbouring
// memory, and each run costs it and its host something: 64 MiB of single pages are 16384 of them,
// of huge pages 32 (decision 032). And a huge page is there sooner than the single pages in its
// place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::memory {

inline constexpr std::size_t huge_page = 2 << 20, single_page = 4096;

// Gives memory to a range of a shared file that has none yet, as far as the system has it by huge
// pages: those of the range that begin at multiples of their length, in the file and at `base`,
// where it is mapped. No error: what has got none is as before, but for a few single pages.
void take_huge_pages(int descriptor, std::uint64_t offset, std::byte* base, std::size_t bytes);

}  // namespace loadstone::memory
