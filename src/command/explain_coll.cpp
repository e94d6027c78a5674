#include "command/explain_coll.hpp"

#include <fmt/core.h>

#include "base/cpus.hpp"
#include "coll/choices.hpp"
#include "coll/levels.hpp"
#include "command/explain.hpp"
#include "launch/cores.hpp"
#include "launch/machine.hpp"
#include "launch/placement.hpp"
#include "rank/settings.hpp"

namespace loadstone::command {

namespace {

// Forms with blocks whose sizes need not be equal.
struct form {
  std::string_view name, of;
};
constexpr form unequal[] = {{"gatherv", "gather"},
                            {"scatterv", "scatter"},
                            {"allgatherv", "allgather"},
                            {"alltoallv", "alltoall"},
                            {"alltoallw", "alltoall"}};

std::string_view size_of(std::string_view collective) {
  if (collective == "barrier") return "";
  if (collective == "alltoall") return " bytes for each pair";
  if (collective == "gather" || collective == "scatter" || collective == "allgather")
    return " bytes of each member";
  return collective == "bcast" ? " bytes" : " bytes of a vector";
}

// As mpiexec would place so many ranks here, or on the machine that LOADSTONE_TOPOLOGY describes.
struct hosts {
  std::uint32_t cores;
  model::spread members;
};
hosts hosts_of(std::uint32_t ranks) {
  const char* const synthetic = launch::synthetic_machine();
  std::vector<launch::core> cores = launch::read_cores(synthetic, true);
  std::uint32_t usable = base::usable_cpus();
  if (synthetic != nullptr && !cores.empty())
    usable = static_cast<std::uint32_t>(launch::all_processors(cores).size());
  std::vector<memory::locality> where =
      launch::localities(ranks, launch::place(cores, {{ranks, 1}}, {}, usable));
  memory::locality unknown;
  unknown.fill(memory::nowhere);
  where.resize(ranks, unknown);
  return {usable, coll::levels(where).spread()};
}

std::string described(const model::spread& s, std::int32_t members) {
  if (s.of_socket == members && s.of_cache == members) return {};
  std::string text = fmt::format(", {} to a cache, {} to a package", s.of_cache, s.of_socket);
  if (s.in_turn) text += ", in turn";
  return text;
}

}  // namespace

std::vector<std::string> collectives_to_explain() {
  std::vector<std::string> names;
  coll::operation what{};
  for (const coll::choices::known& k : coll::choices::table())
    if (coll::choices::named(k.collective, &what)) names.emplace_back(k.collective);
  for (const form& f : unequal) names.emplace_back(f.name);
  return names;
}

int explain_coll(const explain_options& wanted) {
  rank::config config = config_of(variables_of_environment());
  const auto kept = machine_of(&config);
  const auto [cores, spread] = hosts_of(wanted.ranks);
  coll::choices choices = config.coll;
  choices.set_machine(config.machine, cores, wanted.ranks);
  coll::operation what{};
  std::string_view collective = wanted.collective;
  bool equal = true;
  for (const form& f : unequal)
    if (f.name == wanted.collective) collective = f.of, equal = false;
  coll::choices::named(collective, &what);
  const auto members = static_cast<std::int32_t>(wanted.ranks);
  const coll::choices::weighed w =
      equal ? choices.weigh(what, {members, spread}, wanted.bytes, members > 1)
            : choices.weigh_unequal(what, {members, spread}, wanted.bytes, members > 1);

  fmt::print("{}", wanted.collective);
  if (const std::string_view size = size_of(collective); !size.empty())
    fmt::print(" of {}{}", wanted.bytes, size);
  fmt::print(", {} ranks on {} processor{}{}\n", wanted.ranks, cores, cores == 1 ? "" : "s",
             described(spread, members));
  print_origin_of_times(kept.has_value());
  const model::algorithm& taken = w.all[w.taken];
  fmt::print("  {:16} {:>12} {:>12} {:>12} {:>12}   {}\n", "algorithm", "predicted µs", "chain",
             "work / cores", "changes", "times the taken one");
  for (const model::algorithm& a : w.all) {
    if (a.time <= 0)
      fmt::print("  {:16} {:>12} {:>12} {:>12} {:>12}   {}\n", a.name, "-", "", "", "", a.why_not);
    else if (&a == &taken)
      fmt::print("  {:16} {:12.3f} {:12.3f} {:12.3f} {:12.3f}   taken\n", a.name, a.time, a.chain, a.work,
                 a.changes);
    else
      fmt::print("  {:16} {:12.3f} {:12.3f} {:12.3f} {:12.3f}   {:.2f}\n", a.name, a.time, a.chain, a.work,
                 a.changes, a.time / taken.time);
  }
  fmt::print(
      "chain: the longest one of steps that wait for each other; work: of all members, by the cores that "
      "they "
      "have;\nchanges: of processes, where members share cores. The longer of the first two, and the "
      "third\n");
  const bool owners_only = !equal && what != coll::operation::allgather;
  const auto each = what == coll::operation::alltoall ? "always" : "each block by its own length";
  fmt::print("\ntaken: {}: {}\n", taken.name,
             w.fixed       ? fmt::format("LOADSTONE_COLL_{}={}", collective, choices.get(collective))
             : owners_only ? fmt::format("{}, as only their owners know the sizes of blocks", each)
                           : std::string("the quickest by the model, of those that are possible"));
  if (!equal) fmt::print("times: as if all blocks had this size\n");
  fmt::print(
      "the first two collectives of a communicator, and those of members that cannot map each other, "
      "are done by messages\n");
  return 0;
}

}  // namespace loadstone::command
