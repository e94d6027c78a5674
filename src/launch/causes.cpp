#include "launch/causes.hpp"

namespace loadstone::launch {

std::optional<std::uint32_t> cause_of(const std::vector<rank_end>& ranks, std::uint32_t rank, bool now) {
  std::uint32_t at = rank;
  // As many steps as there are ranks: two that died of each other are both right, and a circle ends
  // here.
  for (std::size_t steps = 0; steps < ranks.size(); ++steps) {
    const std::uint32_t met = ranks[at].met_death;
    if (met == 0 || met > ranks.size()) return at;
    const rank_end& peer = ranks[met - 1];
    if (!peer.ended && !now) return std::nullopt;
    if (!peer.ended || !peer.failed) return at;
    at = met - 1;
  }
  return rank;
}

}  // namespace loadstone::launch
