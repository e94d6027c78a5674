// Neighbourhood collectives:
//
//   messages  one per edge of the topology, all started at once.
//   edges     straight between arrays, or through areas (edges.hpp). Condition: areas, and a
//             topology of which all members know that nobody has too many neighbours.
//
// Where two processes share several edges, the k-th edge from one to the other is the k-th at both
// ends (MPI-5.0 §8.6). In Cartesian topologies, a block sent to the neighbour below must arrive
// there as the one from above, even where both neighbours are the same process (periodic dimensions
// of size one or two): so each direction has a phase of its own.
#include "coll/neighbor.hpp"

#include <algorithm>

#include "coll/edge_writer.hpp"

namespace loadstone::coll {

void neighbor_exchange(builder& b, const team& t, const engine::neighbours& n, const blocks& to,
                       const blocks& from) {
  for (std::size_t i = 0; i < n.sources.size(); ++i) {
    if (n.sources[i] < 0) continue;
    const unsigned direction = n.cartesian ? 1 - i % 2 : 0;
    b.receive(t, n.sources[i], from.of(static_cast<std::int32_t>(i)), direction);
  }
  for (std::size_t i = 0; i < n.destinations.size(); ++i) {
    if (n.destinations[i] < 0) continue;
    const unsigned direction = n.cartesian ? i % 2 : 0;
    b.send(t, n.destinations[i], to.of(static_cast<std::int32_t>(i)), direction);
  }
}

namespace {

// Where what this process gives to itself as its i-th destination arrives.
std::size_t source_of_own(const engine::neighbours& n, std::int32_t self, std::size_t i) {
  if (n.cartesian) return i ^ 1;
  auto k = std::count(n.destinations.begin(), n.destinations.begin() + static_cast<std::ptrdiff_t>(i), self);
  std::size_t j = 0;
  for (; j < n.sources.size(); ++j)
    if (n.sources[j] == self && k-- == 0) break;
  return j;
}

}  // namespace

void neighbor_edges(builder& b, area_writer& w, const engine::neighbours& n, const blocks& to,
                    const blocks& from) {
  const std::int32_t self = w.members().rank;
  edge_writer e(b, w);
  // In a grid, lists have an entry for each direction, so that its place is known.
  const auto place = [&](std::size_t i) {
    return n.cartesian ? static_cast<std::int32_t>(i ^ 1) : edge_work::unknown;
  };
  for (std::size_t i = 0; i < n.destinations.size(); ++i) {
    const std::int32_t r = n.destinations[i];
    if (r >= 0 && r != self)
      e.gives(r, to.of(static_cast<std::int32_t>(i)), place(i));
    else if (n.cartesian)
      e.gives_nothing();
  }
  for (std::size_t i = 0; i < n.sources.size(); ++i) {
    const std::int32_t r = n.sources[i];
    if (r >= 0 && r != self)
      e.takes(r, from.of(static_cast<std::int32_t>(i)), place(i));
    else if (n.cartesian)
      e.takes_nothing();
  }
  e.offer();
  for (std::size_t i = 0; i < n.destinations.size(); ++i) {
    if (n.destinations[i] != self) continue;
    const std::size_t j = source_of_own(n, self, i);
    if (j < n.sources.size())
      b.copy(to.of(static_cast<std::int32_t>(i)), from.of(static_cast<std::int32_t>(j)));
  }
  e.work();
}

}  // namespace loadstone::coll
