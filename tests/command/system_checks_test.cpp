// The checks of `loadstone doctor` on trees of /proc and /sys made for the purpose.
#include "command/system_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace loadstone::command {
namespace {

using testing::HasSubstr;

class SystemChecks : public testing::Test {
 protected:
  SystemChecks() {
    std::string name = testing::TempDir() + "/loadstone-system-XXXXXX";
    here.root = mkdtemp(name.data());
    here.ranks = 2;
    here.processors = 4;
  }
  ~SystemChecks() override { std::filesystem::remove_all(here.root); }

  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = here.root + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void quota(const std::string& text) {
    file("/proc/self/cgroup", "0::/outer/inner\n");
    file("/sys/fs/cgroup/outer/cpu.max", text);
    file("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  }

  surroundings here;
};

TEST_F(SystemChecks, AnEmptySystemIsNoReasonToComplain) {
  EXPECT_EQ(look_at_processors(here).how, verdict::ok);
  for (const finding& f : {look_at_clock(here), look_at_frequency(here), look_at_huge_pages(here),
                           look_at_host(here), look_at_load(here)})
    EXPECT_EQ(f.what, "");
}

TEST_F(SystemChecks, AQuotaBelowTheRanksCosts) {
  quota("150000 100000\n");
  const finding f = look_at_processors(here);
  EXPECT_EQ(f.how, verdict::costs);
  EXPECT_THAT(f.what, HasSubstr("1.5 processors for 2 ranks"));
  EXPECT_THAT(f.mend, HasSubstr("--cpus"));
}

TEST_F(SystemChecks, AQuotaThatIsEnoughIsARemark) {
  quota("200000 100000\n");
  EXPECT_EQ(look_at_processors(here).how, verdict::remark);
  quota("400000 100000\n");
  EXPECT_EQ(look_at_processors(here).how, verdict::ok);
}

TEST_F(SystemChecks, MoreRanksThanProcessorsCost) {
  here.ranks = 5;
  const finding f = look_at_processors(here);
  EXPECT_EQ(f.how, verdict::costs);
  EXPECT_THAT(f.what, HasSubstr("5 ranks on 4 processors"));
}

TEST_F(SystemChecks, Clocks) {
  const std::string path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  for (const char* quick : {"tsc\n", "kvm-clock\n", "arch_sys_counter\n"}) {
    file(path, quick);
    EXPECT_EQ(look_at_clock(here).how, verdict::ok) << quick;
  }
  for (const char* slow : {"hpet\n", "acpi_pm\n", "refined-jiffies\n"}) {
    file(path, slow);
    EXPECT_EQ(look_at_clock(here).how, verdict::costs) << slow;
  }
}

TEST_F(SystemChecks, FrequencyGovernors) {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cpufreq/";
  file(folder + "scaling_governor", "powersave\n");
  file(folder + "scaling_driver", "acpi-cpufreq\n");
  EXPECT_EQ(look_at_frequency(here).how, verdict::costs);
  file(folder + "scaling_driver", "intel_pstate\n");
  EXPECT_EQ(look_at_frequency(here).how, verdict::ok);
}

TEST_F(SystemChecks, HugePages) {
  const std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
  file(path, "[always] madvise never\n");
  EXPECT_EQ(look_at_huge_pages(here).how, verdict::ok);
  file(path, "always [madvise] never\n");
  EXPECT_THAT(look_at_huge_pages(here).mend, HasSubstr("glibc.malloc.hugetlb=1"));
  file(path, "always madvise [never]\n");
  EXPECT_THAT(look_at_huge_pages(here).mend, HasSubstr("echo always"));
}

TEST_F(SystemChecks, TimeThatTheHostKeeps) {
  file("/proc/stat", "cpu  900 0 0 5000 0 0 0 100 0 0\n");
  EXPECT_THAT(look_at_host(here).what, HasSubstr("10 %"));
  EXPECT_EQ(look_at_host(here).how, verdict::costs);
  file("/proc/stat", "cpu  9990 0 0 5000 0 0 0 10 0 0\n");
  EXPECT_EQ(look_at_host(here).how, verdict::ok);
}

TEST_F(SystemChecks, OtherWork) {
  file("/proc/loadavg", "3.10 2.00 1.00 4/100 1234\n");
  EXPECT_EQ(look_at_load(here).how, verdict::remark);
  file("/proc/loadavg", "0.10 2.00 1.00 1/100 1234\n");
  EXPECT_EQ(look_at_load(here).how, verdict::ok);
}

TEST_F(SystemChecks, WhoRefusesProcessVm) {
  EXPECT_THAT(explain_refusal(here, ENOSYS).mend, HasSubstr("CONFIG_CROSS_MEMORY_ATTACH"));
  EXPECT_THAT(explain_refusal(here, EPERM).mend, HasSubstr("CAP_SYS_PTRACE"));
  file("/proc/self/status", "Name:\tx\nSeccomp:\t2\n");
  EXPECT_THAT(explain_refusal(here, EPERM).mend, HasSubstr("--cap-add=SYS_PTRACE"));
  file("/proc/sys/kernel/yama/ptrace_scope", "2\n");
  EXPECT_THAT(explain_refusal(here, EPERM).mend, HasSubstr("ptrace_scope=1"));
  EXPECT_EQ(explain_refusal(here, EPERM).how, verdict::costs);
}

TEST_F(SystemChecks, SettingsThatCost) {
  const auto slow = [&] {
    std::string names;
    for (const finding& f : look_at_settings(here))
      if (f.how == verdict::costs && f.mend.starts_with("unset ")) names += f.mend.substr(6) + ' ';
    return names;
  };
  EXPECT_EQ(slow(), "");
  setenv("LOADSTONE_VM", "0", 1);
  setenv("LOADSTONE_WAIT", "spin", 1);
  EXPECT_EQ(slow(), "LOADSTONE_VM ");
  here.ranks = 8;
  EXPECT_EQ(slow(), "LOADSTONE_VM LOADSTONE_WAIT ");
  unsetenv("LOADSTONE_VM");
  unsetenv("LOADSTONE_WAIT");
}

}  // namespace
}  // namespace loadstone::command
