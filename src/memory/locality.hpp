// Where in the machine each process of the first world runs: mpiexec reads the topology once and
// leaves it on the job's board (memory/board.hpp).
//
// Key "locality.<i>": for processes 64 i … 64 i + 63, one byte for each level below.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/job.hpp"

namespace loadstone::memory {

// Kinds of hardware that processes may share, largest first, as hwloc names them.
inline constexpr std::array hardware_levels = {"Package", "NUMANode", "L3Cache", "L2Cache", "Core"};
inline constexpr std::uint8_t nowhere = 255;  // not kept within one of them, or not known
// The number of its package, NUMA node, …, each counted over the machine.
using locality = std::array<std::uint8_t, hardware_levels.size()>;

void publish_localities(job& job, std::uint32_t self, const std::vector<locality>& all);
// Nowhere, if nobody has said.
std::vector<locality> localities_of(job& job, std::uint32_t processes);

}  // namespace loadstone::memory
