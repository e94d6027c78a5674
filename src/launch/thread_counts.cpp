#include "launch/thread_counts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "launch/program_file.hpp"

namespace loadstone::launch {

namespace {

// Say how many; each is a number, or a list that begins with one.
constexpr const char* counts[] = {
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
    "MKL_NUM_THREADS", "BLIS_NUM_THREADS",     "NUMEXPR_NUM_THREADS",
};

// Say it in another way, or limit it.
constexpr const char* limits[] = {
    "OMP_THREAD_LIMIT",
    "KMP_ALL_THREADS",
    "KMP_HW_SUBSET",
    "KMP_PLACE_THREADS",
    "KMP_DEVICE_THREAD_LIMIT",
    "OPENBLAS_DEFAULT_NUM_THREADS",
    "MKL_DOMAIN_NUM_THREADS",
    "BLIS_JC_NT",
    "BLIS_IC_NT",
    "BLIS_JR_NT",
    "BLIS_IR_NT",
    "NUMEXPR_MAX_THREADS",
    "VECLIB_MAXIMUM_THREADS",
};

// Say what a thread of OpenMP does while it waits.
constexpr const char* waiting[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"};

// The number that a value begins with. The runtimes pass over one that is not positive, as if it
// were not there.
long first_number(const char* value) {
  return std::max(std::strtol(value, nullptr, 10), 0L);
}

template <class List>
bool any_set(const List& names, const variable_lookup& variable) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](const char* name) { return variable(name) != nullptr; });
}

}  // namespace

variable_lookup environment_of(const application& program) {
  return [&program](const char* name) -> const char* {
    for (auto one = program.environment.rbegin(); one != program.environment.rend(); ++one)
      if (one->first == name) return one->second.c_str();
    return is_kept(program.inherited, name) ? std::getenv(name) : nullptr;
  };
}

std::uint32_t wished_threads(const variable_lookup& variable) {
  constexpr long most = 1 << 20;
  long largest = 0;
  for (const char* name : counts)
    if (const char* value = variable(name)) largest = std::max(largest, std::min(first_number(value), most));
  return static_cast<std::uint32_t>(largest);
}

std::string threads_set_by_user(const variable_lookup& variable) {
  std::string text;
  const auto look = [&](const char* name, long least) {
    const char* value = variable(name);
    if (value != nullptr && first_number(value) >= least)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  };
  for (const char* name : counts) look(name, 1);
  for (const char* name : limits) look(name, 0);
  return text;
}

std::vector<demand> demands_of(const options& wanted, std::uint32_t usable) {
  std::vector<demand> all;
  const bool spare = wanted.world_size() * 2 <= usable;
  for (const application& program : wanted.applications) {
    const variable_lookup variable = environment_of(program);
    std::uint32_t threads = wished_threads(variable);
    if (threads == 0 && spare && !program.command.empty() &&
        threading_of(find_program(program), variable) != threading::none)
      all.push_back({program.ranks, 0});
    else
      all.push_back({program.ranks, std::max(threads, 1u)});
  }
  return all;
}

variables thread_variables(const variable_lookup& variable, std::uint32_t threads, std::size_t processors,
                           bool crowded) {
  variables set;
  const std::uint32_t wished = wished_threads(variable);
  const bool decided = !threads_set_by_user(variable).empty();
  // A mask with a processor for each of its threads says the same to all of them.
  if (!decided && threads != processors) set.emplace_back("OMP_NUM_THREADS", std::to_string(threads));
  if ((crowded || wished > threads) && !any_set(waiting, variable))
    set.emplace_back("OMP_WAIT_POLICY", "passive");
  return set;
}

std::vector<variables> told_of_threads(const options& wanted, const placement& where,
                                       std::size_t processors) {
  std::vector<variables> all;
  for (const application& program : wanted.applications) {
    const variable_lookup variable = environment_of(program);
    for (std::uint32_t i = 0; i < program.ranks; ++i) {
      const std::size_t rank = all.size();
      const std::size_t mine = where.places.empty() ? processors : where.places[rank].size();
      all.push_back(thread_variables(variable, where.threads[rank], mine, where.crowded));
    }
  }
  return all;
}

}  // namespace loadstone::launch
