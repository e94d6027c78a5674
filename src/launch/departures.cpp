#include "launch/departures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::launch {

namespace {

constexpr std::uint32_t looks_to_believe = 100;  // ten seconds

// A poll that is older proves nothing: what it would have found may have come since. A younger one came after any wait
// that counts had begun, and so after what the waiting rank had sent.
constexpr std::uint32_t looks_to_doubt = lasting_ns / 1'000'000 / departures::look_every_ms;

}  // namespace

bool departures::missed(std::vector<rank_view> ranks) {
  seen_.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    rank_view& rank = ranks[i];
    poller& seen = seen_[i];
    const bool polled = rank.polls != seen.polls;
    if (!rank.waits.empty() || rank.moved != seen.moved)
      seen.looks = 0;
    else if (polled)
      ++seen.looks;
    seen.quiet = polled ? 0 : std::min(seen.quiet + 1, looks_to_doubt);
    seen.polls = rank.polls;
    seen.moved = rank.moved;
    // For whom is not known: for any.
    for (memory::seen_wait& wait : rank.waits) wait.peer = std::max(wait.peer, -1);
    if (seen.looks >= looks_to_believe && seen.quiet < looks_to_doubt)
      rank.waits.push_back({rank.last_call, -1, -1, 0, lasting_ns, {}});
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
