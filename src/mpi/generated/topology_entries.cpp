// Written by abi/generate.py; do not edit.
// clang-format off

#include "mpi/call.hpp"
#include "mpi/checks.hpp"
#include "mpi/generated/entry.hpp"
#include "mpi/generated/impl.hpp"

using namespace loadstone;  // entries only; nothing else is in these files
using namespace loadstone::mpi;

extern "C" {

int PMPI_Cart_coords([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int rank, [[maybe_unused]] int maxdims,
    [[maybe_unused]] int coords[]) try {
  call c(function::Cart_coords);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_rank(rank, comm_->size())) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, comm_->size(), "");
  if (maxdims < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "maxdims", maxdims, "at least 0");
  if (no_address(coords) && maxdims > 0) [[unlikely]] return c.no_address(4, "coords", bits_of(coords));
  return c.finish(impl::Cart_coords(c, *comm_, rank, maxdims, coords));
} catch (...) {
  return caught(function::Cart_coords);
}
LOADSTONE_ALIAS(MPI_Cart_coords)

int PMPI_Cart_create([[maybe_unused]] MPI_Comm comm_old, [[maybe_unused]] int ndims,
    [[maybe_unused]] const int dims[], [[maybe_unused]] const int periods[], [[maybe_unused]] int reorder,
    [[maybe_unused]] MPI_Comm *comm_cart) try {
  call c(function::Cart_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_old_ = c.handles().comms.find(comm_old);
  if (comm_old_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm_old", "MPI_Comm", handle_bits(comm_old));
  c.on(*comm_old_);
  if (ndims < 0) [[unlikely]] return c.wrong_number(MPI_ERR_DIMS, 2, "ndims", ndims, "at least 0");
  {
    const int wrong = check_present(c, dims, ndims, 3, "dims");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, periods, ndims, 4, "periods");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(comm_cart)) [[unlikely]] return c.no_address(6, "comm_cart", bits_of(comm_cart));
  return c.finish(impl::Cart_create(c, *comm_old_, ndims, dims, periods, reorder, comm_cart));
} catch (...) {
  return caught(function::Cart_create);
}
LOADSTONE_ALIAS(MPI_Cart_create)

int PMPI_Cart_get([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int maxdims, [[maybe_unused]] int dims[],
    [[maybe_unused]] int periods[], [[maybe_unused]] int coords[]) try {
  call c(function::Cart_get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (maxdims < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "maxdims", maxdims, "at least 0");
  if (no_address(dims) && maxdims > 0) [[unlikely]] return c.no_address(3, "dims", bits_of(dims));
  if (no_address(periods) && maxdims > 0) [[unlikely]] return c.no_address(4, "periods", bits_of(periods));
  if (no_address(coords) && maxdims > 0) [[unlikely]] return c.no_address(5, "coords", bits_of(coords));
  return c.finish(impl::Cart_get(c, *comm_, maxdims, dims, periods, coords));
} catch (...) {
  return caught(function::Cart_get);
}
LOADSTONE_ALIAS(MPI_Cart_get)

int PMPI_Cart_map([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int ndims,
    [[maybe_unused]] const int dims[], [[maybe_unused]] const int periods[],
    [[maybe_unused]] int *newrank) try {
  call c(function::Cart_map);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (ndims < 0) [[unlikely]] return c.wrong_number(MPI_ERR_DIMS, 2, "ndims", ndims, "at least 0");
  {
    const int wrong = check_present(c, dims, ndims, 3, "dims");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, periods, ndims, 4, "periods");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newrank)) [[unlikely]] return c.no_address(5, "newrank", bits_of(newrank));
  return c.finish(impl::Cart_map(c, *comm_, ndims, dims, periods, newrank));
} catch (...) {
  return caught(function::Cart_map);
}
LOADSTONE_ALIAS(MPI_Cart_map)

int PMPI_Cart_rank([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const int coords[],
    [[maybe_unused]] int *rank) try {
  call c(function::Cart_rank);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_present(c, coords, dimensions(*comm_), 2, "coords");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(rank)) [[unlikely]] return c.no_address(3, "rank", bits_of(rank));
  return c.finish(impl::Cart_rank(c, *comm_, coords, rank));
} catch (...) {
  return caught(function::Cart_rank);
}
LOADSTONE_ALIAS(MPI_Cart_rank)

int PMPI_Cart_shift([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int direction, [[maybe_unused]] int disp,
    [[maybe_unused]] int *rank_source, [[maybe_unused]] int *rank_dest) try {
  call c(function::Cart_shift);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(rank_source)) [[unlikely]] return c.no_address(4, "rank_source", bits_of(rank_source));
  if (no_address(rank_dest)) [[unlikely]] return c.no_address(5, "rank_dest", bits_of(rank_dest));
  return c.finish(impl::Cart_shift(c, *comm_, direction, disp, rank_source, rank_dest));
} catch (...) {
  return caught(function::Cart_shift);
}
LOADSTONE_ALIAS(MPI_Cart_shift)

int PMPI_Cart_sub([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const int remain_dims[],
    [[maybe_unused]] MPI_Comm *newcomm) try {
  call c(function::Cart_sub);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_present(c, remain_dims, dimensions(*comm_), 2, "remain_dims");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newcomm)) [[unlikely]] return c.no_address(3, "newcomm", bits_of(newcomm));
  return c.finish(impl::Cart_sub(c, *comm_, remain_dims, newcomm));
} catch (...) {
  return caught(function::Cart_sub);
}
LOADSTONE_ALIAS(MPI_Cart_sub)

int PMPI_Cartdim_get([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *ndims) try {
  call c(function::Cartdim_get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(ndims)) [[unlikely]] return c.no_address(2, "ndims", bits_of(ndims));
  return c.finish(impl::Cartdim_get(c, *comm_, ndims));
} catch (...) {
  return caught(function::Cartdim_get);
}
LOADSTONE_ALIAS(MPI_Cartdim_get)

int PMPI_Dims_create([[maybe_unused]] int nnodes, [[maybe_unused]] int ndims,
    [[maybe_unused]] int dims[]) try {
  call c(function::Dims_create);
  if (!c.running()) [[unlikely]] return c.outside();
  if (ndims < 0) [[unlikely]] return c.wrong_number(MPI_ERR_DIMS, 2, "ndims", ndims, "at least 0");
  if (no_address(dims) && ndims > 0) [[unlikely]] return c.no_address(3, "dims", bits_of(dims));
  return c.finish(impl::Dims_create(c, nnodes, ndims, dims));
} catch (...) {
  return caught(function::Dims_create);
}
LOADSTONE_ALIAS(MPI_Dims_create)

int PMPI_Dist_graph_create([[maybe_unused]] MPI_Comm comm_old, [[maybe_unused]] int n,
    [[maybe_unused]] const int sources[], [[maybe_unused]] const int degrees[],
    [[maybe_unused]] const int destinations[], [[maybe_unused]] const int weights[],
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] int reorder,
    [[maybe_unused]] MPI_Comm *comm_dist_graph) try {
  call c(function::Dist_graph_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_old_ = c.handles().comms.find(comm_old);
  if (comm_old_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm_old", "MPI_Comm", handle_bits(comm_old));
  c.on(*comm_old_);
  if (n < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "n", n, "at least 0");
  {
    const int wrong = check_present(c, sources, n, 3, "sources");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, degrees, n, 0, MPI_ERR_ARG, 4, "degrees");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, destinations, total(degrees, n), 5, "destinations");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(weights) && weights != MPI_UNWEIGHTED && total(degrees, n) > 0) [[unlikely]]
    return c.no_address(6, "weights", bits_of(weights));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 7, "info", "MPI_Info", handle_bits(info));
  if (no_address(comm_dist_graph)) [[unlikely]]
    return c.no_address(9, "comm_dist_graph", bits_of(comm_dist_graph));
  return c.finish(impl::Dist_graph_create(c, *comm_old_, n, sources, degrees, destinations, weights, info_,
      reorder, comm_dist_graph));
} catch (...) {
  return caught(function::Dist_graph_create);
}
LOADSTONE_ALIAS(MPI_Dist_graph_create)

