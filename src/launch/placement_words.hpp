// What may follow --bind-to and --map-by, as this and other launchers spell it.
#pragma once

#include <string>

#include "launch/placement.hpp"

namespace loadstone::launch {

// core, numa, …; core:4, in which each rank gets so many; modifiers of other launchers
// (:overload-allowed) ask for what happens anyway. Each answers with what is wrong, without the
// word; empty: nothing.
[[nodiscard]] std::string read_bind_to(const std::string& text, placement_wish* wish);

// core (slot, node: the same), hwthread, l3cache, numa, socket; ppr:2:socket; each with modifiers:
// numa:PE=4, :HWTCPUS
[[nodiscard]] std::string read_map_by(const std::string& text, placement_wish* wish);

// A number of cores for each rank.
[[nodiscard]] std::string read_cores_per_rank(const std::string& text, placement_wish* wish);

}  // namespace loadstone::launch
