#include "p2p/limits.hpp"

#include <algorithm>

#include "p2p/arrival.hpp"

namespace loadstone::p2p {

limits limits_of(const engine_config& wanted, const surroundings& here) {
  limits l{wanted};
  const auto of_machine = [](std::size_t* limit, std::int64_t bytes) {
    if (*limit == engine_config::of_machine) *limit = static_cast<std::size_t>(bytes);
  };
  of_machine(&l.eager_limit, wanted.machine.eager);
  of_machine(&l.direct_limit, wanted.machine.direct);
  of_machine(&l.pipeline_limit, wanted.machine.pipeline);
  // One eager message is one active message; a pipeline block too.
  l.eager_limit = std::min(l.eager_limit, deposit::max_message);
  l.pipeline_block = std::clamp<std::size_t>(l.pipeline_block, 1, deposit::max_message);
  // With several threads a long copy lets others in, which one through cells does not.
  if (!engine_config::core_for_each(here.cores, here.processes) || here.threads) l.pipeline_limit = 0;
  l.both_sides = wanted.copies_on_both_sides(here.cores, here.processes) ? 1 : 0;
  // A message in a cell needs nobody; otherwise the progress thread would be wanted for every
  // receive of that length.
  if (l.both_sides == 0 || here.progress_thread || l.direct_limit > l.eager_limit)
    l.direct_limit = l.eager_limit;

  const auto of = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes); };
  // Who has lowered the eager limit wants senders to wait.
  l.at_once = of(l.eager_limit) < wanted.machine.eager ? 0 : of(std::min(l.pipeline_block, l.pipeline_limit));
  l.short_message = of(std::min(l.eager_limit, inline_payload));
  // Beyond, send_now() has to see where the data lies.
  l.by_turns = of(std::min(l.eager_limit, std::max<std::size_t>(l.direct_limit, 8 * 1024)));
  l.least_advertised = std::max(wanted.machine.eager + 1, l.at_once);
  l.untold = std::min(of(l.eager_limit), l.least_advertised - 1);
  return l;
}

}  // namespace loadstone::p2p