int PMPI_Dist_graph_create_adjacent([[maybe_unused]] MPI_Comm comm_old, [[maybe_unused]] int indegree,
    [[maybe_unused]] const int sources[], [[maybe_unused]] const int sourceweights[],
    [[maybe_unused]] int outdegree, [[maybe_unused]] const int destinations[],
    [[maybe_unused]] const int destweights[], [[maybe_unused]] MPI_Info info, [[maybe_unused]] int reorder,
    [[maybe_unused]] MPI_Comm *comm_dist_graph) try {
  call c(function::Dist_graph_create_adjacent);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_old_ = c.handles().comms.find(comm_old);
  if (comm_old_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm_old", "MPI_Comm", handle_bits(comm_old));
  c.on(*comm_old_);
  if (indegree < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "indegree", indegree, "at least 0");
  {
    const int wrong = check_present(c, sources, indegree, 3, "sources");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sourceweights) && sourceweights != MPI_UNWEIGHTED && indegree > 0) [[unlikely]]
    return c.no_address(4, "sourceweights", bits_of(sourceweights));
  if (outdegree < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 5, "outdegree", outdegree, "at least 0");
  {
    const int wrong = check_present(c, destinations, outdegree, 6, "destinations");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(destweights) && destweights != MPI_UNWEIGHTED && outdegree > 0) [[unlikely]]
    return c.no_address(7, "destweights", bits_of(destweights));
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(comm_dist_graph)) [[unlikely]]
    return c.no_address(10, "comm_dist_graph", bits_of(comm_dist_graph));
  return c.finish(impl::Dist_graph_create_adjacent(c, *comm_old_, indegree, sources, sourceweights, outdegree,
      destinations, destweights, info_, reorder, comm_dist_graph));
} catch (...) {
  return caught(function::Dist_graph_create_adjacent);
}
LOADSTONE_ALIAS(MPI_Dist_graph_create_adjacent)

