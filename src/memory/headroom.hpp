// How much more memory may this process use? Asked before pages are reserved, as the kernel kills
// somebody when there is too little. The answer is the least of what the machine and every memory
// cgroup above this process (versions 1 and 2) have left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"

namespace loadstone::memory {

class headroom {
 public:
  // `root` is put before /proc and /sys: tests bring a tree of their own.
  static headroom of_this_process(const std::string& root = "");

  // ok, or no_memory with the sentence to show.
  base::status check(std::uint64_t bytes) const;

  // What is left, in bytes, for whoever takes a share of it.
  std::uint64_t left() const;

  // How many processes the kernel has killed for lack of memory, in those groups and on the
  // machine. Only differences mean something.
  std::int64_t kills() const;

  std::size_t groups() const { return groups_.size(); }

 private:
  struct group {
    std::string folder;
    bool version2;
  };
  static std::int64_t room_in(const group& g);  // bytes; INT64_MAX = no limit
  std::string root_;
  std::vector<group> groups_;
};

}  // namespace loadstone::memory
