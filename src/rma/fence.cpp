#include <fmt/format.h>

#include "rma/synchronisation.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

bool synchronisation::barrier(const wait::reason& caller) {
  const std::uint64_t number = barrier_.begin();
  for (std::uint32_t round = 0; round < barrier_.rounds(); ++round) {
    partner* const to = find(barrier_.to(round));
    if (to == nullptr || !tell(*to, offsetof(window_record, fence.flags) + sizeof(number) * round, number))
      return false;
    if (barrier_.arrived(round)) continue;
    const std::uint32_t awaited = processes_[static_cast<std::size_t>(barrier_.from(round))];
    char detail[24];
    *fmt::format_to_n(detail, sizeof detail - 1, "fence, round {} of {}", round + 1, barrier_.rounds()).out =
        0;
    wait::reason why = caller;
    why.peer = static_cast<std::int32_t>(awaited);
    why.detail = detail;
    if (!wait_for_members(
            endpoint_, why, [&] { return barrier_.arrived(round); }, [&] { return has_died(awaited); }))
      return false;
  }
  return true;
}

}  // namespace loadstone::rma
