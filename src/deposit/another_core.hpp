// Where a process goes that had better leave its core to those there: to the core with the fewest
// processes of the job, as far as they say where they are (wait/presence.hpp). Cores are the ones
// that somebody of the job is seen on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "wait/presence.hpp"

namespace loadstone::deposit {

// Processes of the job on each core, by its number + 1; those that do not say at 0.
template <class WordOf>
std::vector<std::uint32_t> count_on_cores(WordOf&& word_of, std::uint32_t processes) {
  std::vector<std::uint32_t> there;
  for (std::uint32_t i = 0; i < processes; ++i) {
    const std::uint32_t core = wait::presence::core_of(word_of(i));
    if (core >= there.size()) there.resize(core + 1);
    ++there[core];
  }
  return there;
}

// The one with the fewest, of those that have so many less than `here`; the number of a core, or
// nothing.
inline std::optional<std::uint32_t> emptiest_core(const std::vector<std::uint32_t>& there, std::uint32_t here,
                                                  std::uint32_t less) {
  std::uint32_t best = wait::presence::nowhere;
  for (std::uint32_t core = 1; core < there.size(); ++core)
    if (core != here && there[core] != 0 && there[core] + less <= there[here] &&
        (best == wait::presence::nowhere || there[core] < there[best]))
      best = core;
  if (best == wait::presence::nowhere) return std::nullopt;
  return best - 1;
}

// If there are not more of them than here. `word_of(i)` is the word of process i of `processes`.
// The number of a core; nothing: it stays. Not for hot paths.
template <class WordOf>
std::optional<std::uint32_t> another_core(WordOf&& word_of, std::uint32_t processes, std::uint32_t self) {
  const std::uint32_t here = wait::presence::core_of(word_of(self));
  if (here == wait::presence::nowhere) return std::nullopt;
  return emptiest_core(count_on_cores(word_of, processes), here, 0);
}

// If that makes their numbers more even, and nobody with a higher number is here: one goes at a
// time.
template <class WordOf>
std::optional<std::uint32_t> evener_core(WordOf&& word_of, std::uint32_t processes, std::uint32_t self) {
  const std::uint32_t here = wait::presence::core_of(word_of(self));
  if (here == wait::presence::nowhere) return std::nullopt;
  for (std::uint32_t i = self + 1; i < processes; ++i)
    if (wait::presence::core_of(word_of(i)) == here) return std::nullopt;
  return emptiest_core(count_on_cores(word_of, processes), here, 2);
}

}  // namespace loadstone::deposit
