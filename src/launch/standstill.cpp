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

// Has one of its waits begun since the first look that found it stuck?
bool standstill::waits_anew(std::uint32_t rank, const rank_view& seen, std::int64_t now_ms) const {
  if (!std::binary_search(stuck_.begin(), stuck_.end(), rank)) return false;
  const auto since = static_cast<std::uint64_t>(now_ms - first_look_) * 1'000'000;
  return std::any_of(seen.waits.begin(), seen.waits.end(),
                     [since](const memory::seen_wait& w) { return w.waited_ns < since; });
}

std::string standstill::look(std::vector<rank_view> ranks, const stat_of_rank& stat, std::int64_t now_ms) {
  used_.resize(ranks.size());
  for (const std::uint32_t rank : stuck_ranks(ranks))
    if (is_busy(rank, stat, now_ms) || waits_anew(rank, ranks[rank], now_ms)) ranks[rank].waits.clear();
  const std::vector<std::uint32_t> now = stuck_ranks(ranks);
  std::vector<std::uint32_t> still;
  std::set_intersection(now.begin(), now.end(), stuck_.begin(), stuck_.end(), std::back_inserter(still));
  if (!still.empty()) {
    ++looks_;
    stuck_ = still;
  } else {
    looks_ = now.empty() ? 0 : 1;
    first_look_ = now_ms;
    stuck_ = now;
  }
  if (looks_ < looks_to_believe) return {};
  told_ = true;
  return fmt::format(
      "mpiexec: {} {} cannot go on, as far as mpiexec sees: whoever could end {} has ended, or waits as "
      "well. The job is left alone (--timeout would end it). Who waits for whom:\n{}",
      stuck_.size() == 1 ? "rank" : "ranks", list(stuck_), stuck_.size() == 1 ? "its wait" : "their waits",
      wait_report(ranks));
}

std::int64_t standstill::next_look(std::int64_t now_ms) const {
  if (told_) return timetable::never;
  return now_ms + (looks_ == 0 ? look_every_ms : look_again_ms);
}

}  // namespace loadstone::launch
