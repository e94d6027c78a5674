// Writing past the page cache (O_DIRECT): the device fetches the data from where it lies, so that
// carrying takes next to no processor time; through the cache each byte is copied once more, into
// pages that must be found first. But the writer of a page waits for the device, and who reads the
// file soon finds nothing in the cache.
//
// Measured on ext4, a virtual disk, 64 MiB in units of 8: 3 ms of processor time in 45 ms past the
// cache, 16 to 180 in as many through it.
//
// So: past the cache as long as nobody waits, and then by whichever way is quicker.
#pragma once

#include <cstdint>

#include "base/learned.hpp"

namespace loadstone::buffering {

class past_cache {
 public:
  static constexpr std::uint64_t page = 4096;  // what offsets, lengths and addresses are multiples of

  // Is the file system of this file known to gain by it?
  static bool gains_at(int descriptor);
  // The same open file for this, or -1: it does not gain, or cannot be opened so.
  static int open(int descriptor);
  static bool takes(std::uint64_t offset, std::uint64_t bytes, const void* memory) {
    return ((offset | bytes | reinterpret_cast<std::uintptr_t>(memory)) & (page - 1)) == 0;
  }

  bool choose(bool in_a_hurry) const;
  // What a step has written either way, and how long it took.
  void note(std::uint64_t past, std::uint64_t cached, std::uint64_t ns);

 private:
  base::learned_mean past_, cached_;  // ns a byte
};

}  // namespace loadstone::buffering
