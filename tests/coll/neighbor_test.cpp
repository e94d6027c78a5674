// The five neighbourhood collectives on random graphs with repeated edges and edges to oneself, and on grids
// with periodic dimensions of one and two.
#include <gtest/gtest.h>

#include "coll/scenario.hpp"
#include "coll/simulated_job.hpp"
#include "coll/topology.hpp"

namespace loadstone::coll::test {
namespace {

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

neighbourhood random_graph(std::uint64_t seed) {
  const std::size_t n = 1 + mix(seed, 1) % 7;
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

neighbourhood random_grid(std::uint64_t seed) {
  std::vector<int> dims(mix(seed, 1) % 4), periods;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    dims[i] = 1 + static_cast<int>(mix(seed, 2, i) % 3);
    periods.push_back(static_cast<int>(mix(seed, 3, i) % 2));
  }
  const grid shape{dims, periods};
  neighbourhood g;
  g.cartesian = true;
  for (std::int32_t r = 0; r < shape.size(); ++r) g.sources.push_back(shape.neighbours(r));
  g.destinations = g.sources;
  return g;
}

enum class kind { allgather, allgatherv, alltoall, alltoallv, alltoallw };

// n int32 from slot `slot` of process `from`; allgathers: the same whatever the slot.
struct contents {
  kind what;
  std::uint64_t seed;
  std::int64_t amount(std::size_t from, std::size_t slot) const {
    if (what == kind::allgather || what == kind::alltoall) return static_cast<std::int64_t>(seed % 3) * unit;
    return static_cast<std::int64_t>(mix(seed, 10, from, what == kind::allgatherv ? 0 : slot) % 4) * unit;
  }
  values of(std::size_t from, std::size_t slot) const {
    values v(static_cast<std::size_t>(amount(from, slot)));
    const bool same = what == kind::allgather || what == kind::allgatherv;
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = static_cast<std::int32_t>(mix(seed, 11, from, same ? 0 : slot, i));
    return v;
  }
};

std::string run(const neighbourhood& g, kind what, std::uint64_t seed) {
  const std::size_t n = g.size();
  const contents data{what, seed};
  simulated_job job(static_cast<int>(n), seed);
  communicator comm(8, static_cast<int>(n), 0, false);
  std::vector<std::unique_ptr<side>> send(n), receive(n);
  std::vector<schedule*> schedules(n);
  for (std::size_t p = 0; p < n; ++p) {
    auto type_of = [&](std::uint64_t which, std::uint64_t slot) {
      return &all_types().any(mix(seed, 20, which, p, what == kind::alltoallw ? slot : 0));
    };
    const bool gathers = what == kind::allgather || what == kind::allgatherv;
    std::vector<std::int64_t> out, in;
    std::vector<const datatype::type*> out_types, in_types;
    for (std::size_t i = 0; i < (gathers ? 1 : g.destinations[p].size()); ++i) {
      out.push_back(data.amount(p, i));
      out_types.push_back(type_of(0, i));
    }
    std::vector<bool> real;
    for (std::size_t i = 0; i < g.sources[p].size(); ++i) {
      const std::int32_t s = g.sources[p][i];
      real.push_back(s >= 0);
      in.push_back(data.amount(s < 0 ? p : static_cast<std::size_t>(s), s < 0 ? i : g.matching(p, i)));
      in_types.push_back(type_of(1, i));
    }
    // A process without neighbours still passes a type.
    if (out.empty()) out.push_back(0), out_types.push_back(type_of(0, 0));
    if (in.empty()) in.push_back(0), in_types.push_back(type_of(1, 0)), real.push_back(false);
    const side::form listed = what == kind::alltoallw                               ? side::form::w
                              : what == kind::alltoallv || what == kind::allgatherv ? side::form::v
                                                                                    : side::form::equal;
    send[p] = std::make_unique<side>(gathers ? side::form::equal : listed, out, out_types, mix(seed, 30, p),
                                     seed % 2);
    receive[p] = std::make_unique<side>(listed, in, in_types, mix(seed, 31, p), seed % 2);
    for (std::size_t i = 0; i < send[p]->blocks.size(); ++i)
      if (send[p]->blocks[i].n) send[p]->put(i, data.of(p, i));
    for (std::size_t i = 0; i < receive[p]->blocks.size(); ++i)
      if (real[i])
        receive[p]->expect(i, data.of(static_cast<std::size_t>(g.sources[p][i]), g.matching(p, i)));

    engine& e = job.of(static_cast<int>(p));
    const group_view view = comm.view(static_cast<int>(p));
    const engine::neighbours around{g.sources[p], g.destinations[p], g.cartesian};
    switch (what) {
      case kind::allgather:
        schedules[p] = e.neighbor_allgather(view, around, send[p]->each(), receive[p]->each());
        break;
      case kind::allgatherv:
        schedules[p] = e.neighbor_allgatherv(view, around, send[p]->each(), receive[p]->view());
        break;
      case kind::alltoall:
        schedules[p] = e.neighbor_alltoall(view, around, send[p]->each(), receive[p]->each());
        break;
      case kind::alltoallv:
        schedules[p] = e.neighbor_alltoallv(view, around, send[p]->view(), receive[p]->view());
        break;
      case kind::alltoallw:
        schedules[p] = e.neighbor_alltoallw(view, around, send[p]->view(), receive[p]->view());
        break;
    }
    e.start(schedules[p]);
    for (std::uint64_t i = mix(seed, 40, p) % 4; i > 0; --i) job.wires.step();
  }
  job.run_until_quiet();
  for (std::size_t p = 0; p < n; ++p) {
    const std::string where = "kind " + std::to_string(static_cast<int>(what)) + ", seed " +
                              std::to_string(seed) + ", process " + std::to_string(p) + ": ";
    if (!schedules[p]->complete) return where + "does not complete";
    if (schedules[p]->result.error) return where + "error " + std::to_string(schedules[p]->result.error);
    if (std::string e = receive[p]->memory.check("receive buffer"); !e.empty()) return where + e;
    if (std::string e = send[p]->memory.check("send buffer"); !e.empty()) return where + e;
    job.of(static_cast<int>(p)).destroy(schedules[p]);
  }
  return job.wires.quiet() ? "" : "messages are left over";
}

TEST(Neighbourhood, RandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed)
    for (kind what : {kind::allgather, kind::allgatherv, kind::alltoall, kind::alltoallv, kind::alltoallw})
      ASSERT_EQ(run(random_graph(seed), what, seed), "");
}

TEST(Neighbourhood, Grids) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    for (kind what : {kind::allgather, kind::allgatherv, kind::alltoall, kind::alltoallv, kind::alltoallw})
      ASSERT_EQ(run(random_grid(seed), what, seed), "");
}

TEST(Neighbourhood, DownArrivesFromAboveInARingOfTwo) {
  simulated_job job(2, 1);
  communicator comm(8, 2, 0, false);
  const std::vector<std::int32_t> other[] = {{1, 1}, {0, 0}};
  std::int32_t send[2][2] = {{10, 11}, {20, 21}}, receive[2][2] = {};
  schedule* s[2];
  const auto* type = all_types().plain;
  for (int p = 0; p < 2; ++p) {
    s[p] = job.of(p).neighbor_alltoall(comm.view(p), {other[p], other[p], true}, {send[p], 1, type},
                                       {receive[p], 1, type});
    job.of(p).start(s[p]);
  }
  job.run_until_quiet();
  EXPECT_EQ(receive[0][0], 21);
  EXPECT_EQ(receive[0][1], 20);
  EXPECT_EQ(receive[1][0], 11);
  EXPECT_EQ(receive[1][1], 10);
  for (int p = 0; p < 2; ++p) job.of(p).destroy(s[p]);
}

}  // namespace
}  // namespace loadstone::coll::test
