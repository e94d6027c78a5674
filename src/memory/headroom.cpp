#include "memory/headroom.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "base/text_file.hpp"

namespace loadstone::memory {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

struct mount {
  std::string root, point;
};

// Where the hierarchy is mounted: fields 4 and 5 of /proc/self/mountinfo; type and options follow "
// - ".
bool find_mount(const std::string& mountinfo, bool version2, mount* found) {
  std::istringstream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream tail(line.substr(dash + 3)), head(line.substr(0, dash));
    std::string type, source, options, number, parent, device;
    tail >> type >> source >> options;
    if (version2 ? type != "cgroup2" : type != "cgroup") continue;
    if (!version2 && ("," + options + ",").find(",memory,") == std::string::npos) continue;
    head >> number >> parent >> device >> found->root >> found->point;
    return true;
  }
  return false;
}

// The line of /proc/self/cgroup: "0::/path" for version 2, "N:…memory…:/path" for version 1.
bool find_path(const std::string& cgroup, bool version2, std::string* path) {
  std::istringstream lines(cgroup);
  for (std::string line; std::getline(lines, line);) {
    std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    bool match = version2 ? controllers == ",," : controllers.find(",memory,") != std::string::npos;
    if (!match) continue;
    *path = line.substr(second + 1);
    return true;
  }
  return false;
}

std::int64_t read_number(const std::string& path) {
  std::string text = base::read_text_file(path);
  if (text.empty() || text[0] < '0' || text[0] > '9') return -1;  // "max", or not there
  return std::strtoll(text.c_str(), nullptr, 10);
}

}  // namespace

headroom headroom::of_this_process(const std::string& root) {
  headroom room;
  room.root_ = root;
  std::string mountinfo = base::read_text_file(root + "/proc/self/mountinfo");
  std::string cgroup = base::read_text_file(root + "/proc/self/cgroup");
  for (bool version2 : {false, true}) {
    mount where;
    std::string path;
    if (!find_mount(mountinfo, version2, &where) || !find_path(cgroup, version2, &path)) continue;
    // In a container without a cgroup namespace the mount shows only the part below `root`.
    if (where.root != "/" && path.compare(0, where.root.size(), where.root) == 0)
      path = path.substr(where.root.size());
    for (;;) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      std::string folder = root + where.point + path;
      const char* limit = version2 ? "/memory.max" : "/memory.limit_in_bytes";
      if (access((folder + limit).c_str(), R_OK) == 0) room.groups_.push_back({folder, version2});
      if (path.empty()) break;
      path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
  }
  return room;
}

std::int64_t headroom::room_in(const group& g) {
  std::int64_t limit = read_number(g.folder + (g.version2 ? "/memory.max" : "/memory.limit_in_bytes"));
  // From memory.high on the kernel slows down whoever allocates: no room that one can count on.
  const std::int64_t high = g.version2 ? read_number(g.folder + "/memory.high") : -1;
  if (high >= 0 && (limit < 0 || high < limit)) limit = high;
  if (limit < 0 || limit > (std::int64_t{1} << 60)) return unlimited;
  std::int64_t used = read_number(g.folder + (g.version2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (used < 0) return unlimited;
  // Clean file pages give way before anybody is killed.
  std::int64_t reclaimable = base::number_after(base::read_text_file(g.folder + "/memory.stat"),
                                                g.version2 ? "inactive_file" : "total_inactive_file");
  // A little stays for page tables and for what other ranks take between our look and our
  // reservation.
  std::int64_t margin = std::min<std::int64_t>(limit / 32, 16 << 20);
  return limit - used + std::max<std::int64_t>(reclaimable, 0) - margin;
}

std::int64_t headroom::kills() const {
  std::int64_t sum =
      std::max<std::int64_t>(base::number_after(base::read_text_file(root_ + "/proc/vmstat"), "oom_kill"), 0);
  for (const group& g : groups_) {
    std::string text =
        base::read_text_file(g.folder + (g.version2 ? "/memory.events" : "/memory.oom_control"));
    sum += std::max<std::int64_t>(base::number_after(text, "oom_kill "), 0);
  }
  return sum;
}

std::uint64_t headroom::left() const {
  std::int64_t least = unlimited;
  for (const group& g : groups_) least = std::min(least, room_in(g));
  const std::string meminfo = base::read_text_file(root_ + "/proc/meminfo");
  const std::int64_t available = base::number_after(meminfo, "MemAvailable:");
  if (available >= 0) least = std::min(least, available * 1024);
  constexpr std::int64_t never_more_than_committed = 2;
  if (read_number(root_ + "/proc/sys/vm/overcommit_memory") == never_more_than_committed)
    least = std::min(least, 1024 * (base::number_after(meminfo, "CommitLimit:") -
                                    base::number_after(meminfo, "Committed_AS:")));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0));
}

base::status headroom::check(std::uint64_t bytes) const {
  auto wanted = static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, unlimited));
  for (const group& g : groups_) {
    if (room_in(g) < wanted)
      return {base::code::no_memory, 0,
              "the memory limit of a cgroup above this process (memory.max, the container's limit) leaves no "
              "room"};
  }
  std::string meminfo = base::read_text_file(root_ + "/proc/meminfo");
  std::int64_t available = base::number_after(meminfo, "MemAvailable:");
  std::int64_t swap = std::max<std::int64_t>(base::number_after(meminfo, "SwapFree:"), 0);
  if (available >= 0 && (available + swap) * 1024 < wanted)
    return {base::code::no_memory, 0, "this machine has not that much memory free"};
  return base::status::success();
}

}  // namespace loadstone::memory
