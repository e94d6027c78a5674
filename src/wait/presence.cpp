#include "wait/presence.hpp"

#include <sched.h>

namespace loadstone::wait {

void presence::arrive() {
  if (mine_ == nullptr) return;
  const int core = sched_getcpu();  // reads a word that the kernel keeps for this thread
  const std::uint32_t now = core < 0 ? nowhere : static_cast<std::uint32_t>(core) + 1;
  // Others have the line while they wait for us: not written without need.
  if (mine_->load(std::memory_order_relaxed) != now) mine_->store(now, std::memory_order_relaxed);
}

}  // namespace loadstone::wait
