// The sizes at which the library changes its way, as they follow from a machine
// (thresholds_of, protocols.hpp). As delivered they are those of the machine that is built in.
#pragma once

#include <cstdint>

namespace loadstone::model {

struct thresholds {
  static constexpr std::int64_t most_unasked = 64 * 1024, unbounded = 1 << 30;
  // Below a page nothing is gained by asking.
  static constexpr std::int64_t least = 4096;

  // Up to here a message leaves without asking: where no other way is quicker, and not more than a
  // receiver keeps of each message that nobody has asked for.
  std::int64_t eager = 64 * 1024;
  // The same from memory that both can map. Who sends more waits for its receiver, so one copy has
  // to save a fifth.
  std::int64_t direct = 16 * 1024;
  // Up to here cells may be quicker than the kernel for a message that both ends wait for: which of
  // them is quicker is learnt for each peer while running. Beyond, cells take twice as long.
  // `unbounded`: at no size.
  std::int64_t pipeline = unbounded;
};

}  // namespace loadstone::model