int PMPI_Dist_graph_neighbors([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int maxindegree,
    [[maybe_unused]] int sources[], [[maybe_unused]] int sourceweights[], [[maybe_unused]] int maxoutdegree,
    [[maybe_unused]] int destinations[], [[maybe_unused]] int destweights[]) try {
  call c(function::Dist_graph_neighbors);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (maxindegree < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 2, "maxindegree", maxindegree, "at least 0");
  if (no_address(sources) && maxindegree > 0) [[unlikely]]
    return c.no_address(3, "sources", bits_of(sources));
  if (no_address(sourceweights) && sourceweights != nullptr && sourceweights != MPI_UNWEIGHTED
      && maxindegree > 0) [[unlikely]]
    return c.no_address(4, "sourceweights", bits_of(sourceweights));
  if (maxoutdegree < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 5, "maxoutdegree", maxoutdegree, "at least 0");
  if (no_address(destinations) && maxoutdegree > 0) [[unlikely]]
    return c.no_address(6, "destinations", bits_of(destinations));
  if (no_address(destweights) && destweights != nullptr && destweights != MPI_UNWEIGHTED
      && maxoutdegree > 0) [[unlikely]]
    return c.no_address(7, "destweights", bits_of(destweights));
  return c.finish(impl::Dist_graph_neighbors(c, *comm_, maxindegree, sources, sourceweights, maxoutdegree,
      destinations, destweights));
} catch (...) {
  return caught(function::Dist_graph_neighbors);
}
LOADSTONE_ALIAS(MPI_Dist_graph_neighbors)

int PMPI_Dist_graph_neighbors_count([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *indegree,
    [[maybe_unused]] int *outdegree, [[maybe_unused]] int *weighted) try {
  call c(function::Dist_graph_neighbors_count);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(indegree)) [[unlikely]] return c.no_address(2, "indegree", bits_of(indegree));
  if (no_address(outdegree)) [[unlikely]] return c.no_address(3, "outdegree", bits_of(outdegree));
  if (no_address(weighted)) [[unlikely]] return c.no_address(4, "weighted", bits_of(weighted));
  return c.finish(impl::Dist_graph_neighbors_count(c, *comm_, indegree, outdegree, weighted));
} catch (...) {
  return caught(function::Dist_graph_neighbors_count);
}
LOADSTONE_ALIAS(MPI_Dist_graph_neighbors_count)

int PMPI_Graph_create([[maybe_unused]] MPI_Comm comm_old, [[maybe_unused]] int nnodes,
    [[maybe_unused]] const int indx[], [[maybe_unused]] const int edges[], [[maybe_unused]] int reorder,
    [[maybe_unused]] MPI_Comm *comm_graph) try {
  call c(function::Graph_create);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_old_ = c.handles().comms.find(comm_old);
  if (comm_old_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm_old", "MPI_Comm", handle_bits(comm_old));
  c.on(*comm_old_);
  if (nnodes < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "nnodes", nnodes, "at least 0");
  {
    const int wrong = check_present(c, indx, nnodes, 3, "indx");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, edges, last_of(indx, nnodes), 4, "edges");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(comm_graph)) [[unlikely]] return c.no_address(6, "comm_graph", bits_of(comm_graph));
  return c.finish(impl::Graph_create(c, *comm_old_, nnodes, indx, edges, reorder, comm_graph));
} catch (...) {
  return caught(function::Graph_create);
}
LOADSTONE_ALIAS(MPI_Graph_create)

int PMPI_Graph_get([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int maxindex,
    [[maybe_unused]] int maxedges, [[maybe_unused]] int indx[], [[maybe_unused]] int edges[]) try {
  call c(function::Graph_get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (maxindex < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "maxindex", maxindex, "at least 0");
  if (maxedges < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 3, "maxedges", maxedges, "at least 0");
  if (no_address(indx) && maxindex > 0) [[unlikely]] return c.no_address(4, "indx", bits_of(indx));
  if (no_address(edges) && maxedges > 0) [[unlikely]] return c.no_address(5, "edges", bits_of(edges));
  return c.finish(impl::Graph_get(c, *comm_, maxindex, maxedges, indx, edges));
} catch (...) {
  return caught(function::Graph_get);
}
LOADSTONE_ALIAS(MPI_Graph_get)

int PMPI_Graph_map([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int nnodes,
    [[maybe_unused]] const int indx[], [[maybe_unused]] const int edges[],
    [[maybe_unused]] int *newrank) try {
  call c(function::Graph_map);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (nnodes < 0) [[unlikely]] return c.wrong_number(MPI_ERR_ARG, 2, "nnodes", nnodes, "at least 0");
  {
    const int wrong = check_present(c, indx, nnodes, 3, "indx");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, edges, last_of(indx, nnodes), 4, "edges");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(newrank)) [[unlikely]] return c.no_address(5, "newrank", bits_of(newrank));
  return c.finish(impl::Graph_map(c, *comm_, nnodes, indx, edges, newrank));
} catch (...) {
  return caught(function::Graph_map);
}
LOADSTONE_ALIAS(MPI_Graph_map)

int PMPI_Graph_neighbors([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int rank,
    [[maybe_unused]] int maxneighbors, [[maybe_unused]] int neighbors[]) try {
  call c(function::Graph_neighbors);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_rank(rank, comm_->size())) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, comm_->size(), "");
  if (maxneighbors < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_ARG, 3, "maxneighbors", maxneighbors, "at least 0");
  if (no_address(neighbors) && maxneighbors > 0) [[unlikely]]
    return c.no_address(4, "neighbors", bits_of(neighbors));
  return c.finish(impl::Graph_neighbors(c, *comm_, rank, maxneighbors, neighbors));
} catch (...) {
  return caught(function::Graph_neighbors);
}
LOADSTONE_ALIAS(MPI_Graph_neighbors)

int PMPI_Graph_neighbors_count([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int rank,
    [[maybe_unused]] int *nneighbors) try {
  call c(function::Graph_neighbors_count);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (!is_rank(rank, comm_->size())) [[unlikely]]
    return c.wrong_rank(MPI_ERR_RANK, 2, "rank", rank, comm_->size(), "");
  if (no_address(nneighbors)) [[unlikely]] return c.no_address(3, "nneighbors", bits_of(nneighbors));
  return c.finish(impl::Graph_neighbors_count(c, *comm_, rank, nneighbors));
} catch (...) {
  return caught(function::Graph_neighbors_count);
}
LOADSTONE_ALIAS(MPI_Graph_neighbors_count)

int PMPI_Graphdims_get([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *nnodes,
    [[maybe_unused]] int *nedges) try {
  call c(function::Graphdims_get);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(nnodes)) [[unlikely]] return c.no_address(2, "nnodes", bits_of(nnodes));
  if (no_address(nedges)) [[unlikely]] return c.no_address(3, "nedges", bits_of(nedges));
  return c.finish(impl::Graphdims_get(c, *comm_, nnodes, nedges));
} catch (...) {
  return caught(function::Graphdims_get);
}
LOADSTONE_ALIAS(MPI_Graphdims_get)

int PMPI_Ineighbor_allgather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_allgather);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_allgather(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_allgather);
}
LOADSTONE_ALIAS(MPI_Ineighbor_allgather)

int PMPI_Ineighbor_allgather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_allgather_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_allgather(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_allgather_c);
}
LOADSTONE_ALIAS(MPI_Ineighbor_allgather_c)

