// Which algorithm for what. Everything here depends only on what all members of the communicator know alike
// (sizes, counts in bytes, settings of the job): members that chose differently would wait for each other
// forever.
#pragma once

#include <cstdint>
#include <string_view>

namespace loadstone::coll {

struct choices {
  enum class barrier_algorithm : std::uint8_t { automatic, tree, dissemination } barrier{};
  enum class bcast_algorithm : std::uint8_t { automatic, binomial, chain } bcast{};
  enum class gather_algorithm : std::uint8_t { automatic, linear, binomial } gather{}, scatter{};
  enum class allgather_algorithm : std::uint8_t { automatic, ring, direct, bruck, by_root } allgather{};
  enum class reduce_algorithm : std::uint8_t { automatic, binomial, scattered } reduce{};
  enum class allreduce_algorithm : std::uint8_t { automatic, doubling, by_root, scattered } allreduce{};
  enum class reduce_scatter_algorithm : std::uint8_t { automatic, direct, by_root } reduce_scatter{};
  std::int64_t chain_segment = 128 * 1024;

  // By name, as in LOADSTONE_COLL_<collective>=<algorithm>. False: no such collective or algorithm.
  bool set(std::string_view collective, std::string_view algorithm);

  // p members, n bytes of one process (bcast, reduce, allreduce: the vector; gather, scatter, allgather: one
  // block; reduce_scatter: the whole vector), count elements.
  barrier_algorithm for_barrier(std::int32_t p) const;
  bcast_algorithm for_bcast(std::int32_t p, std::int64_t n) const;
  gather_algorithm for_gather(std::int32_t p, std::int64_t n) const;
  gather_algorithm for_scatter(std::int32_t p, std::int64_t n) const;
  allgather_algorithm for_allgather(std::int32_t p, std::int64_t n) const;
  reduce_algorithm for_reduce(std::int32_t p, std::int64_t n, std::int64_t count) const;
  allreduce_algorithm for_allreduce(std::int32_t p, std::int64_t n, std::int64_t count) const;
  reduce_scatter_algorithm for_reduce_scatter(std::int32_t p, std::int64_t n) const;
};

}  // namespace loadstone::coll
