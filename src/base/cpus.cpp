#include "base/cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

#include "base/text_file.hpp"

namespace loadstone::base {

namespace {

std::uint32_t affinity_count() {
  // The kernel refuses masks smaller than its own; machines with more than 1024 processors exist.
  for (int processors = 1024; processors <= 1 << 18; processors *= 4) {
    cpu_set_t* set = CPU_ALLOC(processors);
    if (set == nullptr) return 1;
    std::size_t bytes = CPU_ALLOC_SIZE(processors);
    int failed = sched_getaffinity(0, bytes, set);
    int count = failed == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (failed == 0) return static_cast<std::uint32_t>(std::max(count, 1));
  }
  return 1;
}

// Processors granted by one cgroup folder, rounded up; UINT32_MAX = no limit.
std::uint32_t quota_in(const std::string& folder, bool version2) {
  long long quota = -1, period = 0;
  if (version2) {
    if (std::sscanf(read_text_file(folder + "/cpu.max").c_str(), "%lld %lld", &quota, &period) != 2)
      return UINT32_MAX;
  } else {
    if (std::sscanf(read_text_file(folder + "/cpu.cfs_quota_us").c_str(), "%lld", &quota) != 1)
      return UINT32_MAX;
    if (std::sscanf(read_text_file(folder + "/cpu.cfs_period_us").c_str(), "%lld", &period) != 1)
      return UINT32_MAX;
  }
  if (quota <= 0 || period <= 0) return UINT32_MAX;
  return static_cast<std::uint32_t>(std::max<long long>((quota + period - 1) / period, 1));
}

}  // namespace

std::uint32_t usable_cpus() {
  std::uint32_t count = affinity_count();
  std::istringstream lines(read_text_file("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                path = line.substr(second + 1);
    bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",cpu,") == std::string::npos) continue;
    // Inside a container the path may be one that only the host sees; then the mount point itself is our
    // group.
    std::string mount = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (;;) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      count = std::min(count, quota_in(mount + path, version2));
      if (path.empty()) break;
      std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  return std::max(count, 1u);
}

}  // namespace loadstone::base
