// The process topology of a communicator (MPI chapter 8): Cartesian, graph, or distributed graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mpi.h"
#include "mpi/communicator.hpp"

namespace loadstone::mpi {

struct topology {
  int kind = MPI_UNDEFINED;  // MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH

  // Cartesian: extents, periodic or not, and the coordinates of this process.
  std::vector<int> dims, periods, coordinates;

  // Graph: for node i, neighbours are edges[index[i-1] .. index[i]).
  std::vector<int> index, edges;

  // Neighbours in the order of the neighbourhood collectives (MPI §8.6), PROC_NULL where a
  // non-periodic dimension ends. For a distributed graph this is the topology itself.
  std::vector<std::int32_t> sources, destinations;
  // No process has more of either, as all of them know.
  std::int32_t most_neighbours = 0;
  std::vector<int> source_weights, destination_weights;
  bool weighted = false;
};

// Sizes of a communicator's topology; 0 if it has none of the kind.
inline std::int64_t dimensions(const communicator& c) {
  return c.topology == nullptr ? 0 : static_cast<std::int64_t>(c.topology->dims.size());
}
inline std::int64_t in_degree(const communicator& c) {
  return c.topology == nullptr ? 0 : static_cast<std::int64_t>(c.topology->sources.size());
}
inline std::int64_t out_degree(const communicator& c) {
  return c.topology == nullptr ? 0 : static_cast<std::int64_t>(c.topology->destinations.size());
}
// Is there a neighbour that is not MPI_PROC_NULL? If not, no buffer is read or written.
inline bool any_process(const std::vector<std::int32_t>& neighbours) {
  return std::any_of(neighbours.begin(), neighbours.end(), [](std::int32_t n) { return n >= 0; });
}
inline std::int64_t receives_from(const communicator& c) {
  return c.topology != nullptr && any_process(c.topology->sources) ? in_degree(c) : 0;
}
inline std::int64_t sends_to(const communicator& c) {
  return c.topology != nullptr && any_process(c.topology->destinations) ? out_degree(c) : 0;
}

}  // namespace loadstone::mpi
