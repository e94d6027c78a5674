#include "launch/departures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::launch {

namespace {

constexpr std::uint32_t looks_to_believe = 10;  // a second

}  // namespace

bool departures::missed(std::vector<rank_view> ranks) {
  seen_.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    rank_view& rank = ranks[i];
    poller& seen = seen_[i];
    seen.looks = rank.waits.empty() && rank.polls != seen.polls ? seen.looks + 1 : 0;
    seen.polls = rank.polls;
    // For whom is not known: for any.
    for (memory::seen_wait& wait : rank.waits) wait.peer = std::max(wait.peer, -1);
    if (seen.looks >= looks_to_believe) rank.waits.push_back({rank.last_call, -1, -1, 0, lasting_ns, {}});
  }
  return !stuck_ranks(ranks).empty();
}

std::string departures::warning(std::uint32_t world_size) const {
  std::vector<std::uint32_t> ranks = left_;
  std::sort(ranks.begin(), ranks.end());
  return fmt::format(
      "mpiexec: warning: {} {} of {} exited with status 0 without calling MPI_Finalize. No other rank missed "
      "{}.\n",
      ranks.size() == 1 ? "rank" : "ranks", list(ranks), world_size, ranks.size() == 1 ? "it" : "them");
}

}  // namespace loadstone::launch
