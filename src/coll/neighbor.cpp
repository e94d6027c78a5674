// Neighbourhood collectives: one message per edge of the topology, all started at once.
//
// Which message belongs to which edge when two processes share several: the k-th edge to a process
// meets its k-th edge from us (MPI-5.0 §8.6). In Cartesian topologies the block sent downwards in a
// dimension arrives as the one from above, also where both neighbours are the same process
// (periodic dimensions of one or two): there the two directions have phases of their own.
#include "coll/neighbor.hpp"

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

}  // namespace loadstone::coll
