// Cartesian topologies (MPI §8.5). The arithmetic is coll/topology.hpp.
#include <algorithm>
#include <numeric>

#include "coll/topology.hpp"
#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/hardware.hpp"
#include "mpi/topology.hpp"

namespace loadstone::mpi {
namespace {

constexpr int outward(std::int32_t rank) {
  return rank == coll::no_neighbour ? MPI_PROC_NULL : rank;
}

coll::grid grid_of(const topology& t) {
  return {t.dims, t.periods};
}

std::unique_ptr<topology> make_cart(std::vector<int> dims, std::vector<int> periods, int rank) {
  auto t = std::make_unique<topology>();
  t->kind = MPI_CART;
  t->dims = std::move(dims);
  t->periods = std::move(periods);
  t->coordinates.resize(t->dims.size());
  const coll::grid grid = grid_of(*t);
  grid.coordinates(rank, t->coordinates);
  t->sources = t->destinations = grid.neighbours(rank);
  t->most_neighbours = static_cast<std::int32_t>(t->sources.size());
  return t;
}

int check_cart(call& c, const communicator& comm, const topology** out) {
  if (comm.topology == nullptr || comm.topology->kind != MPI_CART) {
    return c.fail(MPI_ERR_TOPOLOGY,
                  "argument 1 (comm) has no Cartesian topology; expected one made by MPI_Cart_create");
  }
  *out = comm.topology.get();
  return MPI_SUCCESS;
}

int check_dims(call& c, const communicator& comm, int ndims, const int dims[], std::int64_t* size) {
  if (comm.is_inter())
    return c.fail(MPI_ERR_COMM, "argument 1 is an inter-communicator; expected an intra-communicator");
  *size = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] <= 0) return c.fail(MPI_ERR_DIMS, "dims[{}] is {}; expected at least 1", i, dims[i]);
    *size *= dims[i];
    if (*size > comm.size()) {
      return c.fail(
          MPI_ERR_DIMS,
          "the dimensions multiply to {} or more; expected at most {}, the size of the communicator", *size,
          comm.size());
    }
  }
  return MPI_SUCCESS;
}

// The best position of this process in the grid: near processes that it shares hardware with. All
// members compute the same order, as each knows where all run.
int best_position(call& c, const communicator& comm, std::int64_t size, std::span<const int> dims,
                  std::span<const int> periods) {
  const process_list members(comm.local()->begin(), comm.local()->begin() + size);
  const hardware h(c.process(), members);
  const int level = h.dividing_level();
  if (level < 0 || dims.empty()) return comm.rank();
  const auto order = coll::place_on({dims, periods}, h.domains(level));
  return order.empty() ? comm.rank() : order[static_cast<std::size_t>(comm.rank())];
}

}  // namespace

int impl::Dims_create(call& c, int nnodes, int ndims, int dims[]) {
  if (nnodes < 1) return c.fail(MPI_ERR_ARG, "argument 1 (nnodes) is {}; expected at least 1", nnodes);
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 0) return c.fail(MPI_ERR_DIMS, "dims[{}] is {}; expected at least 0", i, dims[i]);
  }
  if (ndims == 0) return MPI_SUCCESS;
  if (!coll::balance(nnodes, {dims, static_cast<std::size_t>(ndims)})) {
    return c.fail(MPI_ERR_DIMS,
                  "argument 1 (nnodes) is {}; expected a multiple of the product of the given dimensions",
                  nnodes);
  }
  return MPI_SUCCESS;
}

int impl::Cart_create(call& c, communicator& comm, int ndims, const int dims[], const int periods[],
                      int reorder, MPI_Comm* cart) {
  *cart = MPI_COMM_NULL;
  std::int64_t size;
  if (const int error = check_dims(c, comm, ndims, dims, &size)) return error;
  std::unique_ptr<communicator> made;
  const bool member = comm.rank() < size;
  const int key = member && reorder != 0
                      ? best_position(c, comm, size, {dims, static_cast<std::size_t>(ndims)},
                                      {periods, static_cast<std::size_t>(ndims)})
                      : comm.rank();
  if (const int error = split_communicator(c, comm, member ? 0 : MPI_UNDEFINED, key, &made)) return error;
  if (!member) return MPI_SUCCESS;
  std::vector<int> wraps(periods, periods + ndims);
  for (int& w : wraps) w = w != 0;
  made->topology = make_cart({dims, dims + ndims}, std::move(wraps), made->rank());
  return give_communicator(c, std::move(made), &comm, cart);
}

