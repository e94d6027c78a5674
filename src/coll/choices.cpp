#include "coll/choices.hpp"

namespace loadstone::coll {

namespace {

using name = std::string_view;
constexpr name barriers[] = {"auto", "tree", "dissemination", "linear", "area"};
constexpr name bcasts[] = {"auto", "binomial", "chain", "area"};
constexpr name gathers[] = {"auto", "linear", "binomial", "area"};
constexpr name allgathers[] = {"auto", "ring", "direct", "bruck", "by_root", "area"};
constexpr name reduces[] = {"auto", "binomial", "scattered", "area"};
constexpr name allreduces[] = {"auto", "doubling", "by_root", "scattered", "area"};
constexpr name reduce_scatters[] = {"auto", "direct", "by_root", "area"};
constexpr name alltoalls[] = {"auto", "pairwise", "area"};
constexpr name scans[] = {"auto", "doubling", "area"};
constexpr choices::known names[] = {
    {"barrier", barriers},     {"bcast", bcasts},
    {"gather", gathers},       {"scatter", gathers},
    {"allgather", allgathers}, {"reduce", reduces},
    {"allreduce", allreduces}, {"reduce_scatter", reduce_scatters},
    {"alltoall", alltoalls},   {"scan", scans},
    {"exscan", scans},
};

// With more members than this, and blocks no longer than this, p - 1 messages keep the root busy
// for longer than the additional copies of a tree take.
constexpr std::int32_t gather_tree_members = 32;
constexpr std::int64_t gather_tree_bytes = 1024;
// Up to so many members an algorithm with few steps is better, beyond that one with few messages:
// where there are fewer processors than processes, few members may still have one each, but many
// share them. Measured with 2 to 16 members on 2 processors: the two are equal between 4 and 8.
constexpr std::int32_t few_members = 4;
// Up to so many members a linear barrier is quicker than a tree where processors are shared.
// Measured up to here, on 2 processors; with more members, rank 0 may be busy for longer than the
// steps of a tree take.
constexpr std::int32_t linear_barrier_members = 16;
constexpr std::int64_t allgather_short_bytes = 256 * 1024;  // of all blocks
constexpr std::int64_t scattered_bytes_per_member = 64 * 1024;
constexpr std::int64_t scattered_bytes_of_two = 1024 * 1024;
constexpr std::int64_t reduce_scatter_short_bytes = 4 * 1024;
// What one member reads in areas at most: of more, each had better do a part.
constexpr std::int64_t area_read_bytes = 128 * 1024;
// Up to here the second copy of a broadcast in areas is no more than a message costs. At 4 KiB it
// took 0.34 us in place of 0.28 with two members, and 2.3 in place of 1.9 with four on two cores.
constexpr std::int64_t area_bcast_bytes = 1024;

bool is_long(std::int32_t p, std::int64_t n, std::int64_t count) {
  return count >= p && n >= (p <= 2 ? scattered_bytes_of_two : scattered_bytes_per_member * p);
}

}  // namespace

std::span<const choices::known> choices::table() {
  static_assert(std::size(names) == rows);
  return names;
}

std::size_t choices::find(std::string_view collective) {
  for (std::size_t i = 0; i < rows; ++i)
    if (names[i].collective == collective) return i;
  return not_found;
}

bool choices::set(std::string_view collective, std::string_view algorithm) {
  const std::size_t i = find(collective);
  if (i == not_found) return false;
  for (std::size_t a = 0; a < names[i].algorithms.size(); ++a) {
    if (names[i].algorithms[a] != algorithm) continue;
    fixed_[i] = static_cast<std::uint8_t>(a);
    return true;
  }
  return false;
}

std::string_view choices::get(std::string_view collective) const {
  const std::size_t i = find(collective);
  return i == not_found ? std::string_view{} : names[i].algorithms[fixed_[i]];
}

bool choices::in_area(operation what, std::int64_t bytes, std::int64_t all) const {
  const auto r = static_cast<std::size_t>(what);
  const std::uint8_t fixed_one = fixed_[r];
  if (bytes > area_bytes) return false;
  if (fixed_one == 0 && what == operation::bcast && bytes > area_bcast_bytes) return false;
  return fixed_one == 0 ? all <= area_read_bytes : fixed_one + 1u == names[r].algorithms.size();
}

barrier_algorithm choices::for_barrier(std::int32_t p) const {
  if (barrier_algorithm a; fixed(barrier, &a)) return a;
  if (!crowded_ || p <= few_members) return barrier_algorithm::dissemination;
  return p <= linear_barrier_members ? barrier_algorithm::linear : barrier_algorithm::tree;
}

bcast_algorithm choices::for_bcast() const {
  if (bcast_algorithm a; fixed(bcast, &a)) return a;
  // The chain is for links of limited bandwidth. Between processes of one machine, which copy
  // directly, it only has more messages (half the bandwidth of the tree at 1 and 4 MiB, 4 to 16
  // members).
  return bcast_algorithm::binomial;
}

gather_algorithm choices::for_gather(std::int32_t p, std::int64_t n) const {
  if (gather_algorithm a; fixed(gather, &a)) return a;
  return p > gather_tree_members && n <= gather_tree_bytes ? gather_algorithm::binomial
                                                           : gather_algorithm::linear;
}

gather_algorithm choices::for_scatter(std::int32_t p, std::int64_t n) const {
  if (gather_algorithm a; fixed(scatter, &a)) return a;
  return p > gather_tree_members && n <= gather_tree_bytes ? gather_algorithm::binomial
                                                           : gather_algorithm::linear;
}

allgather_algorithm choices::for_allgather(std::int32_t p, std::int64_t n) const {
  if (allgather_algorithm a; fixed(allgather, &a)) return a;
  return p <= few_members || n * p > allgather_short_bytes ? allgather_algorithm::direct
                                                           : allgather_algorithm::by_root;
}

allgather_algorithm choices::for_allgatherv() const {
  allgather_algorithm a;
  return fixed(allgather, &a) && a == allgather_algorithm::ring ? a : allgather_algorithm::direct;
}

reduce_algorithm choices::for_reduce(std::int32_t p, std::int64_t n, std::int64_t count) const {
  if (reduce_algorithm a; fixed(reduce, &a)) return a;
  return is_long(p, n, count) ? reduce_algorithm::scattered : reduce_algorithm::binomial;
}

allreduce_algorithm choices::for_allreduce(std::int32_t p, std::int64_t n, std::int64_t count) const {
  if (allreduce_algorithm a; fixed(allreduce, &a)) return a;
  if (is_long(p, n, count)) return allreduce_algorithm::scattered;
  return p <= few_members ? allreduce_algorithm::doubling : allreduce_algorithm::by_root;
}

reduce_scatter_algorithm choices::for_reduce_scatter(std::int32_t p, std::int64_t n) const {
  if (reduce_scatter_algorithm a; fixed(reduce_scatter, &a)) return a;
  return p > few_members && n <= reduce_scatter_short_bytes ? reduce_scatter_algorithm::by_root
                                                            : reduce_scatter_algorithm::direct;
}

}  // namespace loadstone::coll
