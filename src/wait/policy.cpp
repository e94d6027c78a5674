#include "wait/policy.hpp"

#include <cstdlib>
#include <cstring>

namespace loadstone::wait {

policy choose_policy(std::uint32_t cores, std::uint32_t processes) {
  policy chosen;
  if (processes > cores) {
    chosen.spin_ns = 0;
    chosen.yields = 100;
    chosen.free_looks = 2;
    chosen.patient_looks = cores > 1 ? 24 : 0;  // on the only core nobody answers while we look
  }
  return chosen;
}

policy choose_policy_from_environment(std::uint32_t cores, std::uint32_t processes) {
  policy chosen = choose_policy(cores, processes);
  if (const char* wanted = std::getenv("LOADSTONE_WAIT")) {
    if (std::strcmp(wanted, "spin") == 0) chosen.how = mode::spin;
    if (std::strcmp(wanted, "block") == 0) chosen.how = mode::block;
  }
  return chosen;
}

}  // namespace loadstone::wait
