// The cores of a machine that we may use, in the order of its tree: neighbours share caches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loadstone::launch {

// Numbers of processors (hardware threads), as the kernel counts them.
using processors = std::vector<int>;

// Parts of a machine that are larger than a core, smallest first.
enum class group_kind : std::uint8_t { l3cache, numa, socket };
inline constexpr std::size_t group_kinds = 3;

struct core {
  processors threads;                               // those that we may use; never empty
  std::array<int, group_kinds> within{-1, -1, -1};  // number of its L3 cache, …; -1: the machine shows none
};

// Of this machine inside our affinity mask, or of a synthetic one (hwloc's words, as in
// LOADSTONE_TOPOLOGY), which is ours as a whole. `groups`: what the cores are within is looked up
// too, which takes longer. Empty if it cannot be read.
std::vector<core> read_cores(const char* synthetic, bool groups);

// All their processors, in order.
processors all_processors(const std::vector<core>& cores);

}  // namespace loadstone::launch
