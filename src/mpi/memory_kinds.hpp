// The kinds of memory that buffers may be, as info objects name them (MPI §12.4.3): the system's
// and ours. Every object supports both, and says so; or what its user has said that he will use.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "mpi/info.hpp"

namespace loadstone::mpi {

inline constexpr std::string_view memory_kinds_key = "mpi_memory_alloc_kinds",
                                  asserted_kinds_key = "mpi_assert_memory_alloc_kinds",
                                  all_memory_kinds = "mpi,system";

// A list of kinds that we know, each perhaps with restrictors behind a colon.
inline bool are_memory_kinds(std::string_view value) {
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t comma = std::min(value.find(',', from), value.size());
    const std::string_view kind = value.substr(from, comma - from);
    const std::string_view name = kind.substr(0, kind.find(':'));
    if (name != "system" && name != "mpi") return false;
    from = comma + 1;
  }
  return true;
}

// Adds to the hints of an object which kinds it supports.
inline info::pairs with_memory_kinds(info::pairs hints) {
  std::string kinds{all_memory_kinds};
  for (const auto& [key, value] : hints)
    if (key == asserted_kinds_key && are_memory_kinds(value)) kinds = value;
  hints.erase(std::remove_if(hints.begin(), hints.end(),
                             [](const auto& pair) { return pair.first == memory_kinds_key; }),
              hints.end());
  hints.emplace_back(memory_kinds_key, kinds);
  return hints;
}

}  // namespace loadstone::mpi
