// place_on() of topology.hpp: Cartesian grids on hierarchical machines.
#include <algorithm>
#include <map>

#include "coll/topology.hpp"

namespace loadstone::coll {

namespace {

// How many pairs of neighbours in the grid are on different parts of the machine; `at`: the part of
// each position.
std::int64_t crossings(const grid& g, const std::vector<int>& at) {
  std::int64_t n = 0;
  for (std::int32_t position = 0; position < static_cast<std::int32_t>(at.size()); ++position) {
    for (std::size_t d = 0; d < g.dims.size(); ++d) {
      const std::int32_t next = g.shift(position, d, 1).destination;
      if (next != no_neighbour &&
          at[static_cast<std::size_t>(next)] != at[static_cast<std::size_t>(position)])
        ++n;
    }
  }
  return n;
}

// Tries all boxes of `points` points whose edges divide the dimensions, from dimension `from` on,
// and keeps the one of the smallest surface in *best. Recursive; `whole`: the points of the whole
// box.
void try_boxes(std::span<const int> dims, std::size_t from, int points, int whole, std::vector<int>& box,
               double* least, std::vector<int>* best) {
  if (from == dims.size()) {
    if (points != 1) return;
    double surface = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (box[d] < dims[d]) surface += static_cast<double>(whole) / box[d];
    }
    if (best->empty() || surface < *least) {
      *least = surface;
      *best = box;
    }
    return;
  }
  for (int edge = 1; edge <= dims[from]; ++edge) {
    if (dims[from] % edge != 0 || points % edge != 0) continue;
    box[from] = edge;
    try_boxes(dims, from + 1, points / edge, whole, box, least, best);
  }
}

}  // namespace

std::vector<std::int32_t> place_on(const grid& g, std::span<const int> domain) {
  std::map<int, std::vector<std::int32_t>> members;  // of each domain, in the order of ranks
  for (std::size_t r = 0; r < domain.size(); ++r) members[domain[r]].push_back(static_cast<std::int32_t>(r));
  if (members.size() < 2) return {};
  const std::size_t each = members.begin()->second.size();
  for (const auto& [number, ranks] : members) {
    if (ranks.size() != each) return {};
  }
  std::vector<int> box(g.dims.size(), 1), best;
  double least = 0;
  try_boxes(g.dims, 0, static_cast<int>(each), static_cast<int>(each), box, &least, &best);
  if (best.empty()) return {};

  std::vector<int> boxes(g.dims.size());
  for (std::size_t d = 0; d < boxes.size(); ++d) boxes[d] = g.dims[d] / best[d];
  const std::vector<int> open(g.dims.size(), 0);
  const grid of_boxes{boxes, open}, within{best, open};
  std::vector<std::int32_t> position(domain.size());
  std::vector<int> at(domain.size()), corner(g.dims.size()), point(g.dims.size());
  std::int32_t number = 0;
  for (const auto& [name, ranks] : members) {
    of_boxes.coordinates(number++, corner);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      within.coordinates(static_cast<std::int32_t>(i), point);
      for (std::size_t d = 0; d < point.size(); ++d) point[d] += corner[d] * best[d];
      const std::int32_t place = g.rank(point);
      position[static_cast<std::size_t>(ranks[i])] = place;
      at[static_cast<std::size_t>(place)] = name;
    }
  }
  const std::vector<int> as_they_are(domain.begin(), domain.end());
  if (crossings(g, at) >= crossings(g, as_they_are)) return {};
  return position;
}

}  // namespace loadstone::coll
