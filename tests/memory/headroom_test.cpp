#include "memory/headroom.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace loadstone;
namespace fs = std::filesystem;

namespace {

// A machine made of files.
class headroom : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/headroom-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    root = name;
    put("/proc/meminfo", "MemTotal: 99999999 kB\nMemAvailable: 1000000 kB\nSwapFree: 0 kB\n");
  }
  void TearDown() override { fs::remove_all(root); }
  void put(const std::string& file, const std::string& text) {
    fs::create_directories(fs::path(root + file).parent_path());
    std::ofstream(root + file) << text;
  }
  bool fits(std::uint64_t bytes) { return memory::headroom::of_this_process(root).check(bytes).ok(); }
  void version2() {
    put("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
    put("/proc/self/cgroup", "0::/user.slice/job\n");
  }
  std::string root;
};

constexpr std::uint64_t mib = 1 << 20;

TEST_F(headroom, without_cgroups_the_machine_decides) {
  EXPECT_TRUE(fits(900 * mib));
  EXPECT_FALSE(fits(1000 * mib));
  put("/proc/meminfo", "MemAvailable: 1000000 kB\nSwapFree: 1000000 kB\n");
  EXPECT_TRUE(fits(1000 * mib));
}

TEST_F(headroom, what_may_not_be_committed_is_not_left) {
  const auto left = [&] { return memory::headroom::of_this_process(root).left(); };
  put("/proc/meminfo", "MemAvailable: 1000000 kB\nCommitLimit: 700000 kB\nCommitted_AS: 100000 kB\n");
  put("/proc/sys/vm/overcommit_memory", "0\n");
  EXPECT_EQ(left(), 1000000u << 10);
  put("/proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_EQ(left(), 600000u << 10);
}

TEST_F(headroom, every_group_above_us_counts) {
  version2();
  put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  put("/sys/fs/cgroup/user.slice/memory.max", "104857600\n");
  put("/sys/fs/cgroup/user.slice/memory.current", "52428800\n");
  put("/sys/fs/cgroup/user.slice/memory.stat", "anon 1\ninactive_file 0\n");
  EXPECT_EQ(memory::headroom::of_this_process(root).groups(), 2u);
  EXPECT_TRUE(fits(40 * mib));
  EXPECT_FALSE(fits(50 * mib)) << "a margin stays";
  put("/sys/fs/cgroup/user.slice/memory.stat", "anon 1\ninactive_file 20971520\n");
  EXPECT_TRUE(fits(60 * mib)) << "clean file pages give way";
  put("/sys/fs/cgroup/user.slice/memory.high", "83886080\n");
  EXPECT_FALSE(fits(60 * mib)) << "from memory.high on everything is slow";
  put("/sys/fs/cgroup/user.slice/memory.high", "max\n");
  EXPECT_TRUE(fits(60 * mib));
  put("/sys/fs/cgroup/user.slice/job/memory.max", "1048576\n");
  put("/sys/fs/cgroup/user.slice/job/memory.current", "0\n");
  EXPECT_FALSE(fits(2 * mib)) << "the inner group is smaller";
  auto status = memory::headroom::of_this_process(root).check(2 * mib);
  EXPECT_EQ(status.kind, base::code::no_memory);
  EXPECT_NE(std::string(status.what).find("cgroup"), std::string::npos);
}

TEST_F(headroom, what_is_left_is_the_least_of_all) {
  version2();
  const auto left = [&] { return memory::headroom::of_this_process(root).left(); };
  put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  put("/sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
  put("/sys/fs/cgroup/user.slice/memory.current", "536870912\n");
  put("/sys/fs/cgroup/user.slice/memory.stat", "anon 1\ninactive_file 104857600\nactive_file 104857600\n");
  EXPECT_EQ(left(), (512 + 100 - 16) * mib);
  put("/sys/fs/cgroup/user.slice/memory.high", "629145600\n");
  EXPECT_EQ(left(), (600 - 512 + 100 - 16) * mib);
  put("/sys/fs/cgroup/user.slice/memory.current", "1073741824\n");
  EXPECT_EQ(left(), 0u) << "beyond memory.high";
  put("/sys/fs/cgroup/user.slice/memory.current", "0\n");
  put("/sys/fs/cgroup/user.slice/memory.high", "max\n");
  put("/sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(left(), 1000000u << 10) << "no limit: what the machine has";
}

// As systemd's hybrid layout has it: version 2 is mounted, and has no controller of memory.
TEST_F(headroom, memory_in_version_1_beside_version_2) {
  put("/proc/self/mountinfo",
      "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "32 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  put("/proc/self/cgroup", "4:memory:/job\n0::/job\n");
  put("/sys/fs/cgroup/unified/job/cgroup.controllers", "hugetlb\n");
  put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "67108864\n");
  put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "16777216\n");
  const auto room = memory::headroom::of_this_process(root);
  EXPECT_EQ(room.groups(), 1u);
  EXPECT_EQ(room.left(), (48 - 2) * mib);
}

TEST_F(headroom, version_1_in_a_container_that_sees_a_part_of_the_tree) {
  put("/proc/self/mountinfo",
      "31 23 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
      "32 23 0:28 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n");
  put("/proc/self/cgroup", "9:cpu,cpuacct:/docker/abc\n8:memory:/docker/abc\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n");
  put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "16777216\n");
  put("/sys/fs/cgroup/memory/memory.stat", "inactive_file 0\ntotal_inactive_file 0\n");
  EXPECT_TRUE(fits(40 * mib));
  EXPECT_FALSE(fits(48 * mib));
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_TRUE(fits(400 * mib)) << "that number means no limit";
}

TEST_F(headroom, kills_are_counted) {
  version2();
  put("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  put("/sys/fs/cgroup/user.slice/job/memory.events", "low 0\noom 3\noom_kill 2\n");
  put("/proc/vmstat", "pgfault 1\noom_kill 5\n");
  EXPECT_EQ(memory::headroom::of_this_process(root).kills(), 7);
}

TEST_F(headroom, damaged_files_mean_no_limit_not_a_crash) {
  version2();
  put("/sys/fs/cgroup/user.slice/job/memory.max", "garbage");
  put("/proc/meminfo", "");
  EXPECT_TRUE(fits(1ull << 40));
  put("/proc/self/mountinfo", "x - \n - cgroup2\n30 - cgroup2 a b\n");
  put("/proc/self/cgroup", ":::\n0:\n");
  EXPECT_TRUE(fits(1));
}

}  // namespace
