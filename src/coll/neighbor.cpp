// Neighbourhood collectives: one message per edge of the topology, all started at once.
//
// Where two processes share several edges, the k-th edge from one to the other is the k-th at both
// ends (MPI-5.0 §8.6). In Cartesian topologies, a block sent to the neighbour below must arrive
// there as the one from above, even where both neighbours are the same process (periodic dimensions
// of size one or two): so each direction has a phase of its own.
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