int PMPI_Ineighbor_allgatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_allgatherv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_allgatherv(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_allgatherv);
}
LOADSTONE_ALIAS(MPI_Ineighbor_allgatherv)

int PMPI_Ineighbor_allgatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_allgatherv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_allgatherv(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_allgatherv_c);
}
LOADSTONE_ALIAS(MPI_Ineighbor_allgatherv_c)

int PMPI_Ineighbor_alltoall([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoall);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoall(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoall);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoall)

int PMPI_Ineighbor_alltoall_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoall_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(request)) [[unlikely]] return c.no_address(8, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoall(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoall_c);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoall_c)

int PMPI_Ineighbor_alltoallv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoallv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoallv);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoallv)

int PMPI_Ineighbor_alltoallv_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoallv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoallv_c);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoallv_c)

int PMPI_Ineighbor_alltoallw([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoallw);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoallw);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoallw)

int PMPI_Ineighbor_alltoallw_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] const MPI_Datatype sendtypes[], [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] const MPI_Datatype recvtypes[], [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Ineighbor_alltoallw_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Ineighbor_alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, request));
} catch (...) {
  return caught(function::Ineighbor_alltoallw_c);
}
LOADSTONE_ALIAS(MPI_Ineighbor_alltoallw_c)

int PMPI_Neighbor_allgather([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_allgather);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgather(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_allgather);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgather)

