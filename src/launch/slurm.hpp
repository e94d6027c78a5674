// What Slurm's variables say of this node, when mpiexec runs in an allocation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace loadstone::launch {

// The number at place `node` of SLURM_TASKS_PER_NODE: "4(x2),2" says 4, 4, 2. Nothing where there
// is none.
std::optional<std::uint32_t> tasks_of_node(std::string_view tasks_per_node, std::uint32_t node);

// The place of `host` in a list of nodes: "a[1-3,07]b,c". Nothing where it is not in it, or the
// list is malformed.
std::optional<std::uint32_t> place_in_nodes(std::string_view list, std::string_view host);

// How many tasks the allocation has on this node. Nothing outside an allocation, on a node that is
// none of its, and in a task of a step with several: each of those would start all. `variable` is
// getenv; `host` the name of this node, for where no variable says which it is.
std::optional<std::uint32_t> slurm_tasks(const std::function<const char*(const char*)>& variable,
                                         std::string_view host);

}  // namespace loadstone::launch
