#include "command/system_checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <sstream>
#include <string_view>

#include "base/cpus.hpp"
#include "base/text_file.hpp"
#include "base/valgrind.hpp"
#include "memory/headroom.hpp"
#include "memory/launch_environment.hpp"
#include "rank/settings.hpp"

namespace loadstone::command {

namespace {

using base::read_text_file;

std::string first_word(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  return word;
}

// The word in brackets, by which the kernel marks what is chosen.
std::string chosen(const std::string& text) {
  const std::size_t from = text.find('['), to = text.find(']');
  return from == std::string::npos || to < from ? std::string{} : text.substr(from + 1, to - from - 1);
}

finding cost_of_setting(const char* what, const char* cost) {
  return {verdict::costs, fmt::format("{} is set", what), cost,
          fmt::format("unset {}", std::string_view(what).substr(0, std::string_view(what).find('=')))};
}

}  // namespace

finding look_at_processors(const surroundings& here) {
  const double quota = base::cpu_quota(here.root);
  if (quota < here.processors && quota < here.ranks)
    return {verdict::costs,
            fmt::format("a CPU quota of {:.3g} processors for {} ranks (the affinity mask has {})", quota,
                        here.ranks, here.processors),
            "when it is used up, the kernel stops every rank until the next period (often 0.1 s): messages "
            "take as long",
            "raise the quota (docker --cpus, resources.limits.cpu of Kubernetes, CPUQuota of systemd), or "
            "start fewer ranks"};
  const auto usable = std::min<double>(here.processors, std::ceil(quota));
  if (here.ranks > usable)
    return {verdict::costs,
            fmt::format("{} ranks on {:.0f} processor{}", here.ranks, usable, usable == 1 ? "" : "s"),
            "ranks that wait sleep at once: a message then takes microseconds instead of a fraction of one; "
            "one side alone "
            "copies large messages",
            "start as many ranks as there are processors, or let the job use more (taskset, cpuset, --cpus)"};
  if (quota < here.processors)
    return {verdict::remark,
            fmt::format("a CPU quota of {:.3g} processors in an affinity mask of {}", quota, here.processors),
            "enough for these ranks; threads of theirs may use it up", ""};
  return {verdict::ok,
          fmt::format("{} rank{} on {} processors", here.ranks, here.ranks == 1 ? "" : "s", here.processors),
          "", ""};
}

finding look_at_clock(const surroundings& here) {
  const std::string source = first_word(
      read_text_file(here.root + "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  if (source.empty()) return {};
  // Clocks that a process reads without a system call.
  constexpr std::array quick = {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"};
  if (std::find(quick.begin(), quick.end(), source) != quick.end())
    return {verdict::ok, fmt::format("the clock ({}) is read without a system call", source), "", ""};
  return {
      verdict::costs, fmt::format("the clock of the kernel is {}", source),
      "each reading of it is a system call: in MPI_Wtime, and when a rank decides whether to go on spinning",
      "clocksource=tsc tsc=reliable on the kernel's command line, if this machine's TSC is"};
}

finding look_at_frequency(const surroundings& here) {
  const std::string folder = here.root + "/sys/devices/system/cpu/cpu0/cpufreq/";
  const std::string governor = first_word(read_text_file(folder + "scaling_governor"));
  const std::string driver = first_word(read_text_file(folder + "scaling_driver"));
  if (governor.empty()) return {};
  // Some drivers choose the frequency by themselves, and call that powersave; with all others it
  // means the lowest frequency.
  const bool by_itself = driver == "intel_pstate" || driver.starts_with("amd-pstate");
  if (governor == "powersave" && !by_itself)
    return {verdict::costs, "the processors run at their lowest frequency (governor powersave)",
            "everything takes longer in proportion", "cpupower frequency-set -g performance"};
  return {verdict::ok, fmt::format("frequency governor {} ({})", governor, driver), "", ""};
}

finding look_at_huge_pages(const surroundings& here) {
  const std::string how = chosen(read_text_file(here.root + "/sys/kernel/mm/transparent_hugepage/enabled"));
  if (how.empty()) return {};
  if (how == "always") return {verdict::ok, "large arrays of a program lie in huge pages", "", ""};
  return {verdict::remark,
          fmt::format("huge pages only on request (transparent_hugepage/enabled is {})", how),
          "the kernel goes through large messages page by page of 4 KiB (a trial on two cores, 16 MiB copied "
          "by both sides: "
          "11 GB/s; in huge pages 18)",
          how == "never"
              ? "echo always > /sys/kernel/mm/transparent_hugepage/enabled (as root)"
              : "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment of the job (glibc 2.35 or newer)"};
}

finding look_at_host(const surroundings& here) {
  // "cpu  user nice system idle iowait irq softirq steal …", in ticks since the start of the system
  std::istringstream words(read_text_file(here.root + "/proc/stat"));
  std::string cpu;
  words >> cpu;
  double all = 0, value = 0, stolen = 0, idle = 0;
  for (int i = 0; i < 8 && words >> value; ++i) {
    all += value;
    if (i == 3) idle = value;
    if (i == 7) stolen = value;
  }
  const double busy = all - idle;
  if (cpu != "cpu" || busy <= 0) return {};
  const double share = 100 * stolen / busy;
  if (share < 2) return {verdict::ok, "the host takes no processors away from this system", "", ""};
  return {
      verdict::costs,
      fmt::format("since its start, the host kept this virtual machine waiting for {:.0f} % of its busy time",
                  share),
      "a rank that waits for one that is not running waits milliseconds",
      "a host that is not shared, or fewer processors"};
}

finding look_at_load(const surroundings& here) {
  const std::string text = read_text_file(here.root + "/proc/loadavg");
  if (text.empty()) return {};
  const double load = std::strtod(text.c_str(), nullptr);
  if (load < 0.5) return {verdict::ok, fmt::format("nothing else is running (load {:.1f})", load), "", ""};
  return {verdict::remark, fmt::format("other work: a load of {:.1f} over the last minute", load),
          "ranks share processors with it; figures measured now are not this machine's", ""};
}

finding look_at_memory(const surroundings& here) {
  // More than the library takes in a rank that has communicated with all others.
  constexpr std::uint64_t of_a_rank = 16u << 20;
  const base::status enough = memory::headroom::of_this_process(here.root).check(of_a_rank * here.ranks);
  if (enough.ok()) return {verdict::ok, "there is memory for the library's own needs", "", ""};
  return {verdict::costs, fmt::format("little memory: {}", enough.what),
          fmt::format(
              "{} ranks may take {} MiB beside their data; a job that finds none ends with MPI_ERR_NO_MEM",
              here.ranks, (of_a_rank * here.ranks) >> 20),
          "raise the limit (docker --memory, resources.limits.memory), or LOADSTONE_ARENA_LIMIT for a "
          "smaller library"};
}

finding look_at_launcher() {
  const std::string refusal = memory::foreign_launcher();
  if (refusal.empty()) return {};
  return {verdict::remark, "this process was started by another launcher", refusal,
          "start the job with Loadstone's mpiexec"};
}

finding look_at_valgrind() {
  if (base::can_tell_valgrind())
    return {verdict::ok, "valgrind is told what peers write into a rank's memory", "", ""};
  return {verdict::remark, "this build cannot tell valgrind what peers write into a rank's memory",
          "under it, what is received looks as if nobody had written it: LOADSTONE_VM=0 and "
          "LOADSTONE_TEST=pair_lines=0 in the environment of such a job avoid most of that",
          "build with valgrind's header installed (LOADSTONE_VALGRIND)"};
}

std::vector<finding> look_at_settings(const surroundings& here) {
  const variables given = variables_of_environment();
  const auto is_set_to = [&](std::string_view name, std::string_view value) {
    return value_of(given, name) == value;
  };
  std::vector<finding> all;
  if (is_set_to("LOADSTONE_VM", "0"))
    all.push_back(
        cost_of_setting("LOADSTONE_VM=0", "large messages are copied twice, through shared memory"));
  if (is_set_to("LOADSTONE_WAIT", "block"))
    all.push_back(
        cost_of_setting("LOADSTONE_WAIT=block", "each wait sleeps at once: microseconds for every message"));
  if (is_set_to("LOADSTONE_WAIT", "spin") && here.ranks > here.processors)
    all.push_back(
        cost_of_setting("LOADSTONE_WAIT=spin", "ranks that wait keep the processors from those that work"));
  std::string of_tests;
  for (const setting& s : settings()) {
    const std::string_view value = value_of(given, s.name);
    if (s.who == setting_user::test && !value.empty() && value != s.initial)
      of_tests += fmt::format("{}{}={}", of_tests.empty() ? "" : ",", s.name, value);
  }
  if (!of_tests.empty())
    all.push_back(cost_of_setting(("LOADSTONE_TEST=" + of_tests).c_str(),
                                  "parameters of tests and trials; most make messages slower"));
  std::istringstream lines(complaints_about(given));
  for (std::string line; std::getline(lines, line);)
    all.push_back({verdict::remark, line, "the default holds", "loadstone info"});
#ifdef LOADSTONE_FAULTS
  all.push_back({verdict::costs, "this build has the fault points of the tests compiled in",
                 "each reads a variable, also on the way of a short message",
                 "cmake -DLOADSTONE_FAULTS=OFF"});
#endif
  return all;
}

finding explain_refusal(const surroundings& here, int error_number) {
  finding refused{
      verdict::costs,
      fmt::format("the system refuses process_vm_readv between ranks ({})", std::strerror(error_number)),
      "large messages are copied twice, through shared memory: about half the bandwidth, and no progress "
      "while a "
      "rank computes",
      ""};
  const std::string yama = first_word(read_text_file(here.root + "/proc/sys/kernel/yama/ptrace_scope"));
  const std::int64_t filter = base::number_after(read_text_file(here.root + "/proc/self/status"), "Seccomp:");
  if (error_number == ENOSYS)
    refused.mend = "a kernel with CONFIG_CROSS_MEMORY_ATTACH";
  else if (yama == "2" || yama == "3")
    refused.mend = fmt::format("sysctl kernel.yama.ptrace_scope=1 (it is {}{})", yama,
                               yama == "3" ? "; that needs a restart of the system" : "");
  else if (filter == 2)
    refused.mend =
        "a seccomp filter is in force here: docker run --cap-add=SYS_PTRACE, or a profile that allows "
        "process_vm_readv and "
        "process_vm_writev (--security-opt seccomp=…)";
  else
    refused.mend =
        "the right to trace processes of the same user (CAP_SYS_PTRACE, or a security module's rule)";
  return refused;
}

}  // namespace loadstone::command
