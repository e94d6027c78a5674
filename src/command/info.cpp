#include "command/info.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/cpus.hpp"
#include "launch/version.hpp"
#include "rank/settings.hpp"
#include "wait/policy.hpp"
#include "wait/sleep_cost.hpp"

namespace loadstone::command {

namespace {

constexpr std::string_view prefix = "LOADSTONE_";

// One setting; false if its value is of no use.
bool show(const setting& s, std::string_view value) {
  const std::string initial = s.initial.empty() ? "(empty)" : s.initial;
  if (!value.empty())
    fmt::print("  {:26} {:14} from the environment; default: {}\n", s.name, value, initial);
  else
    fmt::print("  {:26} {:14} default\n", s.name, initial);
  const std::string why = useless(s, value);
  if (!why.empty()) fmt::print("      NOT USED: {}; the default holds\n", why);
  fmt::print("      {}: {}\n", range_of(s), s.description);
  return why.empty();
}

bool wanted_here(const setting& s, std::string_view value, const info_options& wanted) {
  if (wanted.changed && value.empty()) return false;
  return wanted.names.empty() ||
         std::find(wanted.names.begin(), wanted.names.end(), s.name) != wanted.names.end();
}

// Completes the names that the user gave by LOADSTONE_. False if one is unknown, after a message
// about it.
bool complete(std::vector<std::string>& names) {
  bool all_known = true;
  for (std::string& name : names) {
    if (find_setting(name) == nullptr && !name.starts_with(prefix)) name.insert(0, prefix);
    if (find_setting(name) != nullptr) continue;
    fmt::print("{}: there is no such setting\n", name);
    all_known = false;
  }
  return all_known;
}

// What is set and nothing reads: a mistake in a name is silent otherwise.
bool show_strangers(const variables& given) {
  variables unknown;
  for (const auto& one : given)
    if (find_setting(one.first) == nullptr) unknown.push_back(one);
  const std::string lines = complaints_about(unknown);
  if (!lines.empty()) fmt::print("\nset in the environment, but no setting\n{}", lines);
  return lines.empty();
}

void explain_automatic(rank::config config, std::uint32_t ranks) {
  const std::uint32_t cpus = base::usable_cpus();
  const wait::policy how = wait::choose_policy(cpus, ranks, config.endpoint.waiting);
  fmt::print("\nautomatic, for {} rank{} on {} processor{}:\n", ranks, ranks == 1 ? "" : "s", cpus,
             cpus == 1 ? "" : "s");
  switch (how.how) {
    case wait::mode::spin:
      fmt::print("  waiting: spins, never sleeps (LOADSTONE_WAIT)\n");
      break;
    case wait::mode::block:
      fmt::print("  waiting: sleeps at once (LOADSTONE_WAIT)\n");
      break;
    case wait::mode::adaptive:
      if (how.yields != 0)
        fmt::print("  waiting: yields the processor {} times, then sleeps\n", how.yields);
      else
        fmt::print(
            "  waiting: polls for as long as a sleep costs (as measured; at first {} µs, at least {}), then "
            "sleeps\n",
            wait::policy::poll_ns(wait::sleep_cost::at_first) / 1000, wait::policy::least_poll_ns / 1000);
  }
  const bool both = config.p2p.copies_on_both_sides(cpus, ranks);
  fmt::print("  a large message: {}\n", both ? "sender and receiver both copy" : "one side copies");
  const bool kept = machine_of(&config).has_value();
  const model::thresholds& of_machine = config.p2p.machine;
  fmt::print("  LOADSTONE_EAGER_LIMIT {}, direct_limit {}, pipeline_limit {}: of {}\n", of_machine.eager,
             of_machine.direct, of_machine.pipeline,
             kept ? "this machine (" + kept_machine_file() + ")" : "the machine that is built in");
}

}  // namespace

int show_settings(const info_options& options) {
  info_options wanted = options;
  bool fine = complete(wanted.names);
  const variables given = variables_of_environment();
  if (wanted.names.empty())
    fmt::print("Loadstone {}; settings, from the environment of this process:\n", launch::version);
  std::size_t shown = 0;
  std::string_view category;
  for (const bool of_tests : {false, true}) {
    for (const setting& s : settings()) {
      const std::string_view value = value_of(given, s.name);
      if ((s.who == setting_user::test) != of_tests || !wanted_here(s, value, wanted)) continue;
      const std::string_view heading =
          of_tests ? "for tests and trials: LOADSTONE_TEST=name=value,name=value" : s.category;
      if (category != heading) fmt::print("\n{}\n", heading);
      category = heading;
      fine = show(s, value) && fine;
      ++shown;
    }
  }
  if (shown == 0 && wanted.names.empty()) fmt::print("\nNone is set: all are as delivered.\n");
  if (wanted.names.empty()) {
    fine = show_strangers(given) && fine;
    if (!wanted.changed) explain_automatic(config_of(given), wanted.ranks);
  }
  return fine ? 0 : 1;
}

}  // namespace loadstone::command
