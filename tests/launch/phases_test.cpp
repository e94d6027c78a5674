#include "launch/phases.hpp"

#include <gtest/gtest.h>
#include <signal.h>

using namespace loadstone::launch;
using loadstone::memory::job_phase;

namespace {

// Needs so many questions until it is idle.
struct server : occupant {
  explicit server(int work, int descriptor = -1) : work(work), wakes(descriptor) {}
  void begin_drain() override { ++begun; }
  bool is_busy() override { return ++asked, work-- > 0; }
  int descriptor() const override { return wakes; }
  int work, wakes, begun = 0, asked = 0;
};

struct job {
  std::vector<job_phase> published;
  std::vector<int> signals;
  phases p{[this](job_phase now) { published.push_back(now); },
           [this](int number) { signals.push_back(number); }, 5000};
  using all = std::vector<job_phase>;
};

TEST(phases, a_job_that_ends_by_itself_is_not_stopped) {
  job j;
  EXPECT_TRUE(j.p.running());
  EXPECT_EQ(j.p.turn(0), -1);
  EXPECT_EQ(j.p.all_ended(100), -1);
  EXPECT_TRUE(j.p.over());
  EXPECT_EQ(j.published, (job::all{job_phase::draining, job_phase::releasing}));
  EXPECT_EQ(j.signals, std::vector<int>{});
  EXPECT_FALSE(j.p.cut_short());
}

TEST(phases, stop_gives_a_second_to_clean_up) {
  job j;
  EXPECT_EQ(j.p.stop(SIGTERM, 100), 1100);
  EXPECT_EQ(j.p.stop(SIGINT, 200), 1100);
  EXPECT_EQ(j.p.turn(1099), 1100);
  EXPECT_EQ(j.signals, (std::vector<int>{SIGTERM, SIGCONT}));
  EXPECT_EQ(j.p.turn(1100), -1);
  EXPECT_EQ(j.p.turn(9999), -1);
  EXPECT_EQ(j.signals, (std::vector<int>{SIGTERM, SIGCONT, SIGKILL}));
  EXPECT_EQ(j.p.now(), job_phase::stopping);
  EXPECT_EQ(j.p.all_ended(10000), -1);
  EXPECT_EQ(j.published, (job::all{job_phase::stopping, job_phase::draining, job_phase::releasing}));
}

TEST(phases, who_still_works_is_waited_for) {
  job j;
  server quick(1), slow(3), bell(2, 7);
  for (server* s : {&quick, &slow, &bell}) j.p.add(*s);
  EXPECT_EQ(j.p.descriptors(), std::vector<int>{});
  EXPECT_EQ(j.p.turn(0), -1);
  EXPECT_EQ(quick.asked + slow.asked + bell.asked, 0) << "while the job runs, nobody is asked";
  EXPECT_EQ(j.p.all_ended(1000), 1000 + phases::ask_ms);
  EXPECT_EQ(quick.begun + slow.begun + bell.begun, 3);
  EXPECT_EQ(j.p.descriptors(), std::vector<int>{7});
  EXPECT_EQ(j.p.stop(SIGTERM, 1010), 1000 + phases::ask_ms) << "too late, and changes nothing";
  EXPECT_EQ(j.p.all_ended(1020), 1000 + phases::ask_ms);
  EXPECT_EQ(quick.begun + slow.begun + bell.begun, 3);
  EXPECT_EQ(j.p.turn(1050), 1050 + phases::ask_ms);
  EXPECT_EQ(quick.asked, 2);
  EXPECT_EQ(j.p.turn(1100), 1100 + phases::ask_ms);
  EXPECT_EQ(quick.asked, 2) << "idle once is idle";
  EXPECT_EQ(j.p.descriptors(), std::vector<int>{});
  EXPECT_EQ(j.p.turn(1150), -1);
  EXPECT_TRUE(j.p.over());
  EXPECT_FALSE(j.p.cut_short());
}

TEST(phases, who_rings_is_not_asked_by_the_clock) {
  job j;
  server bell(2, 7);
  j.p.add(bell);
  EXPECT_EQ(j.p.all_ended(1000), 1000 + 5000);
}

TEST(phases, a_drain_has_an_end) {
  job j;
  server endless(1 << 30);
  j.p.add(endless);
  j.p.all_ended(1000);
  EXPECT_EQ(j.p.turn(5990), 6000);
  EXPECT_FALSE(j.p.over());
  EXPECT_EQ(j.p.turn(6000), -1);
  EXPECT_TRUE(j.p.over());
  EXPECT_TRUE(j.p.cut_short());
}

TEST(phases, who_is_in_a_hurry_waits_for_nobody) {
  job running, stopping, draining;
  server endless(1 << 30);
  for (job* j : {&running, &stopping, &draining}) j->p.add(endless);
  running.p.hurry(10);
  running.p.turn(10);
  EXPECT_EQ(running.signals, (std::vector<int>{SIGKILL, SIGCONT, SIGKILL}));
  stopping.p.stop(SIGTERM, 0);
  EXPECT_EQ(stopping.p.hurry(10), 10);
  stopping.p.turn(10);
  EXPECT_EQ(stopping.signals, (std::vector<int>{SIGTERM, SIGCONT, SIGKILL}));
  draining.p.all_ended(0);
  draining.p.hurry(10);
  draining.p.turn(10);
  EXPECT_TRUE(draining.p.over());
  for (job* j : {&running, &stopping}) {
    j->p.all_ended(20);
    EXPECT_TRUE(j->p.over());
    EXPECT_TRUE(j->p.cut_short());
  }
}

}  // namespace
