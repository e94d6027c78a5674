// Has the kernel killed somebody for lack of memory? Its counters, of every cgroup above us and of
// the machine.
#pragma once

#include <cstdint>

#include "memory/headroom.hpp"

namespace loadstone::launch {

class oom_watch {
 public:
  oom_watch() : headroom_(memory::headroom::of_this_process()), before_(count()) {}
  bool happened() const { return count() > before_; }  // since construction

 private:
  std::int64_t count() const { return headroom_.kills(); }
  memory::headroom headroom_;
  std::int64_t before_;
};

}  // namespace loadstone::launch
