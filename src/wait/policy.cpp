#include "wait/policy.hpp"

namespace loadstone::wait {

policy choose_policy(std::uint32_t cores, std::uint32_t processes, mode how) {
  policy chosen;
  chosen.how = how;
  if (processes > cores) {
    chosen.spin_ns = 0;
    chosen.yields = 100;
    chosen.free_polls = 2;
    chosen.patient_polls = cores > 1 ? 24 : 0;  // on the only core nobody answers while we poll
  }
  return chosen;
}

}  // namespace loadstone::wait
