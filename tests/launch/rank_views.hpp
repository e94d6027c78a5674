// Ranks as mpiexec sees them, for its reports.
#pragma once

#include <string>

#include "launch/wait_report.hpp"

namespace loadstone::launch {

inline rank_view running() {
  rank_view rank;
  rank.state = memory::process_state::initialized;
  rank.pid = 99;
  return rank;
}

inline rank_view waiting(std::int32_t peer, const std::string& detail = {}, std::uint64_t ns = lasting_ns) {
  rank_view rank = running();
  rank.waits.push_back(
      {.call = 0, .peer = peer, .tag = -1, .communicator = 0, .waited_ns = ns, .detail = detail});
  return rank;
}

}  // namespace loadstone::launch
