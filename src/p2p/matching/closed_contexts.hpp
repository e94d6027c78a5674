// Which communicators have been freed here, so that a message that comes for one even then (behind
// the data it announces, or of a cancelled send) is told from one for a communicator that is not
// known here yet.
//
// Context ids count up by their creator (mpi/communicator.hpp), in units of the kinds of traffic,
// and most are freed in that order: what is kept are runs of them. Bounded: when there are too many
// runs, the older ones are forgotten. A message that is late by so many communicators is seen by
// its number, unless it is the first (channels.hpp), which then stays unread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace loadstone::p2p {

class closed_contexts {
 public:
  // `most`: runs that are remembered for certain; up to twice as many are. Tests use few.
  explicit closed_contexts(std::size_t most = 1 << 15) : most_(most) {}

  void add(std::uint64_t context) {
    const std::uint64_t n = place(context);
    if (holds(newer_, n)) return;
    std::uint64_t first = n, last = n;
    if (const auto above = newer_.find(n + 1); above != newer_.end()) {
      last = above->second;
      newer_.erase(above);
    }
    if (auto below = newer_.lower_bound(n); below != newer_.begin() && (--below)->second + 1 == n) {
      below->second = last;
      return;
    }
    newer_.emplace(first, last);
    if (newer_.size() <= most_) return;
    older_ = std::exchange(newer_, {});
  }
  bool contains(std::uint64_t context) const {
    const std::uint64_t n = place(context);
    return holds(newer_, n) || holds(older_, n);
  }
  std::size_t runs() const { return newer_.size() + older_.size(); }

 private:
  using run_map = std::map<std::uint64_t, std::uint64_t>;  // first → last

  // The kind of traffic goes to the front: contexts of a kind are neighbours when their
  // communicators are.
  static std::uint64_t place(std::uint64_t context) { return std::rotr(context, 3); }
  static bool holds(const run_map& runs, std::uint64_t n) {
    auto at = runs.upper_bound(n);
    return at != runs.begin() && (--at)->second >= n;
  }

  const std::size_t most_;
  run_map newer_, older_;
};

}  // namespace loadstone::p2p
