// Up to how many bytes what is done: a pure function of the settings, of the machine
// (engine_config::machine) and of where the process runs.
#pragma once

#include <cstdint>

#include "p2p/engine_config.hpp"

namespace loadstone::p2p {

// Two copies at once pay from here on.
inline constexpr std::int64_t least_shared = 32 * 1024;
// Whoever can map the other's buffer is quicker alone than with the other's help by the kernel (128
// KiB 3 µs for 7, 512 KiB 12 for 23, 1 MiB 24 for 24).
inline constexpr std::int64_t least_helped_by_kernel = 1 << 20;

struct surroundings {
  std::uint32_t cores = 0;       // of the job; 0: not known
  std::uint32_t processes = 1;   // of the job
  bool threads = false;          // several of this process may call
  bool progress_thread = false;  // one polls while the program computes
};

// The settings with every "automatic" decided, each within what the layers below can do, and what
// follows from them.
struct limits : engine_config {
  std::int64_t short_message = 0;  // sent with its envelope in one slot, without asking
  std::int64_t untold = 0;         // a receive that nobody has to be told of
  std::int64_t by_turns = 0;       // the same of one that finds the pair line open
  std::int64_t at_once = 0;        // what may leave as one block that nobody answers
  // Below, a receive is not worth the message that makes it known: its message comes without
  // asking.
  std::int64_t least_advertised = 0;
};

limits limits_of(const engine_config& wanted, const surroundings& here);

}  // namespace loadstone::p2p
