// The five neighbourhood collectives on random graphs with repeated edges and edges to oneself, and on grids
// with periodic dimensions of one and two.
#include <gtest/gtest.h>

#include "coll/neighborhood.hpp"
#include "coll/simulated_job.hpp"

namespace loadstone::coll::test {
namespace {

std::string run(const neighbourhood& g, neighbor_kind what, std::uint64_t seed) {
  const std::size_t n = g.size();
  simulated_job job(static_cast<int>(n), seed);
  communicator comm(8, static_cast<int>(n), 0, false);
  std::vector<std::unique_ptr<neighbor_call>> calls;
  std::vector<schedule*> schedules(n);
  for (std::size_t p = 0; p < n; ++p) {
    calls.push_back(std::make_unique<neighbor_call>(g, what, seed, p));
    calls[p]->fill(0);
    engine& e = job.of(static_cast<int>(p));
    schedules[p] = calls[p]->build(e, comm.view(static_cast<int>(p)));
    e.start(schedules[p]);
    for (std::uint64_t i = mix(seed, 40, p) % 4; i > 0; --i) job.wires.step();
  }
  job.run_until_quiet();
  for (std::size_t p = 0; p < n; ++p) {
    const std::string where = "kind " + std::to_string(static_cast<int>(what)) + ", seed " +
                              std::to_string(seed) + ", process " + std::to_string(p) + ": ";
    if (!schedules[p]->complete) return where + "does not complete";
    if (schedules[p]->result.error) return where + "error " + std::to_string(schedules[p]->result.error);
    if (std::string e = calls[p]->check(); !e.empty()) return where + e;
    job.of(static_cast<int>(p)).destroy(schedules[p]);
  }
  return job.wires.quiet() ? "" : "messages are left over";
}

TEST(Neighbourhood, RandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed)
    for (neighbor_kind what : all_neighbor_kinds) ASSERT_EQ(run(random_graph(seed), what, seed), "");
}

TEST(Neighbourhood, Grids) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    for (neighbor_kind what : all_neighbor_kinds) ASSERT_EQ(run(random_grid(seed), what, seed), "");
}

TEST(Neighbourhood, DownArrivesFromAboveInARingOfTwo) {
  simulated_job job(2, 1);
  communicator comm(8, 2, 0, false);
  const std::vector<std::int32_t> other[] = {{1, 1}, {0, 0}};
  std::int32_t send[2][2] = {{10, 11}, {20, 21}}, receive[2][2] = {};
  schedule* s[2];
  const auto* type = all_types().plain;
  for (int p = 0; p < 2; ++p) {
    s[p] = job.of(p).neighbor_alltoall(comm.view(p), {other[p], other[p], true, 2}, {send[p], 1, type},
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
