#include "launch/timetable.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace loadstone::launch;

namespace {

TEST(timetable, knows_which_check_is_due_first) {
  timetable t;
  EXPECT_EQ(t.next(), timetable::never);
  const auto later = [](std::int64_t) { return timetable::never; };
  const std::size_t a = t.add(later), b = t.add(later, 70);
  EXPECT_EQ(t.next(), 70);
  t.set(a, 30);
  EXPECT_EQ(t.next(), 30);
  t.set(a, timetable::never);
  t.set(b, 0);
  EXPECT_EQ(t.next(), 0);
}

TEST(timetable, takes_what_is_due_once_and_asks_when_again) {
  timetable t;
  std::string taken;
  t.add([&](std::int64_t now) { return taken += 'a', now + 10; }, 0);
  t.add([&](std::int64_t) { return taken += 'b', timetable::never; }, 5);
  t.turn(-1);
  EXPECT_EQ(taken, "");
  t.turn(7);
  EXPECT_EQ(taken, "ab");
  t.turn(16);
  EXPECT_EQ(taken, "ab");
  t.turn(1000);
  EXPECT_EQ(taken, "aba");
  EXPECT_EQ(t.next(), 1010);
}

TEST(timetable, a_check_may_set_the_time_of_another) {
  timetable t;
  std::string taken;
  std::size_t before = 0, behind = 0;
  before = t.add([&](std::int64_t) { return taken += 'x', timetable::never; });
  t.add(
      [&](std::int64_t now) {
        taken += 'y';
        t.set(before, now);
        t.set(behind, now);
        return timetable::never;
      },
      1);
  behind = t.add([&](std::int64_t) { return taken += 'z', timetable::never; });
  t.turn(1);
  EXPECT_EQ(taken, "yz");
  EXPECT_EQ(t.next(), 1);
  t.turn(1);
  EXPECT_EQ(taken, "yzx");
}

}  // namespace
