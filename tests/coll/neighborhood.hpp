// One neighbourhood collective of one process in a test, on a random graph with repeated edges and edges to
// oneself, or on a grid with periodic dimensions of one and two: fills its buffers, builds the schedule, and
// knows what must come out.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "coll/scenario.hpp"
#include "coll/topology.hpp"

namespace loadstone::coll::test {

struct neighbourhood {
  std::vector<std::vector<std::int32_t>> sources, destinations;  // by process
  bool cartesian = false;

  std::size_t size() const { return sources.size(); }
  // The slot at the source that slot `i` of process `p` hears from.
  std::size_t matching(std::size_t p, std::size_t i) const {
    if (cartesian) return i ^ 1;  // MPI-5.0 §8.6
    const std::int32_t source = sources[p][i];
    auto k = std::count(sources[p].begin(), sources[p].begin() + static_cast<std::ptrdiff_t>(i), source);
    const auto& theirs = destinations[static_cast<std::size_t>(source)];
    for (std::size_t j = 0; j < theirs.size(); ++j)
      if (theirs[j] == static_cast<std::int32_t>(p) && k-- == 0) return j;
    std::abort();
  }
};

// `n`: of so many processes; 0: of a random number.
inline neighbourhood random_graph(std::uint64_t seed, std::size_t n = 0) {
  if (n == 0) n = 1 + mix(seed, 1) % 7;
  neighbourhood g;
  g.sources.resize(n), g.destinations.resize(n);
  for (std::uint64_t e = 0; e < mix(seed, 2) % (4 * n); ++e) {
    const auto from = mix(seed, 3, e) % n, to = mix(seed, 4, e) % n;
    auto& d = g.destinations[from];
    auto& s = g.sources[to];
    d.insert(d.begin() + static_cast<std::ptrdiff_t>(mix(seed, 5, e) % (d.size() + 1)),
             static_cast<std::int32_t>(to));
    s.insert(s.begin() + static_cast<std::ptrdiff_t>(mix(seed, 6, e) % (s.size() + 1)),
             static_cast<std::int32_t>(from));
  }
  return g;
}

inline neighbourhood grid_of(const std::vector<int>& dims, std::uint64_t seed) {
  std::vector<int> periods;
  for (std::size_t i = 0; i < dims.size(); ++i) periods.push_back(static_cast<int>(mix(seed, 3, i) % 2));
  const grid shape{dims, periods};
  neighbourhood g;
  g.cartesian = true;
  for (std::int32_t r = 0; r < shape.size(); ++r) g.sources.push_back(shape.neighbours(r));
  g.destinations = g.sources;
  return g;
}

inline neighbourhood random_grid(std::uint64_t seed) {
  std::vector<int> dims(mix(seed, 1) % 4);
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = 1 + static_cast<int>(mix(seed, 2, i) % 3);
  return grid_of(dims, seed);
}

// Of n processes: a line with some dimensions of one, or two lines.
inline neighbourhood random_grid(std::uint64_t seed, int n) {
  std::vector<int> dims;
  for (std::uint64_t ones = mix(seed, 1) % 3; ones > 0; --ones) dims.push_back(1);
  dims.push_back(n % 2 == 0 && mix(seed, 2) % 2 == 0 ? n / 2 : n);
  if (dims.back() != n) dims.push_back(2);
  return grid_of(dims, seed);
}

enum class neighbor_kind { allgather, allgatherv, alltoall, alltoallv, alltoallw };

inline constexpr neighbor_kind all_neighbor_kinds[] = {neighbor_kind::allgather, neighbor_kind::allgatherv,
                                                       neighbor_kind::alltoall, neighbor_kind::alltoallv,
                                                       neighbor_kind::alltoallw};

// n int32 from slot `slot` of process `from`; allgathers: the same whatever the slot.
struct contents {
  neighbor_kind what;
  std::uint64_t seed;
  std::int64_t scale = 1;
  std::int64_t amount(std::size_t from, std::size_t slot) const {
    const bool equal = what == neighbor_kind::allgather || what == neighbor_kind::alltoall;
    if (equal) return static_cast<std::int64_t>(seed % 3) * unit * scale;
    const std::uint64_t of = what == neighbor_kind::allgatherv ? 0 : slot;
    const auto some = static_cast<std::int64_t>(mix(seed, 10, from, of) % 4);
    // Long ones among short ones.
    return some * unit * (mix(seed, 12, from, of) % 3 == 0 ? 1 : scale);
  }
  values of(std::size_t from, std::size_t slot, int round = 0) const {
    const bool same = what == neighbor_kind::allgather || what == neighbor_kind::allgatherv;
    return random_values(mix(seed, 11, from, same ? 0 : slot, round), amount(from, slot));
  }
};

class neighbor_call {
 public:
  neighbor_call(const neighbourhood& g, neighbor_kind what, std::uint64_t seed, std::size_t p,
                std::int64_t scale = 1)
      : g_(g), data_{what, seed, scale}, p_(p) {
    auto type_of = [&](std::uint64_t which, std::uint64_t slot) {
      return &all_types().any(mix(seed, 20, which, p, what == neighbor_kind::alltoallw ? slot : 0));
    };
    const bool gathers = what == neighbor_kind::allgather || what == neighbor_kind::allgatherv;
    std::vector<std::int64_t> out, in;
    std::vector<const datatype::type*> out_types, in_types;
    for (std::size_t i = 0; i < (gathers ? 1 : g.destinations[p].size()); ++i) {
      out.push_back(data_.amount(p, i));
      out_types.push_back(type_of(0, i));
    }
    for (std::size_t i = 0; i < g.sources[p].size(); ++i) {
      const std::int32_t s = g.sources[p][i];
      real_.push_back(s >= 0);
      in.push_back(data_.amount(s < 0 ? p : static_cast<std::size_t>(s), s < 0 ? i : g.matching(p, i)));
      in_types.push_back(type_of(1, i));
    }
    // A process without neighbours still passes a type.
    if (out.empty()) out.push_back(0), out_types.push_back(type_of(0, 0));
    if (in.empty()) in.push_back(0), in_types.push_back(type_of(1, 0)), real_.push_back(false);
    const bool v = what == neighbor_kind::alltoallv || what == neighbor_kind::allgatherv;
    const side::form listed = what == neighbor_kind::alltoallw ? side::form::w
                              : v                              ? side::form::v
                                                               : side::form::equal;
    send_ = std::make_unique<side>(gathers ? side::form::equal : listed, out, out_types, mix(seed, 30, p),
                                   seed % 2);
    receive_ = std::make_unique<side>(listed, in, in_types, mix(seed, 31, p), seed % 2);
  }
  void fill(int round) {
    for (std::size_t i = 0; i < send_->blocks.size(); ++i)
      if (send_->blocks[i].n) send_->put(i, data_.of(p_, i, round));
    for (std::size_t i = 0; i < receive_->blocks.size(); ++i)
      if (real_[i])
        receive_->expect(i, data_.of(static_cast<std::size_t>(g_.sources[p_][i]), g_.matching(p_, i), round));
  }
  schedule* build(engine& e, const group_view& view) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < g_.size(); ++i)
      most = std::max({most, g_.sources[i].size(), g_.destinations[i].size()});
    const engine::neighbours around{g_.sources[p_], g_.destinations[p_], g_.cartesian,
                                    static_cast<std::int32_t>(most)};
    switch (data_.what) {
      case neighbor_kind::allgather:
        return e.neighbor_allgather(view, around, send_->each(), receive_->each());
      case neighbor_kind::allgatherv:
        return e.neighbor_allgatherv(view, around, send_->each(), receive_->view());
      case neighbor_kind::alltoall:
        return e.neighbor_alltoall(view, around, send_->each(), receive_->each());
      case neighbor_kind::alltoallv:
        return e.neighbor_alltoallv(view, around, send_->view(), receive_->view());
      default:
        return e.neighbor_alltoallw(view, around, send_->view(), receive_->view());
    }
  }
  std::string check() {
    std::string e = receive_->memory.check("receive buffer");
    return e.empty() ? send_->memory.check("send buffer") : e;
  }

 private:
  const neighbourhood& g_;
  contents data_;
  std::size_t p_;
  std::unique_ptr<side> send_, receive_;
  std::vector<bool> real_;
};

}  // namespace loadstone::coll::test
