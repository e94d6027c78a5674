// What the ranks may know of the machine: which of them share a package, a NUMA node, a cache, a core.
#pragma once

#include <vector>

#include "launch/binding.hpp"
#include "memory/locality.hpp"

namespace loadstone::launch {

// By rank, from the places they are bound to; empty if they are not bound.
// LOADSTONE_TOPOLOGY, a synthetic topology in hwloc's words ("package:2 l3:1 core:4 pu:1"), is used instead
// of the machine's; ranks are then taken to be on its cores in turn, whatever they are bound to (tests,
// trials of placements).
std::vector<memory::locality> localities(std::uint32_t ranks, const binding& bound);

}  // namespace loadstone::launch
