// Which rank's end has caused which. A process that fails because a peer has died says so in job
// memory (memory/liveness.hpp). Its own end may be seen before the peer's; the peer is the cause
// all the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace loadstone::launch {

struct rank_end {
  bool ended = false;
  bool failed = false;          // valid once it has ended
  std::uint32_t met_death = 0;  // 1 + the rank whose death it met first; 0: none
};

// Whom to blame for the end of `rank`, which has failed: itself, or the rank whose death it met,
// and so on. Nothing: that one's end has not been seen yet, which is worth waiting for unless
// `now`. Who has ended as it should is not to blame, whatever is said of it.
std::optional<std::uint32_t> cause_of(const std::vector<rank_end>& ranks, std::uint32_t rank, bool now);

}  // namespace loadstone::launch
