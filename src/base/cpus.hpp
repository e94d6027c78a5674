// How many processors this process may use.
#pragma once

#include <cstdint>

namespace loadstone::base {

// The affinity mask, cut by the CPU quota of every cgroup above us (rounded up). At least 1.
std::uint32_t usable_cpus();

}  // namespace loadstone::base
