#include "coll/levels.hpp"

#include <algorithm>
#include <utility>

namespace loadstone::coll {

namespace {

// Levels of memory::locality that make a group; a group of one kind is within one of the next.
enum : std::size_t { of_package, of_node, of_cache };
static_assert(memory::hardware_levels[of_package] == std::string_view("Package") &&
              memory::hardware_levels[of_node] == std::string_view("NUMANode") &&
              memory::hardware_levels[of_cache] == std::string_view("L3Cache"));

bool together(const memory::locality& a, const memory::locality& b, std::size_t down_to) {
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(down_to) + 1, b.begin());
}

}  // namespace

levels::levels(std::span<const memory::locality> where) : members_(static_cast<std::int32_t>(where.size())) {
  constexpr std::size_t down_to[] = {of_cache, of_node, of_package};
  for (std::size_t kind = 0; kind < machine; ++kind) {
    std::vector<std::int32_t>& lowest = group_[kind];
    for (std::int32_t i = 0; i < members_; ++i) {
      std::int32_t first = 0;
      while (!together(where[static_cast<std::size_t>(first)], where[static_cast<std::size_t>(i)],
                       down_to[kind]))
        ++first;
      if (first != i && first != lowest.back()) spread_.in_turn = true;
      lowest.push_back(first);
    }
  }
  spread_.of_cache = largest(cache);
  spread_.of_socket = largest(package);
}

std::int32_t levels::largest(std::size_t kind) const {
  std::int32_t most = 0;
  std::vector<std::int32_t> members(static_cast<std::size_t>(members_));
  for (const std::int32_t lowest : group_[kind])
    most = std::max(most, ++members[static_cast<std::size_t>(lowest)]);
  return most;
}

levels::seat levels::seat_of(std::int32_t rank, std::int32_t root, const model::fans& most) const {
  seat found;
  const auto leads_below = [&](std::size_t kind, std::int32_t r) {
    if (kind == 0) return true;
    const std::size_t below = kind - 1;
    return r == (same(below, r, root) ? root : lowest(below, r));
  };
  const std::int32_t fans[kinds] = {most.in_cache, most.in_socket, most.in_socket, most.between_sockets};
  std::vector<std::int32_t> group, leaders;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    group.clear();
    for (std::int32_t r = 0; r < members_; ++r)
      if (same(kind, r, rank) && leads_below(kind, r)) group.push_back(r);
    // In parts no larger than the fan allows, then their leaders, until one is left.
    while (group.size() > 1) {
      const std::size_t most_of_part = static_cast<std::size_t>(fans[kind]) + 1;
      const std::size_t parts = (group.size() + most_of_part - 1) / most_of_part;
      leaders.clear();
      for (std::size_t i = 0; i < parts; ++i) {
        const auto begin = group.begin() + static_cast<std::ptrdiff_t>(group.size() * i / parts),
                   end = group.begin() + static_cast<std::ptrdiff_t>(group.size() * (i + 1) / parts);
        leaders.push_back(std::find(begin, end, root) != end ? root : *begin);
        if (std::find(begin, end, rank) == end) continue;
        if (leaders.back() != rank) return found.above = leaders.back(), found;
        if (end - begin > 1) found.below.emplace_back(begin, end);
      }
      std::swap(group, leaders);
    }
  }
  return found;
}

}  // namespace loadstone::coll
