// Graph topologies (MPI §8.5.3, §8.5.5) and distributed graphs (§8.5.4).
#include <algorithm>

#include "coll/topology.hpp"
#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/topology.hpp"

namespace loadstone::mpi {
namespace {

int check_kind(call& c, const communicator& comm, int kind, const topology** out) {
  if (comm.topology == nullptr || comm.topology->kind != kind) {
    return c.fail(MPI_ERR_TOPOLOGY, "argument 1 (comm) has no {} topology; expected one made by {}",
                  kind == MPI_GRAPH ? "graph" : "distributed graph",
                  kind == MPI_GRAPH ? "MPI_Graph_create" : "MPI_Dist_graph_create");
  }
  *out = comm.topology.get();
  return MPI_SUCCESS;
}

int check_graph(call& c, const communicator& comm, int nnodes, const int index[], const int edges[]) {
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 is an inter-communicator; expected an intra-communicator");
  if (nnodes > comm.size()) {
    return c.fail(MPI_ERR_ARG, "argument 2 (nnodes) is {}; expected at most {}, the size of the communicator",
                  nnodes, comm.size());
  }
  int before = 0;
  for (int i = 0; i < nnodes; ++i) {
    if (index[i] < before)
      return c.fail(MPI_ERR_ARG, "index[{}] is {}; expected at least {}", i, index[i], before);
    before = index[i];
  }
  for (int i = 0; i < before; ++i) {
    if (edges[i] < 0 || edges[i] >= nnodes) {
      return c.fail(MPI_ERR_ARG, "edges[{}] is {}; expected 0 to {}", i, edges[i], nnodes - 1);
    }
  }
  return MPI_SUCCESS;
}

int check_neighbours(call& c, const communicator& comm, int n, const int ranks[], const char* name) {
  for (int i = 0; i < n; ++i) {
    if (ranks[i] < 0 || ranks[i] >= comm.size()) {
      return c.fail(MPI_ERR_RANK, "{}[{}] is {}; expected a rank from 0 to {}", name, i, ranks[i],
                    comm.size() - 1);
    }
  }
  return MPI_SUCCESS;
}

std::vector<int> weights_of(const int weights[], int n) {
  if (n == 0 || weights == MPI_UNWEIGHTED) return {};
  return {weights, weights + n};
}

std::int32_t larger_side(const topology& t) {
  return static_cast<std::int32_t>(std::max(t.sources.size(), t.destinations.size()));
}

int give_dist_graph(call& c, communicator& comm, std::unique_ptr<topology> t, info* hints, MPI_Comm* out) {
  const std::int32_t mine = larger_side(*t);
  std::vector<std::int32_t> all(static_cast<std::size_t>(comm.size()));
  if (const int error = gather_everywhere(c, comm, comm.view(), &mine, sizeof mine, all.data())) return error;
  t->most_neighbours = *std::max_element(all.begin(), all.end());
  std::uint64_t id;
  if (const int error = agree_on_id(c, comm, &id)) return error;
  std::unique_ptr<communicator> made;
  if (const int error = make_communicator(c, id, comm.local(), nullptr, &made)) return error;
  made->topology = std::move(t);
  if (hints != nullptr) take_hints(*made, hints->content());
  return give_communicator(c, std::move(made), &comm, out);
}

}  // namespace

int impl::Graph_create(call& c, communicator& comm, int nnodes, const int index[], const int edges[], int,
                       MPI_Comm* graph) {
  *graph = MPI_COMM_NULL;
  if (const int error = check_graph(c, comm, nnodes, index, edges)) return error;
  std::unique_ptr<communicator> made;
  const bool member = comm.rank() < nnodes;
  if (const int error = split_communicator(c, comm, member ? 0 : MPI_UNDEFINED, comm.rank(), &made))
    return error;
  if (!member) return MPI_SUCCESS;
  auto t = std::make_unique<topology>();
  t->kind = MPI_GRAPH;
  t->index.assign(index, index + nnodes);
  t->edges.assign(edges, edges + index[nnodes - 1]);
  const auto mine = coll::graph_neighbours(t->index, t->edges, made->rank());
  t->sources.assign(mine.begin(), mine.end());
  t->destinations = t->sources;
  for (int node = 0; node < nnodes; ++node)
    t->most_neighbours =
        std::max(t->most_neighbours,
                 static_cast<std::int32_t>(coll::graph_neighbours(t->index, t->edges, node).size()));
  made->topology = std::move(t);
  return give_communicator(c, std::move(made), &comm, graph);
}

int impl::Graph_map(call& c, communicator& comm, int nnodes, const int index[], const int edges[],
                    int* newrank) {
  if (const int error = check_graph(c, comm, nnodes, index, edges)) return error;
  *newrank = comm.rank() < nnodes ? comm.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int impl::Graphdims_get(call& c, communicator& comm, int* nnodes, int* nedges) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_GRAPH, &t)) return error;
  *nnodes = static_cast<int>(t->index.size());
  *nedges = static_cast<int>(t->edges.size());
  return MPI_SUCCESS;
}

