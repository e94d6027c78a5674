#include "base/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <set>

namespace loadstone::base {
namespace {

std::set<int> allowed() {
  cpu_set_t mask;
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  std::set<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.insert(cpu);
  return cpus;
}

// As the system lists it, where it does.
TEST(cpus, the_second_level_cache_is_the_systems) {
  EXPECT_EQ(second_level_cache() % 4096, 0u);
  std::ifstream level("/sys/devices/system/cpu/cpu0/cache/index2/level"),
      size("/sys/devices/system/cpu/cpu0/cache/index2/size");
  std::uint32_t which = 0;
  std::size_t kilobytes = 0;
  if (sysconf(_SC_LEVEL2_CACHE_SIZE) <= 0 || !(level >> which) || which != 2 || !(size >> kilobytes))
    GTEST_SKIP() << "the system does not say";
  EXPECT_EQ(second_level_cache(), kilobytes << 10);
}

TEST(cpus, moving_takes_turns_over_those_allowed_and_binds_to_none) {
  const std::set<int> before = allowed();
  std::uint32_t index = 0;
  for (const int cpu : before) {
    bool there = false;
    // The kernel may move it again at once; not every time.
    for (int attempt = 0; attempt < 200 && !there; ++attempt) {
      move_to_cpu(index + static_cast<std::uint32_t>(before.size()) * 3);
      there = sched_getcpu() == cpu;
    }
    EXPECT_TRUE(there) << cpu;
    EXPECT_EQ(allowed(), before);
    ++index;
  }
}

TEST(cpus, moving_to_a_number_goes_there_and_binds_to_none) {
  const std::set<int> before = allowed();
  for (const int cpu : before) {
    bool there = false;
    for (int attempt = 0; attempt < 200 && !there; ++attempt) {  // as above
      move_to_cpu_numbered(static_cast<std::uint32_t>(cpu));
      there = sched_getcpu() == cpu;
    }
    EXPECT_TRUE(there) << cpu;
  }
  move_to_cpu_numbered(100'000);
  move_to_cpu_numbered(static_cast<std::uint32_t>(*before.rbegin()) + 1);
  EXPECT_EQ(allowed(), before);
}

TEST(cpus, a_bound_thread_stays_bound) {
  const std::set<int> before = allowed();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(*before.rbegin(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  for (std::uint32_t index = 0; index < 4; ++index) move_to_cpu(index);
  if (before.size() > 1) move_to_cpu_numbered(static_cast<std::uint32_t>(*before.begin()));
  EXPECT_EQ(allowed(), std::set<int>{*before.rbegin()});
}

}  // namespace
}  // namespace loadstone::base
