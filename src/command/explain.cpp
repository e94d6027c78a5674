#include "command/explain.hpp"

#include <fmt/core.h>

#include "base/cpus.hpp"
#include "model/protocols.hpp"
#include "p2p/arrival.hpp"
#include "p2p/choice.hpp"
#include "rank/settings.hpp"

namespace loadstone::command {

namespace {

struct peer {
  const char* name;
  model::reach between;
};
const std::vector<peer>& peers() {
  static const std::vector<peer> all = {
      {"ordinary", {}},
      {"shared", {.source_mapped = true, .target_mapped = true}},
      {"shared-send", {.source_mapped = true}},
      {"shared-receive", {.target_mapped = true}},
      {"no-vm", {.kernel = false}},
  };
  return all;
}

// A limit: as set, or as it follows from the machine; beside it what it would be otherwise.
void show_limit(const char* name, std::size_t set, std::int64_t of_machine, std::int64_t built_in) {
  const bool is_set = set != p2p::engine_config::of_machine;
  fmt::print("  {:22} {:>12}", name, is_set ? set : static_cast<std::size_t>(of_machine));
  if (is_set) fmt::print("   set; of the machine: {}", of_machine);
  if (!is_set && of_machine != built_in) fmt::print("   of this machine; built in: {}", built_in);
  fmt::print("\n");
}

}  // namespace

std::vector<std::string> peers_to_explain() {
  std::vector<std::string> names;
  for (const peer& p : peers()) names.emplace_back(p.name);
  return names;
}

void print_origin_of_times(bool kept) {
  if (kept)
    fmt::print("times: of this machine, as loadstone model has measured it ({})\n\n", kept_machine_file());
  else
    fmt::print("times: of the machine that is built in; loadstone model measures this one\n\n");
}

int explain_message(const explain_options& wanted) {
  rank::config config = config_of(variables_of_environment());
  const auto kept = machine_of(&config);
  const model::machine& here = kept ? *kept : model::built_in();
  const std::uint32_t cores = base::usable_cpus();
  const p2p::limits l = p2p::limits_of(config.p2p, {.cores = cores, .processes = wanted.ranks});
  model::reach between;
  for (const peer& p : peers())
    if (wanted.peer == p.name) between = p.between;
  between.kernel = between.kernel && config.endpoint.vm;
  between.cores = p2p::engine_config::core_for_each(cores, wanted.ranks);
  between.both = l.both_sides != 0;
  between.told = wanted.advertised;
  between.waits = wanted.waits && !wanted.advertised;
  const model::bounds fits{.most_short = static_cast<std::int64_t>(p2p::inline_payload),
                           .most_eager = static_cast<std::int64_t>(deposit::max_message)};
  const p2p::first_way taken = p2p::first_way_of(l, wanted.bytes, between);

  fmt::print("A message of {} bytes between two of {} ranks on {} processor{}, peer: {}, {}\n", wanted.bytes,
             wanted.ranks, cores, cores == 1 ? "" : "s", wanted.peer,
             between.told    ? "the sender has been told of the receive"
             : between.waits ? "both ends wait until it is through"
                             : "neither end waits");
  print_origin_of_times(kept.has_value());
  fmt::print("  {:22} {:>12}   {}\n", "way", "predicted µs", "");
  const auto all = model::choose(wanted.bytes, here, between, fits);
  double of_taken = 0;
  for (const model::candidate& c : all) {
    if (c.time <= 0) {
      fmt::print("  {:22} {:>12}   {}\n", model::name_of(c.which), "-",
                 model::why_not(c.which, wanted.bytes, here, between, fits));
      continue;
    }
    if (c.which == taken.which) of_taken = c.time;
    fmt::print("  {:22} {:12.3f}   {}\n", model::name_of(c.which), c.time,
               c.which == taken.which ? "taken" : "");
  }
  fmt::print("\ntaken: {}: {}\n", model::name_of(taken.which), taken.because);
  const model::candidate& quickest = all.front();
  if (between.told)
    fmt::print("the others, but for those that do not ask, begin when the receiver waits\n");
  else if (quickest.time < of_taken)
    fmt::print("the model would take: {}, in {:.0f} % of its time\n", model::name_of(quickest.which),
               100 * quickest.time / of_taken);
  if (between.waits && between.kernel && between.cores && !between.source_mapped && !between.target_mapped &&
      wanted.bytes > static_cast<std::int64_t>(l.eager_limit))
    fmt::print(
        "what copies cost is measured for each peer while the job runs; where the kernel is quicker, it is "
        "taken\n");

  const model::thresholds &machine = config.p2p.machine, built_in;
  fmt::print("\nlimits, in bytes\n");
  show_limit("LOADSTONE_EAGER_LIMIT", config.p2p.eager_limit, machine.eager, built_in.eager);
  show_limit("direct_limit", config.p2p.direct_limit, machine.direct, built_in.direct);
  show_limit("pipeline_limit", config.p2p.pipeline_limit, machine.pipeline, built_in.pipeline);
  return 0;
}

}  // namespace loadstone::command
