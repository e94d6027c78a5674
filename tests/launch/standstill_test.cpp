// When mpiexec says that ranks can never go on.
#include "launch/standstill.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "launch/rank_views.hpp"
#include "launch/timetable.hpp"

namespace loadstone::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

rank_view over() {
  rank_view rank = running();
  rank.state = memory::process_state::finalized;
  return rank;
}

class StandStill : public ::testing::Test {
 protected:
  // Looks as often as it asks for, `looks` at most. What it says in the end; nothing if it never
  // does.
  std::string told(std::uint32_t looks) {
    std::string text;
    for (looks_ = 0; looks_ < looks && text.empty(); ++looks_) {
      now_ += next_;
      for (rank_view& rank : ranks_)
        for (memory::seen_wait& wait : rank.waits)
          if (waits_go_on_) wait.waited_ns += static_cast<std::uint64_t>(next_) * 1'000'000;
      text = watch_.look(ranks_, [this](std::uint32_t rank) { return stats_(rank); }, now_);
      next_ = watch_.next_look(now_) - now_;
    }
    return text;
  }
  static std::optional<base::process_stat> sleeping(std::uint32_t) {
    return base::process_stat{.state = 'S', .parent = 1, .used_ticks = 70};
  }

  standstill watch_;
  std::vector<rank_view> ranks_;
  standstill::stat_of_rank stats_ = sleeping;
  bool waits_go_on_ = true;  // from look to look
  std::int64_t now_ = 0, next_ = standstill::look_every_ms;
  std::uint32_t looks_ = 0;
};

TEST_F(StandStill, TwoThatWaitForEachOther) {
  ranks_ = {waiting(1), waiting(0), running()};
  EXPECT_THAT(told(100),
              HasSubstr("mpiexec: ranks 0, 1 cannot go on, as far as mpiexec sees: whoever could end "
                        "their waits has ended, or waits as well. "));
  EXPECT_EQ(looks_, standstill::looks_to_believe);
  EXPECT_EQ(now_, standstill::look_every_ms + (looks_ - 1) * standstill::look_again_ms);
  EXPECT_EQ(watch_.next_look(now_), timetable::never);
}

TEST_F(StandStill, OneThatWaitsForWhoHasFinalized) {
  ranks_ = {waiting(1), over()};
  const std::string text = told(100);
  EXPECT_THAT(text,
              HasSubstr("mpiexec: rank 0 cannot go on, as far as mpiexec sees: whoever could end its wait "));
  EXPECT_THAT(text,
              HasSubstr("Rank 0 waits for rank 1, which has called MPI_Finalize: nothing will ever match."));
}

TEST_F(StandStill, NobodyWhoMayStillBeServed) {
  ranks_ = {waiting(2), waiting(0), running()};
  EXPECT_THAT(told(100), IsEmpty());
  EXPECT_EQ(next_, standstill::look_every_ms);
  ranks_ = {waiting(-2), waiting(0)};  // it may be a file that rank 0 waits for
  EXPECT_THAT(told(100), IsEmpty());
}

TEST_F(StandStill, NotWithoutAProcessorThatIsNotUsed) {
  ranks_ = {waiting(1), waiting(0)};
  const auto tick = static_cast<std::int64_t>(sysconf(_SC_CLK_TCK));
  std::int64_t share = 10;  // of a core, a thread of rank 1
  stats_ = [&](std::uint32_t rank) {
    auto stat = sleeping(rank);
    if (rank == 1) stat->used_ticks = static_cast<std::uint64_t>(now_ * tick / 1000 / share);
    return stat;
  };
  EXPECT_THAT(told(100), IsEmpty());
  share = 1000;
  EXPECT_THAT(told(100), HasSubstr("ranks 0, 1 cannot go on"));
}

TEST_F(StandStill, NotWhereOneIsStoppedOrReady) {
  ranks_ = {waiting(1), waiting(0)};
  for (const char state : {'T', 't', 'R', 'D'}) {
    stats_ = [state](std::uint32_t rank) {
      return base::process_stat{.state = rank == 0 ? state : 'S', .parent = 1, .used_ticks = 70};
    };
    EXPECT_THAT(told(20), IsEmpty()) << state;
  }
}

TEST_F(StandStill, ByItsWaitsWhereNothingElseIsSeen) {
  ranks_ = {waiting(1), waiting(0)};
  stats_ = [](std::uint32_t) { return std::optional<base::process_stat>(); };
  EXPECT_THAT(told(100), HasSubstr("ranks 0, 1 cannot go on"));
}

TEST_F(StandStill, NotInWaitsThatBeginAgainAndAgain) {
  ranks_ = {waiting(1), waiting(0)};
  waits_go_on_ = false;
  EXPECT_THAT(told(100), IsEmpty());
}

TEST_F(StandStill, NotWhereMoreThreadsMayWaitThanAreSeen) {
  ranks_ = {waiting(1), waiting(0), running()};
  while (ranks_[0].waits.size() < memory::wait_records) ranks_[0].waits.push_back(ranks_[0].waits[0]);
  EXPECT_THAT(told(100), IsEmpty());
  ranks_[0].waits.pop_back();
  EXPECT_THAT(told(100), HasSubstr("ranks 0, 1 cannot go on"));
}

TEST_F(StandStill, TellsOnlyOfThemThatTheyCannotGoOn) {
  ranks_ = {waiting(1), waiting(0), waiting(3), waiting(2)};
  stats_ = [](std::uint32_t rank) {
    return base::process_stat{.state = rank == 3 ? 'R' : 'S', .parent = 1, .used_ticks = 70};
  };
  const std::string text = told(100);
  EXPECT_THAT(text, HasSubstr("ranks 0, 1 cannot go on"));
  EXPECT_THAT(text, HasSubstr("Cannot go on: ranks 0, 1.\n"));
}

TEST_F(StandStill, OnlyTheSameRanksInEveryLook) {
  for (int i = 0; i < 10; ++i) {
    ranks_ = {waiting(1), waiting(0), running(), running()};
    EXPECT_THAT(told(standstill::looks_to_believe - 1), IsEmpty());
    ranks_ = {running(), running(), waiting(3), waiting(2)};
    EXPECT_THAT(told(standstill::looks_to_believe - 1), IsEmpty());
  }
  ranks_.push_back(waiting(2));  // one more, which comes later
  EXPECT_THAT(told(1), HasSubstr("ranks 2, 3 cannot go on"));
}

}  // namespace
}  // namespace loadstone::launch
