// Until what a member has begun in our memory is over. While it lives, without limit: one that is
// stopped (a debugger, SIGSTOP) goes on with it later. models/coll_leave.pml.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "coll/areas.hpp"
#include "wait/pause.hpp"

namespace loadstone::coll {

template <class Over>
void outwait(const areas& a, std::int32_t member, Over over) {
  // A piece takes some 10 us.
  for (std::uint32_t looks = 0; !over(); ++looks) {
    if (looks < 1000) {
      wait::pause();
      continue;
    }
    if (a.has_died(member)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace loadstone::coll
