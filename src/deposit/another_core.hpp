// Where a process goes that had better leave its core to those there: to the core with the fewest
// processes of the job, as far as they say where they are (wait/presence.hpp), if there are not
// more of them than here. Cores are the ones that somebody of the job is seen on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "wait/presence.hpp"

namespace loadstone::deposit {

// `word_of(i)` is the word of process i of `processes`. The number of a core; nothing: it stays.
// Not for hot paths.
template <class WordOf>
std::optional<std::uint32_t> another_core(WordOf&& word_of, std::uint32_t processes, std::uint32_t self) {
  using wait::presence;
  const std::uint32_t here = presence::core_of(word_of(self));
  if (here == presence::nowhere) return std::nullopt;
  std::vector<std::uint32_t> there(here + 1);  // processes, by core
  for (std::uint32_t i = 0; i < processes; ++i) {
    const std::uint32_t core = presence::core_of(word_of(i));
    if (core >= there.size()) there.resize(core + 1);
    ++there[core];
  }
  std::uint32_t best = here;
  for (std::uint32_t core = 1; core < there.size(); ++core) {  // 0: they do not say
    if (core == here || there[core] == 0) continue;
    if (best == here ? there[core] <= there[here] : there[core] < there[best]) best = core;
  }
  if (best == here) return std::nullopt;
  return best - 1;
}

}  // namespace loadstone::deposit
