#include "launch/departures.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace loadstone::launch {

namespace {

constexpr std::uint32_t checks_to_believe = 100;  // ten seconds

// A rank that polls every check and has found nothing may have begun to compute half a second ago.
constexpr std::uint32_t checks_to_doubt = lasting_ns / 1'000'000 / departures::check_every_ms;

bool is_over(const rank_view& rank) {
  return rank.ended || rank.state == memory::process_state::finalized;
}

// Could somebody go on who cannot, if this rank were still there?
bool is_needed(std::vector<rank_view> ranks, std::uint32_t rank) {
  const std::size_t stuck = stuck_ranks(ranks).size();
  ranks[rank].ended = false;
  ranks[rank].waits.clear();
  return stuck_ranks(ranks).size() < stuck;
}

}  // namespace

void departures::add(std::uint32_t rank, without what) {
  (what == without::finalize ? left_ : absent_).push_back(rank);
}

bool departures::has_moved(const std::vector<rank_view>& ranks) {
  bool moved = seen_.size() != ranks.size();
  seen_.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const rank_view& rank = ranks[i];
    poller& seen = seen_[i];
    moved |= rank.moved != seen.moved || rank.waits.size() != seen.waits || is_over(rank) != seen.over;
    for (const memory::seen_wait& wait : rank.waits) moved |= wait.waited_ns < lasting_ns;
    seen.moved = rank.moved;
    seen.waits = rank.waits.size();
    seen.over = is_over(rank);
  }
  return moved;
}

bool departures::polls_in_vain(const poller& p) const {
  if (p.checks < checks_to_believe) return false;
  const std::uint32_t still_for = still_ - p.last;
  return still_for < std::max(checks_to_doubt, 2 * p.last / p.checks);
}

std::optional<std::uint32_t> departures::missed(const std::vector<rank_view>& ranks) {
  const bool moved = has_moved(ranks);
  still_ = moved ? 0 : still_ + 1;
  std::vector<rank_view> named = ranks, all = ranks;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    poller& seen = seen_[i];
    if (moved)
      seen.checks = seen.last = 0;
    else if (ranks[i].polls != seen.polls)
      ++seen.checks, seen.last = still_;
    seen.polls = ranks[i].polls;
    for (memory::seen_wait& wait : named[i].waits)
      if (wait.peer < 0) wait.peer = -2;
    // For whom is not known: for any.
    for (memory::seen_wait& wait : all[i].waits) wait.peer = std::max(wait.peer, -1);
    if (ranks[i].waits.empty() && polls_in_vain(seen))
      all[i].waits.push_back({ranks[i].last_call, -1, -1, 0, lasting_ns, {}});
  }
  for (const std::uint32_t rank : left_)
    if (is_needed(all, rank)) return rank;
  for (const std::uint32_t rank : absent_) {
    const bool is_mpi = std::any_of(ranks.begin(), ranks.end(), [&](const rank_view& r) {
      return r.application == ranks[rank].application && r.state != memory::process_state::free;
    });
    if (is_needed(is_mpi ? all : named, rank)) return rank;
  }
  // That ranks wait for each other may well come of a rank that has left too early.
  if (!left_.empty() && !stuck_ranks(all).empty()) return left_.front();
  return {};
}

std::string departures::warning(std::uint32_t world_size) const {
  if (left_.empty()) return {};
  std::vector<std::uint32_t> ranks = left_;
  std::sort(ranks.begin(), ranks.end());
  return fmt::format(
      "mpiexec: warning: {} {} of {} exited with status 0 without calling MPI_Finalize. No other rank missed "
      "{}.\n",
      ranks.size() == 1 ? "rank" : "ranks", list(ranks), world_size, ranks.size() == 1 ? "it" : "them");
}

}  // namespace loadstone::launch
