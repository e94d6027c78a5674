// Ranks that ended with status 0 and without MPI_Finalize: a fault of the program, which need not cost its results.
// The others may go on, and if they all end with status 0 too, nobody has missed anything: a warning is enough.
//
// They do not go on when one of them waits for a rank that has left, or when none of them does anything but wait and poll
// in vain. Waits count after half a second. Polls count after ten seconds in which nothing came and nothing left: who
// polls may compute in between, or be needed later. Looks that find no new poll add nothing to these ten seconds. (One
// that fails for the same reason has met the death of the rank that left: causes.hpp.)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/wait_report.hpp"

namespace loadstone::launch {

class departures {
 public:
  static constexpr std::int64_t look_every_ms = 100;

  void add(std::uint32_t rank) { left_.push_back(rank); }
  bool any() const { return !left_.empty(); }
  std::uint32_t first() const { return left_.front(); }  // to leave
  // One look at all ranks of the job; to be had every look_every_ms. Is a rank missed that has left?
  bool missed(std::vector<rank_view> ranks);
  std::string warning(std::uint32_t world_size) const;  // ended by a newline

 private:
  std::vector<std::uint32_t> left_;
  struct poller {
    std::uint32_t polls = 0, moved = 0;  // at the last look
    std::uint32_t looks = 0;             // that found more polls, since something moved
    std::uint32_t quiet = 0;             // in a row that found no more of them
  };
  std::vector<poller> seen_;  // by rank
};

}  // namespace loadstone::launch
