#include "launch/wait_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "launch/call_names.hpp"
#include "memory/liveness.hpp"
#include "wait/record.hpp"

namespace loadstone::launch {

using memory::process_state;
using memory::seen_wait;

namespace {

// Will this rank never send anything again?
bool is_over(const rank_view& rank) {
  return rank.ended || rank.state == process_state::finalized;
}

// A lock, by the peer that is named?
bool is_held(const seen_wait& wait) {
  return wait.peer >= 0 && wait.detail.starts_with(wait::lock_detail);
}

std::string describe_rank(const rank_view& rank) {
  std::string last = call_name(rank.last_call);
  if (rank.ended)
    return rank.state == process_state::finalized || rank.state == process_state::free
               ? "has ended"
               : "has ended without MPI_Finalize";
  if (rank.state == process_state::finalized) return "has called MPI_Finalize";
  if (rank.state == process_state::free) return "has not called MPI_Init";
  if (rank.waits.empty())
    return last.empty() ? "is running" : fmt::format("is running (entered last: {})", last);
  // A thread that is awake may have noted what this one sleeps in: a wait within its wait.
  const bool sleeps =
      std::any_of(rank.waits.begin(), rank.waits.end(), [](const seen_wait& w) { return !w.awake; });
  std::string text;
  for (seen_wait wait : rank.waits) {
    if (wait.awake && sleeps) continue;
    // Of one thread that is enough.
    if (wait.call == 0 && rank.waits.size() == 1) wait.call = rank.last_call;
    const double seconds = static_cast<double>(wait.waited_ns) * 1e-9;
    text +=
        fmt::format("{}waits in {}{} {:.{}f} s", text.empty() ? "" : "; another thread ", describe_wait(wait),
                    is_held(wait) ? " for at least" : ", for", seconds, seconds < 10 ? 1 : 0);
  }
  return text;
}

// An id is (process that led its making, that process's counter); the first two of a process are
// known by name.
std::string name_object(std::uint64_t object) {
  const std::uint64_t id = (object & wait::is_window) != 0 ? object & ~wait::is_window : object - 1;
  const std::uint64_t creator = id >> 32, counter = id & 0xffffffff;
  if ((object & wait::is_window) != 0) return fmt::format("window {}.{}", creator, counter);
  if (id == 0) return "MPI_COMM_WORLD";
  if (counter == 1) return "MPI_COMM_SELF";
  return fmt::format("communicator {}.{}", creator, counter);
}

}  // namespace

std::string list(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last > i + 1 ? fmt::format("{}–{}", ranks[i], ranks[last]) : std::to_string(ranks[i]);
    i = last > i + 1 ? last + 1 : i + 1;
  }
  return text;
}

std::vector<rank_view> views_of(memory::job& job, std::uint32_t world_size) {
  std::vector<rank_view> ranks(world_size);
  for (std::uint32_t i = 0; i < world_size; ++i) {
    memory::process_entry& entry = job.process(i);
    ranks[i].state =
        static_cast<process_state>(entry.state.load(std::memory_order_acquire));  // sync: process-claimed
    ranks[i].ended =
        entry.dead.load(std::memory_order_relaxed) != 0;  // relaxed: written by this very process
    const pid_t seen = memory::pid_here(job, i);
    ranks[i].pid = seen != 0 ? seen : entry.launched_pid;
    ranks[i].application = entry.application;
    ranks[i].last_call =
        entry.last_call.load(std::memory_order_relaxed);           // relaxed: a number for people to read
    ranks[i].polls = entry.polls.load(std::memory_order_relaxed);  // relaxed: as above
    ranks[i].moved = entry.moved.load(std::memory_order_relaxed);  // relaxed: as above
    ranks[i].waits = memory::waits_of(entry);
  }
  return ranks;
}

