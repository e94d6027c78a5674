// Ranks that ended with status 0, and without what others may wait for. Two kinds:
//
//   without MPI_Finalize   a fault of the program, which need not cost its results: if the others
//                          end with status 0 too, nobody has missed anything: a warning is enough
//   without MPI_Init       any program may do so; nothing is said unless somebody misses it
//
// A rank is missed when others cannot go on, and could if it were still there. A part of the job in
// which no rank has called MPI_Init is no MPI program: a rank of it is missed only by those who
// wait for that very rank. Any other is missed by whoever waits, or polls without result; without
// MPI_Finalize, it is missed as soon as others cannot go on.
//
// Waits count after half a second. Polls count after ten seconds in which nothing in the job moved:
// nothing came, nothing left, no wait began or ended. Checks that find no new poll add nothing to
// these ten seconds: who polls may compute in between, or be needed later. Nor does a rank count
// that has stopped polling at its usual pace. (One that fails for the same reason has met the death
// of the rank that left: causes.hpp.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/wait_report.hpp"

namespace loadstone::launch {

class departures {
 public:
  static constexpr std::int64_t check_every_ms = 100;

  enum class without : std::uint8_t { finalize, init };
  void add(std::uint32_t rank, without what);
  bool any() const { return !left_.empty() || !absent_.empty(); }
  // One check of all ranks of the job; to be had every check_every_ms. Who is missed, if anybody
  // is.
  std::optional<std::uint32_t> missed(const std::vector<rank_view>& ranks);
  // Of those without MPI_Finalize, ended by a newline; empty if there are none.
  std::string warning(std::uint32_t world_size) const;

 private:
  struct poller {
    std::uint32_t polls = 0, moved = 0;  // at the last check
    std::size_t waits = 0;               // likewise
    bool over = false;                   // likewise
    std::uint32_t checks = 0;            // that found more polls, since anything moved
    std::uint32_t last = 0;              // of them, counted from then
  };
  bool has_moved(const std::vector<rank_view>& ranks);
  bool polls_in_vain(const poller& p) const;
  std::vector<std::uint32_t> left_, absent_;
  std::vector<poller> seen_;  // by rank
  std::uint32_t still_ = 0;   // checks since anything moved
};

}  // namespace loadstone::launch
