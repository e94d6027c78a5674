// What mpiexec says of ranks that wait for locks of windows.
#include "launch/wait_report.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "launch/call_names.hpp"
#include "launch/rank_views.hpp"
#include "wait/record.hpp"

namespace loadstone::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t second = 1'000'000'000;

std::string lock_of(int rank) {
  return wait::lock_detail + ("rank " + std::to_string(rank));
}

TEST(WaitReport, NamesTheHolderOfALock) {
  std::vector<rank_view> ranks{running(), running(), running(), waiting(2, lock_of(0), 12 * second)};
  const std::string text = wait_report(ranks);
  EXPECT_THAT(text, HasSubstr("rank 3 (process 99) waits in an MPI call for the lock of rank 0, held by rank "
                              "2 for at least 12 s\n"));
  EXPECT_THAT(text, Not(HasSubstr("Cannot go on")));
}

TEST(WaitReport, NamesTheWindow) {
  std::vector<rank_view> ranks{running(), waiting(0, lock_of(0), 12 * second),
                               waiting(0, "answer", 3 * second)};
  for (std::size_t i : {1, 2}) ranks[i].waits[0].communicator = wait::is_window | (4ull << 32) | 7;
  ranks[2].last_call = 1;
  const std::string text = wait_report(ranks);
  EXPECT_THAT(
      text,
      HasSubstr(
          "waits in an MPI call for the lock of rank 0, window 4.7, held by rank 0 for at least 12 s\n"));
  EXPECT_THAT(text, HasSubstr("waits in " + call_name(1) + " for rank 0, window 4.7 (answer), for 3.0 s\n"));
  // Which of two threads has entered that call is not known.
  ranks[2].waits.push_back(ranks[2].waits[0]);
  EXPECT_THAT(wait_report(ranks), Not(HasSubstr("waits in " + call_name(1))));
}

TEST(WaitReport, CountsReaders) {
  std::vector<rank_view> ranks{running(), waiting(-1, lock_of(0) + ", 3 readers", 3 * second)};
  EXPECT_THAT(wait_report(ranks),
              HasSubstr("waits in an MPI call for the lock of rank 0, 3 readers, for 3.0 s\n"));
}

TEST(WaitReport, SeesTwoThatHoldWhatTheOtherWants) {
  std::vector<rank_view> ranks{waiting(1, lock_of(1), 4 * second), waiting(0, lock_of(0), 5 * second)};
  const std::string text = wait_report(ranks);
  EXPECT_THAT(text, HasSubstr("A cycle: 0 → 1 → 0."));
  EXPECT_THAT(text, HasSubstr("Cannot go on: ranks 0, 1."));
}

TEST(WaitReport, NamesTheWaitOfWhoLooksWhetherItIsOver) {
  std::vector<rank_view> ranks{waiting(1, "answer", 4 * second), waiting(0, "answer", 5 * second)};
  EXPECT_THAT(wait_report(ranks), HasSubstr("Cannot go on: ranks 0, 1."));
  ranks[1].waits[0].awake = true;
  EXPECT_THAT(wait_report(ranks),
              HasSubstr("rank 1 (process 99) waits in an MPI call for rank 0 (answer), for 5.0 s\n"));
  EXPECT_THAT(wait_report(ranks), Not(HasSubstr("Cannot go on")));
  // In that wait it sleeps for something else.
  ranks[1].waits.push_back(
      {.call = 0, .peer = 2, .tag = -1, .communicator = 0, .waited_ns = second, .detail = "the rest"});
  EXPECT_THAT(wait_report(ranks),
              HasSubstr("rank 1 (process 99) waits in an MPI call for rank 2 (the rest), for 1.0 s\n"));
}

TEST(WaitReport, TellsOfAHolderThatHasLeft) {
  std::vector<rank_view> ranks{running(), waiting(0, lock_of(1), 4 * second)};
  ranks[0].state = memory::process_state::finalized;
  EXPECT_THAT(wait_report(ranks), HasSubstr("Rank 1 waits for the lock of rank 1, which rank 0 has not given "
                                            "back: it has called MPI_Finalize.\n"));
  ranks[0].ended = true;
  EXPECT_THAT(wait_report(ranks), HasSubstr("has not given back: it has ended.\n"));
}

}  // namespace
}  // namespace loadstone::launch
