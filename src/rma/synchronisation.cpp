#include "rma/synchronisation.hpp"

namespace loadstone::rma {

synchronisation::synchronisation(deposit::endpoint& endpoint, memory::job& job, window_record& own,
                                 std::int32_t rank, std::span<const std::uint32_t> processes,
                                 const surroundings& around)
    : endpoint_(endpoint),
      job_(job),
      own_(own),
      rank_(rank),
      processes_(processes),
      around_(around),
      barrier_(own.fence.flags, rank, static_cast<std::int32_t>(processes.size())) {}

}  // namespace loadstone::rma
