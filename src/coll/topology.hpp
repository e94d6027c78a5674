// The arithmetic of process topologies (MPI-5.0 chapter 8): ranks and coordinates of Cartesian
// grids, row-major; balanced dimensions; neighbours. Pure functions on numbers that the caller has
// checked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loadstone::coll {

inline constexpr std::int32_t no_neighbour = -1;  // MPI_PROC_NULL at the API

struct grid {
  std::span<const int> dims;
  std::span<const int> periods;  // non-zero: periodic

  std::int64_t size() const;  // of a grid without dimensions: 1
  // Coordinates outside a periodic dimension wrap; outside any other: no_neighbour.
  std::int32_t rank(std::span<const int> coordinates) const;
  void coordinates(std::int32_t rank, std::span<int> out) const;

  struct shifted {
    std::int32_t source, destination;
  };
  shifted shift(std::int32_t rank, std::size_t direction, int displacement) const;

  // The order of the neighbourhood collectives: for each dimension first below, then above.
  std::vector<std::int32_t> neighbours(std::int32_t rank) const;

  // Cart_sub: which subgrid (0 …) a process falls into, and its rank there.
  struct part {
    std::int32_t number, rank;
  };
  part subgrid(std::int32_t rank, std::span<const int> remain) const;
};

// Fills the zero entries of `dims` so that the product of all is `nodes`, the filled ones as close
// to each other as possible (the smallest difference between largest and smallest, then the
// smallest largest, and so on), in non-increasing order. False: the product of the given entries
// does not divide `nodes` (or nothing is to be filled and it is not equal).
bool balance(std::int64_t nodes, std::span<int> dims);

// Places processes in a grid so that neighbours share hardware. domain[r]: the part of the machine
// that process r runs on. Returns the position of each process in the grid; empty if the order of
// ranks is as good, or if the domains have different numbers of processes.
//
// Each domain gets one box of the grid. All boxes have the same shape and fill the grid; of these
// shapes the one with the smallest surface is taken. Time: proportional to the number of shapes
// whose edges divide the dimensions.
std::vector<std::int32_t> place_on(const grid& g, std::span<const int> domain);

// Graph topologies: the neighbours of a node in (index, edges), where index[i] is the number of
// edges of nodes 0 … i.
std::span<const int> graph_neighbours(std::span<const int> index, std::span<const int> edges,
                                      std::int32_t node);

}  // namespace loadstone::coll
