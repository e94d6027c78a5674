#include "command/explain_coll.hpp"

#include <fmt/core.h>

#include "base/cpus.hpp"
#include "coll/choices.hpp"
#include "command/explain.hpp"
#include "rank/settings.hpp"

namespace loadstone::command {

namespace {

std::string_view size_of(std::string_view collective) {
  if (collective == "barrier") return "";
  if (collective == "alltoall") return " bytes for each pair";
  if (collective == "gather" || collective == "scatter" || collective == "allgather")
    return " bytes of each member";
  return collective == "bcast" ? " bytes" : " bytes of a vector";
}

}  // namespace

std::vector<std::string> collectives_to_explain() {
  std::vector<std::string> names;
  coll::operation what{};
  for (const coll::choices::known& k : coll::choices::table())
    if (coll::choices::named(k.collective, &what)) names.emplace_back(k.collective);
  return names;
}

int explain_coll(const explain_options& wanted) {
  rank::config config = config_of(variables_of_environment());
  const auto kept = machine_of(&config);
  const std::uint32_t cores = base::usable_cpus();
  coll::choices choices = config.coll;
  choices.set_machine(config.machine, cores, wanted.ranks);
  coll::operation what{};
  coll::choices::named(wanted.collective, &what);
  const auto members = static_cast<std::int32_t>(wanted.ranks);
  const coll::choices::weighed w = choices.weigh(what, members, wanted.bytes, members > 1);

  fmt::print("{}", wanted.collective);
  if (const std::string_view size = size_of(wanted.collective); !size.empty())
    fmt::print(" of {}{}", wanted.bytes, size);
  fmt::print(", {} ranks on {} processor{}\n", wanted.ranks, cores, cores == 1 ? "" : "s");
  print_origin_of_times(kept.has_value());
  fmt::print("  {:22} {:>12}\n", "algorithm", "predicted µs");
  double least = 0;
  std::string_view quickest;
  for (const model::algorithm& a : w.all) {
    const std::string_view note = &a == &w.all[w.taken] ? "taken" : a.why_not;
    if (a.time <= 0) {
      fmt::print("  {:22} {:>12}   {}\n", a.name, "-", note);
      continue;
    }
    fmt::print("  {:22} {:12.3f}{}{}\n", a.name, a.time, note.empty() ? "" : "   ", note);
    if (least == 0 || a.time < least) least = a.time, quickest = a.name;
  }
  const model::algorithm& taken = w.all[w.taken];
  // Whether data stays where it is follows from lengths that were measured, not from the model.
  fmt::print("\ntaken: {}: {}\n", taken.name,
             w.fixed ? fmt::format("LOADSTONE_COLL_{}={}", wanted.collective, taken.name)
             : quickest == taken.name
                 ? std::string("the quickest by the model, of those that are possible")
                 : std::string("by the lengths from which buffers and blocks were measured to be quicker"));
  if (quickest != taken.name)
    fmt::print("the model would take: {}, in {:.0f} % of its time\n", quickest, 100 * least / taken.time);
  fmt::print(
      "the first two collectives of a communicator, and those of members that cannot map each other, "
      "are done by messages\n");
  return 0;
}

}  // namespace loadstone::command