int PMPI_Neighbor_allgather_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_allgather_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgather(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_allgather_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgather_c)

int PMPI_Neighbor_allgather_init([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_allgather_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgather_init(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount,
      *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_allgather_init);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgather_init)

int PMPI_Neighbor_allgather_init_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_allgather_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgather_init(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount,
      *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_allgather_init_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgather_init_c)

int PMPI_Neighbor_allgatherv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_allgatherv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgatherv(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_allgatherv);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgatherv)

int PMPI_Neighbor_allgatherv_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_allgatherv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgatherv(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_allgatherv_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgatherv_c)

int PMPI_Neighbor_allgatherv_init([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int displs[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_allgatherv_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 9, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgatherv_init(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_allgatherv_init);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgatherv_init)

int PMPI_Neighbor_allgatherv_init_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] MPI_Count sendcount, [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const MPI_Count recvcounts[],
    [[maybe_unused]] const MPI_Aint displs[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_allgatherv_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 8, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, displs, in_degree(*comm_), 6, "displs");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 7, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(7, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 5, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 9, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(10, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{displs, sizeof *displs}, receives_from(*comm_), *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_allgatherv_init(c, sendbuf, sendcount, *sendtype_, recvbuf,
      base::integers{recvcounts, sizeof *recvcounts}, base::integers{displs, sizeof *displs}, *recvtype_,
      *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_allgatherv_init_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_allgatherv_init_c)

int PMPI_Neighbor_alltoall([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoall);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoall(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoall);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoall)

int PMPI_Neighbor_alltoall_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoall_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoall(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount, *recvtype_,
      *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoall_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoall_c)

int PMPI_Neighbor_alltoall_init([[maybe_unused]] const void *sendbuf, [[maybe_unused]] int sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf, [[maybe_unused]] int recvcount,
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoall_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoall_init(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount,
      *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoall_init);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoall_init)

int PMPI_Neighbor_alltoall_init_c([[maybe_unused]] const void *sendbuf, [[maybe_unused]] MPI_Count sendcount,
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] MPI_Count recvcount, [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoall_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 7, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (sendcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 2, "sendcount", sendcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 3, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(3, "sendtype", sendtype);
  if (beyond(sendcount, comm_->remote_size(), *sendtype_)) [[unlikely]]
    return c.too_many(2, "sendcount", sendcount, comm_->remote_size(), *sendtype_);
  if (recvcount < 0) [[unlikely]]
    return c.wrong_number(MPI_ERR_COUNT, 5, "recvcount", recvcount, "at least 0");
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 6, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(6, "recvtype", recvtype);
  if (beyond(recvcount, comm_->remote_size(), *recvtype_)) [[unlikely]]
    return c.too_many(5, "recvcount", recvcount, comm_->remote_size(), *recvtype_);
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 8, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(9, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, sendbuf, sends_to(*comm_) == 0 ? 0 : sendcount, *sendtype_, 1,
        "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_buffer(c, recvbuf, receives_from(*comm_) == 0 ? 0 : recvcount, *recvtype_, 4,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoall_init(c, sendbuf, sendcount, *sendtype_, recvbuf, recvcount,
      *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoall_init_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoall_init_c)

int PMPI_Neighbor_alltoallv([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const int sdispls[], [[maybe_unused]] MPI_Datatype sendtype,
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const int rdispls[], [[maybe_unused]] MPI_Datatype recvtype,
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoallv);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoallv);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallv)

int PMPI_Neighbor_alltoallv_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoallv_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallv(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoallv_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallv_c)

int PMPI_Neighbor_alltoallv_init([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const int sendcounts[], [[maybe_unused]] const int sdispls[],
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const int rdispls[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoallv_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 10, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(11, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallv_init(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoallv_init);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallv_init)

int PMPI_Neighbor_alltoallv_init_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] MPI_Datatype sendtype, [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] MPI_Datatype recvtype, [[maybe_unused]] MPI_Comm comm, [[maybe_unused]] MPI_Info info,
    [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoallv_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const sendtype_ = c.handles().types.find(sendtype);
  if (sendtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 4, "sendtype", "MPI_Datatype", handle_bits(sendtype));
  if (!sendtype_->committed()) [[unlikely]] return c.not_committed(4, "sendtype", sendtype);
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), *sendtype_, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::datatype* const recvtype_ = c.handles().types.find(recvtype);
  if (recvtype_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_TYPE, 8, "recvtype", "MPI_Datatype", handle_bits(recvtype));
  if (!recvtype_->committed()) [[unlikely]] return c.not_committed(8, "recvtype", recvtype);
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), *recvtype_, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 10, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(11, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), *sendtype_, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), *recvtype_, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallv_init(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, *sendtype_, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, *recvtype_, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoallv_init_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallv_init_c)

int PMPI_Neighbor_alltoallw([[maybe_unused]] const void *sendbuf, [[maybe_unused]] const int sendcounts[],
    [[maybe_unused]] const MPI_Aint sdispls[], [[maybe_unused]] const MPI_Datatype sendtypes[],
    [[maybe_unused]] void *recvbuf, [[maybe_unused]] const int recvcounts[],
    [[maybe_unused]] const MPI_Aint rdispls[], [[maybe_unused]] const MPI_Datatype recvtypes[],
    [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoallw);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoallw);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallw)

int PMPI_Neighbor_alltoallw_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] const MPI_Datatype sendtypes[], [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] const MPI_Datatype recvtypes[], [[maybe_unused]] MPI_Comm comm) try {
  call c(function::Neighbor_alltoallw_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallw(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_));
} catch (...) {
  return caught(function::Neighbor_alltoallw_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallw_c)

int PMPI_Neighbor_alltoallw_init([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const int sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] const MPI_Datatype sendtypes[], [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const int recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] const MPI_Datatype recvtypes[], [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoallw_init);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 10, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(11, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallw_init(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoallw_init);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallw_init)

int PMPI_Neighbor_alltoallw_init_c([[maybe_unused]] const void *sendbuf,
    [[maybe_unused]] const MPI_Count sendcounts[], [[maybe_unused]] const MPI_Aint sdispls[],
    [[maybe_unused]] const MPI_Datatype sendtypes[], [[maybe_unused]] void *recvbuf,
    [[maybe_unused]] const MPI_Count recvcounts[], [[maybe_unused]] const MPI_Aint rdispls[],
    [[maybe_unused]] const MPI_Datatype recvtypes[], [[maybe_unused]] MPI_Comm comm,
    [[maybe_unused]] MPI_Info info, [[maybe_unused]] MPI_Request *request) try {
  call c(function::Neighbor_alltoallw_init_c);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 9, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  {
    const int wrong = check_counts(c, sendcounts, out_degree(*comm_), 0, MPI_ERR_COUNT, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, sdispls, out_degree(*comm_), 3, "sdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, sendtypes, out_degree(*comm_), true, 4, "sendtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, sendcounts, out_degree(*comm_), sendtypes, 2, "sendcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_counts(c, recvcounts, in_degree(*comm_), 0, MPI_ERR_COUNT, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_present(c, rdispls, in_degree(*comm_), 7, "rdispls");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_types(c, recvtypes, in_degree(*comm_), true, 8, "recvtypes");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  {
    const int wrong = check_amounts(c, recvcounts, in_degree(*comm_), recvtypes, 6, "recvcounts");
    if (wrong != MPI_SUCCESS) [[unlikely]] return wrong;
  }
  [[maybe_unused]] mpi::info* const info_ = c.handles().infos.find(info);
  if (info_ == nullptr && info != MPI_INFO_NULL) [[unlikely]]
    return c.wrong_handle(MPI_ERR_INFO, 10, "info", "MPI_Info", handle_bits(info));
  if (no_address(request)) [[unlikely]] return c.no_address(11, "request", bits_of(request));
  if (no_address(sendbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
        base::integers{sdispls, sizeof *sdispls}, sends_to(*comm_), sendtypes, 1, "sendbuf")) return wrong;
  }
  if (no_address(recvbuf)) [[unlikely]] {
    if (const int wrong = check_blocks(c, recvbuf, base::integers{recvcounts, sizeof *recvcounts},
        base::integers{rdispls, sizeof *rdispls}, receives_from(*comm_), recvtypes, 5,
        "recvbuf")) return wrong;
  }
  return c.finish(impl::Neighbor_alltoallw_init(c, sendbuf, base::integers{sendcounts, sizeof *sendcounts},
      base::integers{sdispls, sizeof *sdispls}, sendtypes, recvbuf, base::integers{recvcounts,
      sizeof *recvcounts}, base::integers{rdispls, sizeof *rdispls}, recvtypes, *comm_, info_, request));
} catch (...) {
  return caught(function::Neighbor_alltoallw_init_c);
}
LOADSTONE_ALIAS(MPI_Neighbor_alltoallw_init_c)

int PMPI_Topo_test([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int *status) try {
  call c(function::Topo_test);
  if (!c.running()) [[unlikely]] return c.outside();
  [[maybe_unused]] mpi::communicator* const comm_ = c.handles().comms.find(comm);
  if (comm_ == nullptr) [[unlikely]]
    return c.wrong_handle(MPI_ERR_COMM, 1, "comm", "MPI_Comm", handle_bits(comm));
  c.on(*comm_);
  if (no_address(status)) [[unlikely]] return c.no_address(2, "status", bits_of(status));
  return c.finish(impl::Topo_test(c, *comm_, status));
} catch (...) {
  return caught(function::Topo_test);
}
LOADSTONE_ALIAS(MPI_Topo_test)

}  // extern "C"
