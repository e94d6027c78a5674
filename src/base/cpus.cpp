#include "base/cpus.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

#include "base/text_file.hpp"

namespace loadstone::base {

namespace {

// Calls use(bytes, set) with the affinity mask of a process (0: of this thread); does nothing if
// the system refuses.
template <class Use>
void with_affinity(std::int32_t process, Use&& use) {
  // The kernel refuses masks smaller than its own; machines with more than 1024 processors exist.
  for (int processors = 1024; processors <= 1 << 18; processors *= 4) {
    cpu_set_t* set = CPU_ALLOC(processors);
    if (set == nullptr) return;
    std::size_t bytes = CPU_ALLOC_SIZE(processors);
    const bool known = sched_getaffinity(process, bytes, set) == 0;
    if (known) use(bytes, set);
    CPU_FREE(set);
    if (known) return;
  }
}

// Moves this thread to one of the processors it may use: binds it there, then puts its mask back.
void visit(std::size_t number, std::size_t bytes, const cpu_set_t* allowed) {
  cpu_set_t* one = CPU_ALLOC(bytes * 8);
  if (one == nullptr) return;
  CPU_ZERO_S(bytes, one);
  CPU_SET_S(number, bytes, one);
  if (sched_setaffinity(0, bytes, one) == 0) sched_setaffinity(0, bytes, allowed);
  CPU_FREE(one);
}

}  // namespace

std::uint32_t affinity_cpus() {
  int count = 1;
  with_affinity(0, [&](std::size_t bytes, cpu_set_t* set) { count = std::max(CPU_COUNT_S(bytes, set), 1); });
  return static_cast<std::uint32_t>(count);
}

std::vector<int> affinity_list() {
  std::vector<int> numbers;
  with_affinity(0, [&](std::size_t bytes, cpu_set_t* set) {
    for (std::size_t i = 0; i < bytes * 8; ++i)
      if (CPU_ISSET_S(i, bytes, set)) numbers.push_back(static_cast<int>(i));
  });
  return numbers;
}

std::size_t second_level_cache() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  if (const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return std::size_t{2} << 20;
}

bool slow_to_take_shared_lines() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

namespace {
// Of AMD's processors; 0: another one.
unsigned amd_family() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__builtin_cpu_is("amd") == 0 || __get_cpuid(1, &a, &b, &c, &d) == 0) return 0;
  return (a >> 8 & 0xf) + (a >> 20 & 0xff);
#else
  return 0;
#endif
}
}  // namespace

bool copies_best_by_string() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid_count(7, 0, &a, &b, &c, &d);
  constexpr unsigned short_strings_are_fast = 1u << 4;
  return amd_family() >= 0x1a && (d & short_strings_are_fast) != 0;
#else
  return false;
#endif
}

bool has_vectors_of_64() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0;
#else
  return false;
#endif
}

bool copies_some_slowly_by_string() {
  return amd_family() == 0x19;
}

std::string processor_name() {
#if defined(__x86_64__)
  std::array<unsigned, 12> words{};
  constexpr unsigned first = 0x80000002, last = 0x80000004;
  if (__get_cpuid_max(0x80000000, nullptr) < last) return {};
  for (unsigned leaf = first; leaf <= last; ++leaf) {
    unsigned* const at = &words[4 * (leaf - first)];
    __get_cpuid(leaf, at, at + 1, at + 2, at + 3);
  }
  std::string name(reinterpret_cast<const char*>(words.data()), sizeof words);
  name.resize(std::strlen(name.c_str()));
  const std::size_t begin = name.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return name.substr(begin, name.find_last_not_of(' ') - begin + 1);
#else
  return {};
#endif
}

void move_to_cpu(std::uint32_t index) {
  with_affinity(0, [&](std::size_t bytes, cpu_set_t* allowed) {
    const int count = CPU_COUNT_S(bytes, allowed);
    if (count < 2) return;
    int chosen = 0;
    for (int before = static_cast<int>(index % static_cast<std::uint32_t>(count));; ++chosen)
      if (CPU_ISSET_S(chosen, bytes, allowed) && before-- == 0) break;
    visit(static_cast<std::size_t>(chosen), bytes, allowed);
  });
}

void move_to_cpu_numbered(std::uint32_t number) {
  with_affinity(0, [&](std::size_t bytes, cpu_set_t* allowed) {
    if (number < bytes * 8 && CPU_ISSET_S(number, bytes, allowed)) visit(number, bytes, allowed);
  });
}

void share_cpus_of(std::int32_t process) {
  with_affinity(process, [](std::size_t bytes, cpu_set_t* set) {
    sched_setaffinity(0, bytes, set);  // a thread that stays where it is works, too
  });
}

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Processors granted by one cgroup folder.
double quota_in(const std::string& folder, bool version2) {
  long long quota = -1, period = 0;
  if (version2) {
    if (std::sscanf(read_text_file(folder + "/cpu.max").c_str(), "%lld %lld", &quota, &period) != 2)
      return unlimited;
  } else {
    if (std::sscanf(read_text_file(folder + "/cpu.cfs_quota_us").c_str(), "%lld", &quota) != 1)
      return unlimited;
    if (std::sscanf(read_text_file(folder + "/cpu.cfs_period_us").c_str(), "%lld", &period) != 1)
      return unlimited;
  }
  if (quota <= 0 || period <= 0) return unlimited;
  return static_cast<double>(quota) / static_cast<double>(period);
}

}  // namespace

double cpu_quota(const std::string& root) {
  double tightest = unlimited;
  std::istringstream lines(read_text_file(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                path = line.substr(second + 1);
    bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",cpu,") == std::string::npos) continue;
    // Inside a container the path may exist on the host only; then the mount point itself is our
    // cgroup.
    std::string mount = root + (version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu");
    for (;;) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      tightest = std::min(tightest, quota_in(mount + path, version2));
      if (path.empty()) break;
      std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  return tightest;
}

std::uint32_t usable_cpus() {
  const double quota = std::ceil(cpu_quota());
  const std::uint32_t count = affinity_cpus();
  return quota < count ? std::max(static_cast<std::uint32_t>(quota), 1u) : count;
}

}  // namespace loadstone::base
