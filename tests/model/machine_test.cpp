// A machine as text, and what damaged text becomes.
#include "model/machine.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::model {
namespace {

void expect_same(const machine& a, const machine& b) {
  EXPECT_NEAR(a.line, b.line, 1e-4 * a.line);
  EXPECT_NEAR(a.wake, b.wake, 1e-4 * a.wake);
  EXPECT_NEAR(a.call, b.call, 1e-4 * a.call);
  EXPECT_EQ(a.strings, b.strings);
  for (const auto of :
       {&machine::put, &machine::get, &machine::vm, &machine::vm_together, &machine::together}) {
    const auto x = (a.*of).points(), y = (b.*of).points();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(x[i].bytes, y[i].bytes);
      EXPECT_NEAR(x[i].time, y[i].time, 1e-4 * x[i].time);
    }
  }
}

TEST(Machine, ComesBackAsItWasWritten) {
  const auto back = read(write(built_in(), "somewhere, 2 processors"));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->about, "somewhere, 2 processors");
  expect_same(built_in(), back->measured);
  machine refused = built_in();  // no process_vm_readv
  refused.vm = refused.vm_together = {};
  refused.call = 0;
  const auto without = read(write(refused, ""));
  ASSERT_TRUE(without.has_value());
  EXPECT_FALSE(without->measured.vm.known());
}

TEST(Machine, DamagedTextIsNone) {
  const std::string text = write(built_in(), "x");
  EXPECT_FALSE(read("").has_value());
  EXPECT_FALSE(read("loadstone machine 2" + text.substr(19)).has_value()) << "another version";
  for (std::size_t n = 0; n + 5 < text.size(); n += 7) EXPECT_FALSE(read(text.substr(0, n)).has_value()) << n;
  const auto with = [&](const std::string& line) {
    return read(text.substr(0, text.size() - 4) + line + "\nend\n");
  };
  EXPECT_TRUE(with("about more").has_value());
  for (const char* line : {"put 5 1", "put 99999999 -1", "put 99999999 nan", "put x y", "colour blue", "line",
                           "", "put 99999999 5 6"})
    EXPECT_FALSE(with(line).has_value()) << line;
}

TEST(Machine, MedianOfSeveralRounds) {
  std::vector<machine> rounds(3);
  const double times[] = {5, 1, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    rounds[i].line = times[i];
    rounds[i].strings = true;
    rounds[i].put.add(64, times[i]);
    rounds[i].put.add(128, 10 * times[i]);
  }
  const machine m = median_of(rounds);
  EXPECT_EQ(m.line, 3);
  EXPECT_TRUE(m.strings);
  EXPECT_EQ(m.put.at(64), 3);
  EXPECT_EQ(m.put.at(128), 30);
  EXPECT_FALSE(m.vm.known());
  EXPECT_EQ(median_of({}).line, 0);
}

}  // namespace
}  // namespace loadstone::model