int impl::Graph_get(call& c, communicator& comm, int maxindex, int maxedges, int index[], int edges[]) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_GRAPH, &t)) return error;
  std::copy_n(t->index.begin(),
              std::min<std::size_t>(t->index.size(), static_cast<std::size_t>(std::max(maxindex, 0))), index);
  std::copy_n(t->edges.begin(),
              std::min<std::size_t>(t->edges.size(), static_cast<std::size_t>(std::max(maxedges, 0))), edges);
  return MPI_SUCCESS;
}

int impl::Graph_neighbors_count(call& c, communicator& comm, int rank, int* n) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_GRAPH, &t)) return error;
  *n = static_cast<int>(coll::graph_neighbours(t->index, t->edges, rank).size());
  return MPI_SUCCESS;
}

int impl::Graph_neighbors(call& c, communicator& comm, int rank, int max, int neighbors[]) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_GRAPH, &t)) return error;
  const auto found = coll::graph_neighbours(t->index, t->edges, rank);
  std::copy_n(found.begin(), std::min<std::size_t>(found.size(), static_cast<std::size_t>(std::max(max, 0))),
              neighbors);
  return MPI_SUCCESS;
}

int impl::Dist_graph_create_adjacent(call& c, communicator& comm, int indegree, const int sources[],
                                     const int sourceweights[], int outdegree, const int destinations[],
                                     const int destweights[], info* info, int, MPI_Comm* graph) {
  *graph = MPI_COMM_NULL;
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 is an inter-communicator; expected an intra-communicator");
  if (const int error = check_neighbours(c, comm, indegree, sources, "sources")) return error;
  if (const int error = check_neighbours(c, comm, outdegree, destinations, "destinations")) return error;
  auto t = std::make_unique<topology>();
  t->kind = MPI_DIST_GRAPH;
  t->weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
  t->sources.assign(sources, sources + indegree);
  t->destinations.assign(destinations, destinations + outdegree);
  t->source_weights = weights_of(sourceweights, indegree);
  t->destination_weights = weights_of(destweights, outdegree);
  return give_dist_graph(c, comm, std::move(t), info, graph);
}

// Any process may name any edge. So all edges go to all processes, and each keeps its own.
int impl::Dist_graph_create(call& c, communicator& comm, int n, const int sources[], const int degrees[],
                            const int destinations[], const int weights[], info* info, int, MPI_Comm* graph) {
  *graph = MPI_COMM_NULL;
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 is an inter-communicator; expected an intra-communicator");
  if (const int error = check_neighbours(c, comm, n, sources, "sources")) return error;
  int total = 0;
  for (int i = 0; i < n; ++i) {
    if (degrees[i] < 0) return c.fail(MPI_ERR_ARG, "degrees[{}] is {}; expected at least 0", i, degrees[i]);
    total += degrees[i];
  }
  if (const int error = check_neighbours(c, comm, total, destinations, "destinations")) return error;
  const bool weighted = weights != MPI_UNWEIGHTED;
  const std::vector<int> given = weights_of(weights, total);
  std::vector<int> mine, all;  // source, destination, weight
  for (int i = 0, at = 0; i < n; ++i) {
    for (int k = 0; k < degrees[i]; ++k, ++at) {
      mine.push_back(sources[i]);
      mine.push_back(destinations[at]);
      mine.push_back(given.empty() ? 1 : given[static_cast<std::size_t>(at)]);
    }
  }
  if (const int error = gather_varying(c, comm, mine, &all)) return error;
  auto t = std::make_unique<topology>();
  t->kind = MPI_DIST_GRAPH;
  t->weighted = weighted;
  for (std::size_t i = 0; i < all.size(); i += 3) {
    if (all[i] == comm.rank()) {
      t->destinations.push_back(all[i + 1]);
      if (weighted) t->destination_weights.push_back(all[i + 2]);
    }
    if (all[i + 1] == comm.rank()) {
      t->sources.push_back(all[i]);
      if (weighted) t->source_weights.push_back(all[i + 2]);
    }
  }
  return give_dist_graph(c, comm, std::move(t), info, graph);
}

int impl::Dist_graph_neighbors_count(call& c, communicator& comm, int* indegree, int* outdegree,
                                     int* weighted) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_DIST_GRAPH, &t)) return error;
  *indegree = static_cast<int>(t->sources.size());
  *outdegree = static_cast<int>(t->destinations.size());
  *weighted = t->weighted;
  return MPI_SUCCESS;
}

int impl::Dist_graph_neighbors(call& c, communicator& comm, int maxindegree, int sources[],
                               int sourceweights[], int maxoutdegree, int destinations[], int destweights[]) {
  const topology* t = nullptr;
  if (const int error = check_kind(c, comm, MPI_DIST_GRAPH, &t)) return error;
  const auto copy = [](const std::vector<int>& from, int max, int* to) {
    if (to == nullptr || to == MPI_UNWEIGHTED || to == MPI_WEIGHTS_EMPTY) return;
    std::copy_n(from.begin(), std::min<std::size_t>(from.size(), static_cast<std::size_t>(std::max(max, 0))),
                to);
  };
  copy(t->sources, maxindegree, sources);
  copy(t->source_weights, maxindegree, sourceweights);
  copy(t->destinations, maxoutdegree, destinations);
  copy(t->destination_weights, maxoutdegree, destweights);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
