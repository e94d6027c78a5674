#include "launch/standstill.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "launch/timetable.hpp"

namespace loadstone::launch {

namespace {

// More than a fiftieth of a core: threads that sleep in MPI look around now and then.
constexpr std::int64_t idle_share = 50;

}  // namespace

bool standstill::is_busy(std::uint32_t rank, const stat_of_rank& stat, std::int64_t now_ms) {
  const auto seen = stat(rank);
  if (!seen) return false;  // only its waits can be seen
  const usage before = used_[rank];
  used_[rank] = {seen->used_ticks, now_ms};
  if (seen->state != 'S') return true;
  if (before.at < 0) return false;
  const auto used = static_cast<std::int64_t>(seen->used_ticks - before.ticks) * 1000 / sysconf(_SC_CLK_TCK);
  return used * idle_share > now_ms - before.at;
}

std::string standstill::look(const std::vector<rank_view>& ranks, const stat_of_rank& stat,
                             std::int64_t now_ms) {
  used_.resize(ranks.size());
  std::vector<rank_view> seen = ranks;
  for (const std::uint32_t rank : stuck_ranks(ranks))
    if (is_busy(rank, stat, now_ms)) seen[rank].waits.clear();
  const std::vector<std::uint32_t> now = stuck_ranks(seen);
  std::vector<std::uint32_t> still;
  std::set_intersection(now.begin(), now.end(), stuck_.begin(), stuck_.end(), std::back_inserter(still));
  looks_ = still.empty() ? !now.empty() : looks_ + 1;
  stuck_ = still.empty() ? now : still;
  if (looks_ < looks_to_believe) return {};
  told_ = true;
  return fmt::format(
      "mpiexec: {} {} cannot go on, as far as mpiexec sees: whoever could end {} has ended, or waits as "
      "well. "
      "The job is left alone (--timeout would end it). Who waits for whom:\n{}",
      stuck_.size() == 1 ? "rank" : "ranks", list(stuck_), stuck_.size() == 1 ? "its wait" : "their waits",
      wait_report(ranks));
}

std::int64_t standstill::next_look(std::int64_t now_ms) const {
  if (told_) return timetable::never;
  return now_ms + (looks_ == 0 ? look_every_ms : look_again_ms);
}

}  // namespace loadstone::launch