int impl::Cart_sub(call& c, communicator& comm, const int remain_dims[], MPI_Comm* newcomm) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  std::vector<int> dims, periods;
  for (std::size_t i = 0; i < t->dims.size(); ++i) {
    if (remain_dims[i] == 0) continue;
    dims.push_back(t->dims[i]);
    periods.push_back(t->periods[i]);
  }
  const auto part = grid_of(*t).subgrid(comm.rank(), {remain_dims, t->dims.size()});
  std::unique_ptr<communicator> made;
  if (const int error = split_communicator(c, comm, part.number, part.rank, &made)) return error;
  made->topology = make_cart(std::move(dims), std::move(periods), made->rank());
  return give_communicator(c, std::move(made), &comm, newcomm);
}

int impl::Cartdim_get(call& c, communicator& comm, int* ndims) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  *ndims = static_cast<int>(t->dims.size());
  return MPI_SUCCESS;
}

int impl::Cart_get(call& c, communicator& comm, int maxdims, int dims[], int periods[], int coords[]) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  if (maxdims < static_cast<int>(t->dims.size())) {
    return c.fail(MPI_ERR_ARG, "argument 2 (maxdims) is {}; expected at least {}", maxdims, t->dims.size());
  }
  std::copy(t->dims.begin(), t->dims.end(), dims);
  std::copy(t->periods.begin(), t->periods.end(), periods);
  std::copy(t->coordinates.begin(), t->coordinates.end(), coords);
  return MPI_SUCCESS;
}

int impl::Cart_rank(call& c, communicator& comm, const int coords[], int* rank) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  for (std::size_t i = 0; i < t->dims.size(); ++i) {
    if (t->periods[i] == 0 && (coords[i] < 0 || coords[i] >= t->dims[i])) {
      return c.fail(MPI_ERR_ARG, "coords[{}] is {}; expected 0 to {} in a dimension that is not periodic", i,
                    coords[i], t->dims[i] - 1);
    }
  }
  *rank = grid_of(*t).rank({coords, t->dims.size()});
  return MPI_SUCCESS;
}

int impl::Cart_coords(call& c, communicator& comm, int rank, int maxdims, int coords[]) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  if (maxdims < static_cast<int>(t->dims.size())) {
    return c.fail(MPI_ERR_ARG, "argument 3 (maxdims) is {}; expected at least {}", maxdims, t->dims.size());
  }
  grid_of(*t).coordinates(rank, {coords, t->dims.size()});
  return MPI_SUCCESS;
}

int impl::Cart_shift(call& c, communicator& comm, int direction, int disp, int* source, int* dest) {
  const topology* t = nullptr;
  if (const int error = check_cart(c, comm, &t)) return error;
  if (direction < 0 || direction >= static_cast<int>(t->dims.size())) {
    return c.fail(MPI_ERR_ARG, "argument 2 (direction) is {}; expected 0 to {}", direction,
                  static_cast<int>(t->dims.size()) - 1);
  }
  const auto shifted = grid_of(*t).shift(comm.rank(), static_cast<std::size_t>(direction), disp);
  *source = outward(shifted.source);
  *dest = outward(shifted.destination);
  return MPI_SUCCESS;
}

int impl::Cart_map(call& c, communicator& comm, int ndims, const int dims[], const int periods[],
                   int* newrank) {
  std::int64_t size;
  if (const int error = check_dims(c, comm, ndims, dims, &size)) return error;
  *newrank = comm.rank() < size ? best_position(c, comm, size, {dims, static_cast<std::size_t>(ndims)},
                                                {periods, static_cast<std::size_t>(ndims)})
                                : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