std::vector<std::uint32_t> stuck_ranks(const std::vector<rank_view>& ranks) {
  // Grow the set of ranks that may go on until nothing changes; the rest is stuck.
  std::vector<bool> may_go_on(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    // As many waits as can be seen: one more would not be.
    const bool all_seen = ranks[i].waits.size() < memory::wait_records;
    may_go_on[i] = !is_over(ranks[i]) && (ranks[i].waits.empty() || !all_seen);
  }
  auto can_be_served = [&](std::size_t self, const seen_wait& wait) {
    if (wait.awake || wait.waited_ns < lasting_ns) return true;
    if (wait.peer < -1) return true;  // waits for something that is no rank: we cannot tell
    if (wait.peer >= 0) {
      auto peer = static_cast<std::size_t>(wait.peer);
      return peer >= ranks.size() || may_go_on[peer];
    }
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (i != self && may_go_on[i]) return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (may_go_on[i] || is_over(ranks[i])) continue;
      for (const seen_wait& wait : ranks[i].waits)
        if (can_be_served(i, wait)) may_go_on[i] = changed = true;
    }
  }
  std::vector<std::uint32_t> stuck;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (!may_go_on[i] && !is_over(ranks[i])) stuck.push_back(static_cast<std::uint32_t>(i));
  return stuck;
}

std::vector<std::uint32_t> wait_cycle(const std::vector<rank_view>& ranks) {
  std::vector<int> next(ranks.size(), -1);
  for (std::uint32_t i : stuck_ranks(ranks)) {
    auto with_peer = std::find_if(ranks[i].waits.begin(), ranks[i].waits.end(), [&](const seen_wait& w) {
      return w.peer >= 0 && w.peer < static_cast<int>(ranks.size());
    });
    if (with_peer != ranks[i].waits.end()) next[i] = with_peer->peer;
  }
  for (std::size_t start = 0; start < ranks.size(); ++start) {
    std::vector<std::uint32_t> path;
    int at = static_cast<int>(start);
    while (at >= 0 && path.size() <= ranks.size()) {
      path.push_back(static_cast<std::uint32_t>(at));
      at = next[static_cast<std::size_t>(at)];
      if (at == static_cast<int>(start)) return path;  // the smallest start of a cycle is found first
    }
  }
  return {};
}

std::string describe_wait(const seen_wait& wait) {
  std::string call = call_name(wait.call);
  std::string text = call.empty() ? "an MPI call" : call;
  if (wait.detail.starts_with(wait::lock_detail)) {
    text += fmt::format(" for the {}", wait.detail);
    if (wait.communicator != 0) text += ", " + name_object(wait.communicator);
    if (wait.peer >= 0) text += fmt::format(", held by rank {}", wait.peer);
    return text;
  }
  if (wait.peer >= 0) text += fmt::format(" for rank {}", wait.peer);
  if (wait.peer == -1) text += " for any rank";
  if (wait.peer >= -1 && wait.tag >= 0) text += fmt::format(", tag {}", wait.tag);
  if (wait.communicator != 0) text += ", " + name_object(wait.communicator);
  if (!wait.detail.empty()) text += fmt::format(" ({})", wait.detail);
  return text;
}

std::string wait_report(const std::vector<rank_view>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text += fmt::format("  rank {} (process {}) {}\n", i, ranks[i].pid, describe_rank(ranks[i]));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const seen_wait& wait : ranks[i].waits) {
      if (wait.peer < 0 || wait.peer >= static_cast<int>(ranks.size()) || is_over(ranks[i])) continue;
      const rank_view& peer = ranks[static_cast<std::size_t>(wait.peer)];
      if (is_over(peer) && is_held(wait))
        text += fmt::format("  Rank {} waits for the {}, which rank {} has not given back: it {}.\n", i,
                            wait.detail, wait.peer, peer.ended ? "has ended" : "has called MPI_Finalize");
      else if (is_over(peer))
        text += fmt::format("  Rank {} waits for rank {}, which {}: nothing will ever match.\n", i, wait.peer,
                            peer.ended ? "has ended" : "has called MPI_Finalize");
    }
  }
  std::vector<std::uint32_t> cycle = wait_cycle(ranks), stuck = stuck_ranks(ranks);
  if (!cycle.empty()) {
    std::string path;
    for (std::uint32_t i : cycle) path += fmt::format("{} → ", i);
    text += fmt::format("  A cycle: {}{}. These ranks wait for each other.\n", path, cycle.front());
  }
  if (!stuck.empty())
    text += fmt::format("  Cannot go on: {} {}.\n", stuck.size() == 1 ? "rank" : "ranks", list(stuck));
  return text;
}

}  // namespace loadstone::launch
