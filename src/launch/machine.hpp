// What the ranks may know of the machine: which of them share a package, a NUMA node, a cache, a
// core.
#pragma once

#include <vector>

#include "launch/placement.hpp"
#include "memory/locality.hpp"

namespace loadstone::launch {

// LOADSTONE_TOPOLOGY, a synthetic topology in hwloc's words ("package:2 l3:1 core:4 pu:1"), is used
// instead of the machine's where the ranks are told and shown where they are, whatever they are
// bound to (tests, trials of placements). Nullptr: not set.
const char* synthetic_machine();

// By rank, from the places they have there; empty if they are not bound. On a synthetic machine
// that has not a core for each they are taken to be on its cores in turn.
std::vector<memory::locality> localities(std::uint32_t ranks, const placement& bound);

}  // namespace loadstone::launch
