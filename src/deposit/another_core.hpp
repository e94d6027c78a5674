// Where a process goes that had better leave its core to those there: to the core with the fewest
// processes of the job, as far as they say where they are (wait/presence.hpp). Cores are the ones
// that somebody of the job is seen on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "wait/presence.hpp"

namespace loadstone::deposit {

// Of each process the core that it is on, as presence::core_of() says.
using cores_of_all = std::vector<std::uint32_t>;

// The one with the fewest processes, of those that have so many less than ours; the number of a
// core. Nothing: there is none, or we do not say where we are.
inline std::optional<std::uint32_t> emptiest_core(const cores_of_all& on, std::uint32_t self,
                                                  std::uint32_t less) {
  const std::uint32_t here = on[self];
  if (here == wait::presence::nowhere) return std::nullopt;
  std::vector<std::uint32_t> there(*std::max_element(on.begin(), on.end()) + 1);
  for (const std::uint32_t core : on) ++there[core];
  std::uint32_t best = wait::presence::nowhere;
  for (std::uint32_t core = 1; core < there.size(); ++core)
    if (core != here && there[core] != 0 && there[core] + less <= there[here] &&
        (best == wait::presence::nowhere || there[core] < there[best]))
      best = core;
  if (best == wait::presence::nowhere) return std::nullopt;
  return best - 1;
}

// If there are not more of them than here.
inline std::optional<std::uint32_t> another_core(const cores_of_all& on, std::uint32_t self) {
  return emptiest_core(on, self, 0);
}

// If that makes their numbers more even, and nobody with a higher number is here: one goes at a
// time.
inline std::optional<std::uint32_t> evener_core(const cores_of_all& on, std::uint32_t self) {
  if (std::find(on.begin() + self + 1, on.end(), on[self]) != on.end()) return std::nullopt;
  return emptiest_core(on, self, 2);
}

}  // namespace loadstone::deposit
