#include "coll/choices.hpp"

#include <utility>

namespace loadstone::coll {

namespace {

template <class Algorithm, std::size_t N>
bool set_named(Algorithm& where, std::string_view name,
               const std::pair<std::string_view, Algorithm> (&known)[N]) {
  for (const auto& [text, value] : known)
    if (text == name) return where = value, true;
  return false;
}

// With p - 1 messages of this size the root is busy longer than the copies of a tree take.
constexpr std::int32_t gather_tree_members = 32;
constexpr std::int64_t gather_tree_bytes = 1024;
// Few members have a processor each, and depth counts; more are likely to share them, and the number of
// messages counts (measured with 2 to 16 members on 2 processors, where the two kinds cross between 4 and 8).
constexpr std::int32_t few_members = 4;
constexpr std::int64_t allgather_short_bytes = 256 * 1024;  // of all blocks
constexpr std::int64_t scattered_bytes_per_member = 64 * 1024;
constexpr std::int64_t scattered_bytes_of_two = 1024 * 1024;
constexpr std::int64_t reduce_scatter_short_bytes = 4 * 1024;

}  // namespace

bool choices::set(std::string_view collective, std::string_view algorithm) {
  if (collective == "barrier") {
    using a = barrier_algorithm;
    return set_named<a>(barrier, algorithm,
                        {{"auto", a::automatic}, {"tree", a::tree}, {"dissemination", a::dissemination}});
  }
  if (collective == "bcast") {
    using a = bcast_algorithm;
    return set_named<a>(bcast, algorithm,
                        {{"auto", a::automatic}, {"binomial", a::binomial}, {"chain", a::chain}});
  }
  if (collective == "gather" || collective == "scatter") {
    using a = gather_algorithm;
    return set_named<a>(collective == "gather" ? gather : scatter, algorithm,
                        {{"auto", a::automatic}, {"linear", a::linear}, {"binomial", a::binomial}});
  }
  if (collective == "allgather") {
    using a = allgather_algorithm;
    return set_named<a>(allgather, algorithm,
                        {{"auto", a::automatic},
                         {"ring", a::ring},
                         {"direct", a::direct},
                         {"bruck", a::bruck},
                         {"by_root", a::by_root}});
  }
  if (collective == "reduce") {
    using a = reduce_algorithm;
    return set_named<a>(reduce, algorithm,
                        {{"auto", a::automatic}, {"binomial", a::binomial}, {"scattered", a::scattered}});
  }
  if (collective == "allreduce") {
    using a = allreduce_algorithm;
    return set_named<a>(allreduce, algorithm,
                        {{"auto", a::automatic},
                         {"doubling", a::doubling},
                         {"by_root", a::by_root},
                         {"scattered", a::scattered}});
  }
  if (collective == "reduce_scatter") {
    using a = reduce_scatter_algorithm;
    return set_named<a>(reduce_scatter, algorithm,
                        {{"auto", a::automatic}, {"direct", a::direct}, {"by_root", a::by_root}});
  }
  return false;
}

choices::barrier_algorithm choices::for_barrier(std::int32_t p) const {
  if (barrier != barrier_algorithm::automatic) return barrier;
  return p <= few_members ? barrier_algorithm::dissemination : barrier_algorithm::tree;
}

choices::bcast_algorithm choices::for_bcast(std::int32_t, std::int64_t) const {
  if (bcast != bcast_algorithm::automatic) return bcast;
  // With direct copies between processes of one machine the chain has only more messages to offer (half the
  // bandwidth of the tree at 1 and 4 MiB, 4 to 16 members); it is for links that a segment occupies.
  return bcast_algorithm::binomial;
}

choices::gather_algorithm choices::for_gather(std::int32_t p, std::int64_t n) const {
  if (gather != gather_algorithm::automatic) return gather;
  return p > gather_tree_members && n <= gather_tree_bytes ? gather_algorithm::binomial
                                                           : gather_algorithm::linear;
}

choices::gather_algorithm choices::for_scatter(std::int32_t p, std::int64_t n) const {
  if (scatter != gather_algorithm::automatic) return scatter;
  return p > gather_tree_members && n <= gather_tree_bytes ? gather_algorithm::binomial
                                                           : gather_algorithm::linear;
}

choices::allgather_algorithm choices::for_allgather(std::int32_t p, std::int64_t n) const {
  if (allgather != allgather_algorithm::automatic) return allgather;
  return p <= few_members || n * p > allgather_short_bytes ? allgather_algorithm::direct
                                                           : allgather_algorithm::by_root;
}

namespace {
bool is_long(std::int32_t p, std::int64_t n, std::int64_t count) {
  return count >= p && n >= (p <= 2 ? scattered_bytes_of_two : scattered_bytes_per_member * p);
}
}  // namespace

choices::reduce_algorithm choices::for_reduce(std::int32_t p, std::int64_t n, std::int64_t count) const {
  if (reduce != reduce_algorithm::automatic) return reduce;
  return is_long(p, n, count) ? reduce_algorithm::scattered : reduce_algorithm::binomial;
}

choices::allreduce_algorithm choices::for_allreduce(std::int32_t p, std::int64_t n,
                                                    std::int64_t count) const {
  if (allreduce != allreduce_algorithm::automatic) return allreduce;
  if (is_long(p, n, count)) return allreduce_algorithm::scattered;
  return p <= few_members ? allreduce_algorithm::doubling : allreduce_algorithm::by_root;
}

choices::reduce_scatter_algorithm choices::for_reduce_scatter(std::int32_t p, std::int64_t n) const {
  if (reduce_scatter != reduce_scatter_algorithm::automatic) return reduce_scatter;
  return p > few_members && n <= reduce_scatter_short_bytes ? reduce_scatter_algorithm::by_root
                                                            : reduce_scatter_algorithm::direct;
}

}  // namespace loadstone::coll
