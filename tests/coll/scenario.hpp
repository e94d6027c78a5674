// One collective call of one process in a test: fills its buffers, builds the schedule, and knows what must
// come out. Everything (sizes, types, values) is computed from the specification, which all members share, so
// no member needs to ask another. Values depend on the round, for persistent schedules.
#pragma once

#include <memory>
#include <string>

#include "coll/engine.hpp"
#include "coll/kinds.hpp"

namespace loadstone::coll::test {

enum class collective {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  count
};
inline constexpr const char* collective_names[] = {
    "barrier",   "bcast",     "gather",     "gatherv",        "scatter",
    "scatterv",  "allgather", "allgatherv", "alltoall",       "alltoallv",
    "alltoallw", "reduce",    "allreduce",  "reduce_scatter", "reduce_scatter_block",
    "scan",      "exscan"};

struct specification {
  collective what = collective::barrier;
  int size[2] = {1, 1};  // of group 0 and group 1; intra-communicators have group 0 alone
  bool inter = false;
  std::uint64_t seed = 0;
  std::int64_t units = 1;  // amount of data: int32 per block = units * unit (v forms: up to that)
  int root = 0;            // a rank of the root's group
  int root_group = 0;
  bool in_place = false;
  bool wide = false;  // 64-bit counts
  operation op = operation::predefined_sum;
  bool padded = false;  // reductions: on a type with gaps and a negative lower bound

  std::string text() const {
    std::string s = std::string(collective_names[static_cast<int>(what)]) + " of " + std::to_string(size[0]);
    if (inter) s += " + " + std::to_string(size[1]);
    s += ", units " + std::to_string(units) + ", root " + std::to_string(root) + " of group " +
         std::to_string(root_group);
    if (in_place) s += ", in place";
    s += ", operation " + std::to_string(static_cast<int>(op)) + (padded ? ", padded" : "");
    return s + ", seed " + std::to_string(seed);
  }
};

class call {
 public:
  call(const specification& spec, int group, int rank) : s_(spec), group_(group), rank_(rank) {}
  virtual ~call() = default;
  virtual void fill(int round) = 0;
  virtual schedule* build(engine& e, const group_view& g) = 0;
  virtual std::string check(int round) = 0;

 protected:
  int other() const { return s_.inter ? 1 - group_ : group_; }
  int peers() const { return s_.size[other()]; }  // how many processes one exchanges data with
  values made(int group, int rank, int block, std::int64_t n, int round) const {
    return random_values(mix(s_.seed, group, rank, block, round), n);
  }
  const datatype::type& type_of(int side, int rank, int group) const {
    return all_types().any(mix(s_.seed, 77, side, rank, group));
  }
  // The root argument of this process.
  std::int32_t root() const {
    if (!s_.inter) return s_.root;
    if (group_ != s_.root_group) return s_.root;
    return rank_ == s_.root ? -2 : -1;
  }
  bool at_root() const { return group_ == s_.root_group && rank_ == s_.root; }
  bool takes_part() const {
    return !s_.inter || at_root() || group_ != s_.root_group;
  }  // in a rooted collective

  specification s_;
  int group_, rank_;
};

std::unique_ptr<call> make_moving(const specification& s, int group, int rank);
std::unique_ptr<call> make_reducing(const specification& s, int group, int rank);

inline std::unique_ptr<call> make_call(const specification& s, int group, int rank) {
  return s.what >= collective::reduce ? make_reducing(s, group, rank) : make_moving(s, group, rank);
}

// A random legal call.
inline specification random_specification(std::uint64_t seed, int most) {
  specification s;
  s.seed = seed;
  auto pick = [&](std::uint64_t what, std::uint64_t n) { return static_cast<int>(mix(seed, what) % n); };
  s.what = static_cast<collective>(pick(1, static_cast<std::uint64_t>(collective::count)));
  s.inter = pick(2, 3) == 0 && s.what != collective::scan && s.what != collective::exscan;
  s.size[0] = 1 + pick(3, static_cast<std::uint64_t>(most));
  s.size[1] = 1 + pick(4, static_cast<std::uint64_t>(most));
  constexpr std::int64_t amounts[] = {0, 1, 1, 2, 5, 40, 700};
  s.units = amounts[pick(5, 7)];
  s.root_group = s.inter ? pick(6, 2) : 0;
  s.root = pick(7, static_cast<std::uint64_t>(s.size[s.root_group]));
  s.in_place = !s.inter && s.what != collective::bcast && s.what != collective::barrier && pick(8, 2) == 0;
  s.wide = pick(9, 2) == 0;
  s.op = static_cast<operation>(pick(10, 3));
  s.padded = s.op != operation::predefined_sum && pick(11, 2) == 0;
  return s;
}

}  // namespace loadstone::coll::test

#include "coll/moving.hpp"
#include "coll/reducing.hpp"
