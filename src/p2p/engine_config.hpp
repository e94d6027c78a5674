// The settings of messages; limits.hpp has what follows from them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/events.hpp"
#include "model/thresholds.hpp"
#include "p2p/copy_costs.hpp"

namespace loadstone::p2p {

struct engine_config {
  // What the three limits are that are not set, and what counts as a lowered eager limit.
  model::thresholds machine;
  static constexpr std::size_t of_machine = ~std::size_t{0};  // not set
  // LOADSTONE_EAGER_LIMIT: up to here a standard send completes locally. Unless it is lowered, so
  // does a blocking one up to pipeline_block.
  std::size_t eager_limit = of_machine;
  // Longer ones that lie in memory the receiver can map (MPI_Alloc_mem) are not copied into a cell:
  // they are copied once, by both ends, and a standard send waits for its receiver. Only with a
  // core for every process.
  std::size_t direct_limit = of_machine;
  // LOADSTONE_UNEXPECTED: memory here before senders are asked to keep theirs
  std::size_t unexpected_limit = 16u << 20;
  std::size_t pipeline_block = 256 * 1024;
  // Up to here a message that both ends wait for goes through cells, both copying at once, to peers
  // where that is measured to be quicker than a copy by the kernel (copy_costs.hpp). Only with a
  // core for every process, and of processes with one thread. 0: never.
  std::size_t pipeline_limit = of_machine;
  copy_costs::rules pipeline_rules;  // tests: always, never, soon
  static constexpr std::size_t automatic = 2;
  // Whether a receiver asks a sender to copy a part of a large message (0, 1); automatic: when
  // there is a core for every process, so that no block waits for a process that waits for a core.
  std::size_t both_sides = automatic;
  base::event_sink* events = nullptr;  // who wants to know of unexpected messages; may be null

  // Of a job of so many processes on so many cores (0: not known).
  static bool core_for_each(std::uint32_t cores, std::uint32_t processes) {
    return cores == 0 || cores >= processes;
  }
  bool copies_on_both_sides(std::uint32_t cores, std::uint32_t processes) const {
    return both_sides < automatic ? both_sides != 0 : core_for_each(cores, processes);
  }
};

}  // namespace loadstone::p2p
