// Measuring a real machine: every parameter is there and plausible in order, nothing is left behind.
#include "model/measure.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>

#include "base/cpus.hpp"

namespace loadstone::model::measure_test {
namespace {

constexpr std::array<std::int64_t, 3> sizes = {64, 4096, 1 << 18};

class Measure : public testing::TestWithParam<pattern> {};

// A quarter of a megabyte takes longer than a line, in each way.
bool is_ordered(const machine& p) {
  for (const curve* c : {&p.put, &p.get, &p.together})
    if (c->at(1 << 18) <= c->at(64)) return false;
  return true;
}

TEST_P(Measure, EveryParameterIsThere) {
  const std::uint32_t processors = base::affinity_cpus();
  if (processors < 2) GTEST_SKIP() << "one processor";
  auto found = measure(GetParam(), sizes);
  // Where others want the processors, now and then only a line is in their way.
  for (int attempt = 0; attempt < 4 && found && !is_ordered(*found); ++attempt)
    found = measure(GetParam(), sizes);
  ASSERT_TRUE(found) << found.error().what;
  EXPECT_GT(found->line, 0);
  EXPECT_GT(found->wake, 0);
  for (const curve* c : {&found->put, &found->get, &found->together}) {
    ASSERT_TRUE(c->known());
    EXPECT_GT(c->at(64), 0);
  }
  EXPECT_TRUE(is_ordered(*found));
  EXPECT_EQ(found->vm.known(), found->call > 0);
  EXPECT_EQ(base::affinity_cpus(), processors) << "still bound";
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

INSTANTIATE_TEST_SUITE_P(Patterns, Measure, testing::Values(pattern::rewritten, pattern::cold));

}  // namespace
}  // namespace loadstone::model::measure_test
