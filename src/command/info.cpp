#include "command/info.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/cpus.hpp"
#include "launch/version.hpp"
#include "p2p/engine.hpp"
#include "rank/settings.hpp"
#include "wait/policy.hpp"
#include "wait/sleep_cost.hpp"

namespace loadstone::command {

namespace {

constexpr std::string_view prefix = "LOADSTONE_";

// Read by something else than the library: what mpiexec tells the ranks, the compiler wrappers, the
// fault tests, the set-up of demonstration, tests and benchmarks. Whole names, and beginnings of
// names that end with an underscore.
constexpr std::array<std::string_view, 13> others = {
    "LOADSTONE_RANK",   "LOADSTONE_JOB",       "LOADSTONE_JOB_FD",         "LOADSTONE_SINGLETON",
    "LOADSTONE_CC",     "LOADSTONE_CXX",       "LOADSTONE_FAULT",          "LOADSTONE_FAULT_LOG",
    "LOADSTONE_PREFIX", "LOADSTONE_BUILD_DIR", "LOADSTONE_EXPECT_LIBRARY", "LOADSTONE_TEST_",
    "LOADSTONE_MODEL_"};

bool known_elsewhere(std::string_view name) {
  return std::any_of(others.begin(), others.end(), [&](std::string_view other) {
    return other.ends_with('_') ? name.starts_with(other) : name == other;
  });
}

// One setting; false if its value is of no use.
bool show(const setting& s) {
  const char* value = std::getenv(s.name.c_str());
  const bool set = value != nullptr && *value != 0;
  const std::string initial = s.initial.empty() ? "(empty)" : s.initial;
  if (set)
    fmt::print("  {:26} {:14} from the environment; default: {}\n", s.name, value, initial);
  else
    fmt::print("  {:26} {:14} default\n", s.name, initial);
  const std::string why = set ? useless(s, value) : std::string{};
  if (!why.empty()) fmt::print("      NOT USED: {}; the default holds\n", why);
  fmt::print("      {}\n", s.description);
  return why.empty();
}

bool wanted_here(const setting& s, const info_options& wanted) {
  const char* value = std::getenv(s.name.c_str());
  if (wanted.changed && (value == nullptr || *value == 0)) return false;
  return wanted.names.empty() ||
         std::find(wanted.names.begin(), wanted.names.end(), s.name) != wanted.names.end();
}

// Names given by the user, in full; an unknown one is said and left out.
bool complete(std::vector<std::string>& names) {
  bool all_known = true;
  for (std::string& name : names) {
    if (!name.starts_with(prefix)) name.insert(0, prefix);
    const auto all = settings();
    if (std::none_of(all.begin(), all.end(), [&](const setting& s) { return s.name == name; })) {
      fmt::print("{}: there is no such setting\n", name);
      all_known = false;
    }
  }
  return all_known;
}

// Variables that look like settings and are none: a mistake in a name is silent otherwise.
bool show_strangers() {
  bool none = true;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string_view name = std::string_view(*v).substr(0, std::string_view(*v).find('='));
    if (!name.starts_with(prefix) || known_elsewhere(name)) continue;
    const auto all = settings();
    if (std::any_of(all.begin(), all.end(), [&](const setting& s) { return s.name == name; })) continue;
    fmt::print("{}\n  {}: nothing reads a variable of this name\n",
               none ? "\nset in the environment, but no setting" : "", name);
    none = false;
  }
  return none;
}

void explain_automatic(std::uint32_t ranks) {
  const std::uint32_t cpus = base::usable_cpus();
  const wait::policy how = wait::choose_policy_from_environment(cpus, ranks);
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
            "  waiting: looks for as long as a sleep costs (as measured; at first {} µs, at least {}), then "
            "sleeps\n",
            wait::policy::look_ns(wait::sleep_cost::at_first) / 1000, wait::policy::least_look_ns / 1000);
  }
  const bool both = p2p::engine_config::from_environment().copies_on_both_sides(cpus, ranks);
  fmt::print("  a large message: {}\n", both ? "sender and receiver both copy" : "one side copies");
}

}  // namespace

int show_settings(const info_options& options) {
  info_options wanted = options;
  bool fine = complete(wanted.names);
  if (wanted.names.empty())
    fmt::print("Loadstone {}; settings, from the environment of this process:\n", launch::version);
  std::string_view category;
  std::size_t shown = 0;
  for (const setting& s : settings()) {
    if (!wanted_here(s, wanted)) continue;
    if (category != s.category) fmt::print("\n{}\n", s.category);
    category = s.category;
    fine = show(s) && fine;
    ++shown;
  }
  if (shown == 0 && wanted.names.empty()) fmt::print("\nNone is set: all are as delivered.\n");
  if (wanted.names.empty()) {
    fine = show_strangers() && fine;
    if (!wanted.changed) explain_automatic(wanted.ranks);
  }
  return fine ? 0 : 1;
}

}  // namespace loadstone::command
