#include "command/doctor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/cpus.hpp"
#include "command/probes.hpp"
#include "command/system_checks.hpp"
#include "launch/version.hpp"

namespace loadstone::command {

namespace {

std::vector<finding> examine(const surroundings& here) {
  std::vector<finding> all = {try_job_memory(here), try_process_vm(here),    look_at_processors(here),
                              try_binding(here),    look_at_memory(here),    look_at_huge_pages(here),
                              look_at_clock(here),  look_at_frequency(here), look_at_host(here),
                              look_at_load(here),   look_at_launcher(),      look_at_threads(here),
                              try_file_writes(),    look_at_valgrind()};
  for (finding& one : look_at_settings(here)) all.push_back(std::move(one));
  std::erase_if(all, [](const finding& f) { return f.what.empty(); });
  return all;
}

// Prints a text behind `label`, broken into lines of at most 110 characters.
void print_wrapped(const char* label, std::string_view text) {
  constexpr std::size_t width = 95;
  if (text.empty()) return;
  fmt::print("           {}", label);
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const std::size_t cut = space == text.npos ? text.find(' ') : space;
    if (cut == text.npos) break;
    fmt::print("{}\n                 ", text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  fmt::print("{}\n", text);
}

void print(const finding& f) {
  constexpr const char* words[] = {"ok", "remark", "COSTS", "STOPS"};
  fmt::print("  {:8} {}\n", words[static_cast<std::size_t>(f.how)], f.what);
  print_wrapped(f.how == verdict::stops ? "why:  " : f.how == verdict::costs ? "cost: " : "      ", f.cost);
  print_wrapped("mend: ", f.mend);
}

}  // namespace

int show_findings(const doctor_options& wanted) {
  const surroundings here{wanted.ranks, base::affinity_cpus(), ""};
  fmt::print("Loadstone {}: a job of {} rank{} on this system\n\n", launch::version, here.ranks,
             here.ranks == 1 ? "" : "s");
  const std::vector<finding> all = examine(here);
  for (const finding& f : all) print(f);
  const auto count = [&](verdict how) {
    return std::count_if(all.begin(), all.end(), [&](const finding& f) { return f.how == how; });
  };
  const auto costs = count(verdict::costs), stops = count(verdict::stops);
  if (stops != 0)
    fmt::print("\nJobs will not start here.\n");
  else if (costs != 0)
    fmt::print("\n{} thing{} cost{} speed.\n", costs, costs == 1 ? "" : "s", costs == 1 ? "s" : "");
  else
    fmt::print("\nNothing was found that costs speed.\n");
  return stops != 0 ? 3 : costs != 0 ? 1 : 0;
}

}  // namespace loadstone::command
