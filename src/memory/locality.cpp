#include "memory/locality.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "memory/board.hpp"

namespace loadstone::memory {

namespace {
constexpr std::size_t in_a_slot = 64;
static_assert(in_a_slot * sizeof(locality) <= board_value_bytes);

std::string key_of(std::size_t part) {
  return "locality." + std::to_string(part);
}
}  // namespace

void publish_localities(job& job, std::uint32_t self, const std::vector<locality>& all) {
  for (std::size_t first = 0; first < all.size(); first += in_a_slot) {
    const std::size_t n = std::min(in_a_slot, all.size() - first);
    std::string value(n * sizeof(locality), '\0');
    std::memcpy(value.data(), &all[first], value.size());
    // A full board only means that nothing is known of the rest.
    if (!board_put(job, self, key_of(first / in_a_slot), value).ok()) return;
  }
}

std::vector<locality> localities_of(job& job, std::uint32_t processes) {
  locality unknown;
  unknown.fill(nowhere);
  std::vector<locality> all(processes, unknown);
  for (std::size_t first = 0; first < processes; first += in_a_slot) {
    const std::size_t n = std::min<std::size_t>(in_a_slot, processes - first);
    std::string value;
    if (board_get(job, key_of(first / in_a_slot), &value) && value.size() == n * sizeof(locality))
      std::memcpy(&all[first], value.data(), value.size());
  }
  return all;
}

}  // namespace loadstone::memory
