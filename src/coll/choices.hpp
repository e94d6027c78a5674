// Chooses the algorithm of each collective. The choice depends only on what is the same at all
// members of a communicator (its size, bytes, settings of the job): members that chose differently
// would wait for ever for each other's messages.
//
// Each has an algorithm in shared areas (areas.hpp), the last of its list. It is for communicators
// that may have them; the others are for all else, and where it is forced but cannot be.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "coll/signature.hpp"

namespace loadstone::coll {

enum class barrier_algorithm : std::uint8_t { automatic, tree, dissemination, linear, area };
enum class bcast_algorithm : std::uint8_t { automatic, binomial, chain, area };
enum class gather_algorithm : std::uint8_t { automatic, linear, binomial, area };  // scatter too
enum class allgather_algorithm : std::uint8_t { automatic, ring, direct, bruck, by_root, area };
enum class reduce_algorithm : std::uint8_t { automatic, binomial, scattered, area };
enum class allreduce_algorithm : std::uint8_t { automatic, doubling, by_root, scattered, area };
enum class reduce_scatter_algorithm : std::uint8_t { automatic, direct, by_root, area };
enum class alltoall_algorithm : std::uint8_t { automatic, pairwise, area };
enum class scan_algorithm : std::uint8_t { automatic, doubling, area };  // exscan too

class choices {
 public:
  // The collectives that have a choice, and their algorithms in the order of the enumerations; the
  // first is always "auto".
  struct known {
    std::string_view collective;
    std::span<const std::string_view> algorithms;
  };
  static std::span<const known> table();

  // Fixes the algorithm of a collective, by name. False: there is no such collective or algorithm.
  bool set(std::string_view collective, std::string_view algorithm);
  // The algorithm that is fixed, or "auto"; "" if there is no such collective.
  std::string_view get(std::string_view collective) const;

  // Are there fewer cores than processes in the job? The same in all of them.
  void set_crowded(bool yes) { crowded_ = yes; }

  // The most that a member puts into a slot of the areas of a communicator.
  static constexpr std::int64_t area_bytes = 8 * 1024;
  // Is this collective done in areas, where there may be some? `bytes`: the most that a member puts
  // in a slot; `all`: what one member reads.
  bool in_area(operation what, std::int64_t bytes, std::int64_t all) const;

  // The choice for p members and n bytes: those of the whole vector (reduce, allreduce,
  // reduce_scatter) or of one block (gather, scatter, allgather). `count`: elements of the vector.
  barrier_algorithm for_barrier(std::int32_t p) const;
  bcast_algorithm for_bcast() const;
  gather_algorithm for_gather(std::int32_t p, std::int64_t n) const;
  gather_algorithm for_scatter(std::int32_t p, std::int64_t n) const;
  allgather_algorithm for_allgather(std::int32_t p, std::int64_t n) const;
  allgather_algorithm for_allgatherv() const;  // ring or direct
  reduce_algorithm for_reduce(std::int32_t p, std::int64_t n, std::int64_t count) const;
  allreduce_algorithm for_allreduce(std::int32_t p, std::int64_t n, std::int64_t count) const;
  reduce_scatter_algorithm for_reduce_scatter(std::int32_t p, std::int64_t n) const;
  std::int64_t chain_segment() const { return 128 * 1024; }

 private:
  bool crowded_ = false;
  enum row : std::uint8_t {
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    reduce,
    allreduce,
    reduce_scatter,
    alltoall,
    scan,
    exscan,
    rows  // as `operation`, as far as they go
  };
  static constexpr std::size_t not_found = ~std::size_t{0};
  static std::size_t find(std::string_view collective);
  template <class Algorithm>
  bool fixed(row r, Algorithm* a) const {
    *a = static_cast<Algorithm>(fixed_[r]);
    return fixed_[r] != 0 && *a != Algorithm::area;
  }
  std::array<std::uint8_t, rows> fixed_{};
};

}  // namespace loadstone::coll
