// Every collective on the simulated network: all sizes, roots, kinds of communicator, algorithms; at random;
// several outstanding; restarted.
#include <gtest/gtest.h>

#include <cmath>

#include "coll/scenario.hpp"
#include "coll/simulated_job.hpp"

namespace loadstone::coll::test {
namespace {

int processes(const specification& s) {
  return s.size[0] + (s.inter ? s.size[1] : 0);
}

// One collective on all its members, started in a random order.
struct running {
  running(const specification& spec, communicator& where) : s(spec), comm(where) {
    for (int p = 0; p < comm.processes(); ++p) calls.push_back(make_call(s, comm.group(p), comm.rank(p)));
    schedules.resize(calls.size());
  }
  void build(simulated_job& job, int p) {
    schedules[static_cast<std::size_t>(p)] =
        calls[static_cast<std::size_t>(p)]->build(job.of(p), comm.view(p));
  }
  void start(simulated_job& job, int p, int round = 0) {
    calls[static_cast<std::size_t>(p)]->fill(round);
    job.of(p).start(schedules[static_cast<std::size_t>(p)]);
  }
  std::string check(int round = 0) {
    for (std::size_t p = 0; p < calls.size(); ++p) {
      std::string where = s.text() + ", process " + std::to_string(p) + ": ";
      if (!schedules[p]->complete) return where + "does not complete";
      if (schedules[p]->result.error) return where + "error " + std::to_string(schedules[p]->result.error);
      if (std::string e = calls[p]->check(round); !e.empty()) return where + e;
    }
    return {};
  }
  void destroy(simulated_job& job) {
    for (std::size_t p = 0; p < calls.size(); ++p) job.of(static_cast<int>(p)).destroy(schedules[p]);
  }

  specification s;
  communicator& comm;
  std::vector<std::unique_ptr<call>> calls;
  std::vector<schedule*> schedules;
};

std::vector<int> shuffled(int n, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix(seed, i) % i]);
  return order;
}

std::string run_once(const specification& s, simulated_job& job) {
  communicator comm(8, s.size[0], s.size[1], s.inter);
  running r(s, comm);
  for (int p : shuffled(comm.processes(), s.seed)) {
    r.build(job, p);
    r.start(job, p);
    for (std::uint64_t i = mix(s.seed, 3, p) % 4; i > 0; --i) job.wires.step();
  }
  job.run_until_quiet();
  std::string e = r.check();
  r.destroy(job);
  if (e.empty() && !job.wires.quiet()) e = s.text() + ": messages are left over";
  if (e.empty() && !comm.idle()) e = s.text() + ": the communicator is still in use";
  return e;
}

std::string run_once(const specification& s) {
  simulated_job job(processes(s), s.seed);
  return run_once(s, job);
}

struct forced {
  const char* name;
  const char* algorithm;
  std::vector<collective> what;
};
const std::vector<forced>& algorithms() {
  using c = collective;
  static const std::vector<forced> all{
      {"barrier", "tree", {c::barrier}},
      {"barrier", "dissemination", {c::barrier}},
      {"barrier", "linear", {c::barrier}},
      {"bcast", "binomial", {c::bcast}},
      {"bcast", "chain", {c::bcast}},
      {"bcast", "scattered", {c::bcast}},
      {"gather", "linear", {c::gather}},
      {"gather", "binomial", {c::gather}},
      {"scatter", "linear", {c::scatter}},
      {"scatter", "binomial", {c::scatter}},
      {"allgather", "ring", {c::allgather, c::allgatherv}},
      {"allgather", "direct", {c::allgather, c::allgatherv}},
      {"allgather", "bruck", {c::allgather}},
      {"allgather", "by_root", {c::allgather}},
      {"barrier",
       "auto",
       {c::gatherv, c::scatterv, c::alltoall, c::alltoallv, c::alltoallw, c::scan, c::exscan}},
      {"reduce", "binomial", {c::reduce}},
      {"reduce", "scattered", {c::reduce}},
      {"allreduce", "doubling", {c::allreduce}},
      {"allreduce", "by_root", {c::allreduce}},
      {"allreduce", "scattered", {c::allreduce}},
      {"allreduce", "halving", {c::allreduce}},
      {"reduce_scatter", "direct", {c::reduce_scatter, c::reduce_scatter_block}},
      {"reduce_scatter", "by_root", {c::reduce_scatter, c::reduce_scatter_block}},
      {"reduce_scatter", "doubling", {c::reduce_scatter, c::reduce_scatter_block}},
      {"scan", "doubling", {c::scan}},
      {"scan", "direct", {c::scan}},
      {"exscan", "doubling", {c::exscan}},
      {"exscan", "direct", {c::exscan}},
  };
  return all;
}

TEST(Collectives, EveryAlgorithmAtEverySize) {
  std::uint64_t seed = 1;
  for (const forced& f : algorithms())
    for (collective what : f.what)
      for (int n = 1; n <= 17; ++n)
        for (int root = 0; root < n; root += 1 + n / 3)
          for (std::int64_t units : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}})
            for (int variant = 0; variant < 6; ++variant) {
              specification s;
              s.what = what;
              s.size[0] = n;
              s.root = root;
              s.units = units;
              s.in_place = variant % 2 != 0 && what != collective::bcast && what != collective::barrier;
              s.op = static_cast<operation>(variant % 3);
              s.padded = s.op != operation::predefined_sum && variant > 2;
              s.wide = variant > 3;
              s.seed = ++seed;
              simulated_job job(n, seed);
              job.choose(f.name, f.algorithm);
              ASSERT_EQ(run_once(s, job), "") << f.name << "=" << f.algorithm;
            }
}

TEST(Collectives, EveryPairOfGroupSizes) {
  std::uint64_t seed = 1000000;
  for (int what = 0; what < static_cast<int>(collective::scan); ++what)
    for (int a = 1; a <= 6; ++a)
      for (int b = 1; b <= 6; ++b)
        for (int group = 0; group < 2; ++group)
          for (std::int64_t units : {std::int64_t{0}, std::int64_t{1}, std::int64_t{5}}) {
            specification s;
            s.what = static_cast<collective>(what);
            s.inter = true;
            s.size[0] = a, s.size[1] = b;
            s.root_group = group;
            s.seed = ++seed;
            s.root = static_cast<int>(mix(seed, 1) % static_cast<std::uint64_t>(s.size[group]));
            s.units = units;
            s.op = static_cast<operation>(seed % 3);
            s.padded = s.op != operation::predefined_sum && seed % 2;
            ASSERT_EQ(run_once(s), "");
          }
}

TEST(Collectives, AtRandom) {
  const std::uint64_t seed = 20261121;
  RecordProperty("seed", std::to_string(seed));
  for (std::uint64_t i = 0; i < 2000; ++i) ASSERT_EQ(run_once(random_specification(mix(seed, i), 17)), "");
}

// Sums of reals depend on the order; all members must get the same bits all the same.
TEST(Collectives, AllMembersGetTheSameBits) {
  const datatype::type& real = *datatype::predefined_type(datatype::basic::double_);
  constexpr std::size_t count = 40;
  for (const char* algorithm : {"doubling", "by_root", "scattered", "halving"})
    for (int n = 1; n <= 17; ++n) {
      simulated_job job(n, static_cast<std::uint64_t>(n));
      job.choose("allreduce", algorithm);
      communicator comm(8, n, 0, false);
      std::vector<std::vector<double>> in(static_cast<std::size_t>(n), std::vector<double>(count)), out = in;
      std::vector<schedule*> s;
      for (int p = 0; p < n; ++p) {
        const auto i = static_cast<std::size_t>(p);
        for (std::size_t k = 0; k < count; ++k) {
          const std::uint64_t x = mix(static_cast<std::uint64_t>(n), i, k);
          in[i][k] = std::ldexp(static_cast<double>(x >> 11) - 0x1p52, static_cast<int>(x % 60));
        }
        s.push_back(job.of(p).allreduce(comm.view(p), in[i].data(), out[i].data(), count, &real,
                                        &op_of(operation::predefined_sum), false));
        job.of(p).start(s.back());
      }
      job.run_until_quiet();
      for (int p = 0; p < n; ++p) {
        const auto i = static_cast<std::size_t>(p);
        EXPECT_EQ(std::memcmp(out[i].data(), out[0].data(), count * sizeof(double)), 0)
            << algorithm << " of " << n << ", process " << p;
        job.of(p).destroy(s[i]);
      }
      double sum = 0, magnitude = 0;
      for (auto& v : in) sum += v[3], magnitude += std::abs(v[3]);
      EXPECT_NEAR(out[0][3], sum, magnitude * 1e-14);
    }
}

TEST(Collectives, LongVectorsInSegments) {
  for (int n : {2, 3, 5, 8})
    for (int root = 0; root < n; ++root) {
      specification s;
      s.what = collective::bcast;
      s.size[0] = n;
      s.root = root;
      s.units = 30011;  // 720 KiB: six segments, the last one short
      s.seed = static_cast<std::uint64_t>(n * 100 + root);
      simulated_job job(n, s.seed);
      job.choose("bcast", "chain");
      ASSERT_EQ(run_once(s, job), "");
    }
}

// Many collectives outstanding on two communicators, of which the members start their parts as far ahead as
// they like.
TEST(Collectives, ManyOutstandingInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const int n = 1 + static_cast<int>(mix(seed, 1) % 7);
    const int a = n == 1 ? 1 : 1 + static_cast<int>(mix(seed, 2) % static_cast<std::uint64_t>(n - 1));
    simulated_job job(n, seed);
    communicator intra(8, n, 0, false), inter(16, a, n - a, n > 1);
    if (seed % 3 == 0) intra.set_next_tag(0xfffffffeu);  // the counter wraps
    if (seed % 3 == 1) intra.set_next_tag(0x0ffffffeu);  // the tags wrap
    std::vector<std::unique_ptr<running>> all;
    for (std::uint64_t i = 0; i < 12; ++i) {
      specification s = random_specification(mix(seed, 50, i), 4);
      const bool on_inter = n > 1 && s.inter;
      s.inter = on_inter;
      s.in_place = s.in_place && !on_inter;
      s.size[0] = on_inter ? a : n, s.size[1] = on_inter ? n - a : 1;
      s.root_group = on_inter ? s.root_group : 0;
      s.root %= s.size[s.root_group];
      all.push_back(std::make_unique<running>(s, on_inter ? inter : intra));
    }
    std::vector<std::size_t> next(static_cast<std::size_t>(n), 0);
    std::mt19937_64 random(seed);
    for (std::size_t left = static_cast<std::size_t>(n) * all.size(); left > 0;) {
      const int p = static_cast<int>(random() % static_cast<std::uint64_t>(n));
      if (std::size_t& at = next[static_cast<std::size_t>(p)]; at < all.size()) {
        all[at]->build(job, p);
        all[at]->start(job, p);
        ++at;
        --left;
      }
      for (std::uint64_t i = random() % 3; i > 0; --i) job.wires.step();
    }
    job.run_until_quiet();
    for (auto& r : all) {
      ASSERT_EQ(r->check(), "") << "seed " << seed;
      r->destroy(job);
    }
    ASSERT_TRUE(job.wires.quiet()) << "seed " << seed;
  }
}

// Persistent: each process restarts as soon as its own part is complete, so that rounds overlap between
// processes.
TEST(Collectives, RestartedWhileOthersAreBehind) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const specification s = random_specification(mix(seed, 60), 7);
    const int n = processes(s);
    simulated_job job(n, seed);
    communicator comm(8, s.size[0], s.size[1], s.inter);
    running r(s, comm);
    for (int p = 0; p < n; ++p) r.build(job, p);
    constexpr int rounds = 4;
    std::vector<int> round(static_cast<std::size_t>(n), -1);
    std::mt19937_64 random(seed);
    for (bool all_done = false; !all_done;) {
      all_done = true;
      for (int p = 0; p < n; ++p) {
        const auto i = static_cast<std::size_t>(p);
        if (round[i] >= 0 && !r.schedules[i]->complete) {
          all_done = false;
          continue;
        }
        if (round[i] >= 0) {
          ASSERT_EQ(r.schedules[i]->result.error, 0);
          ASSERT_EQ(r.calls[i]->check(round[i]), "")
              << s.text() << ", process " << p << ", round " << round[i];
        }
        if (round[i] == rounds) continue;
        all_done = false;
        if (random() % 2) r.start(job, p, ++round[i]);
      }
      for (std::uint64_t i = random() % 4; i > 0; --i) job.wires.step();
    }
    r.destroy(job);
    ASSERT_TRUE(job.wires.quiet()) << s.text();
  }
}

TEST(Collectives, NothingAllocatedOrLeftBehindPerCall) {
  simulated_job job(4, 1);
  communicator comm(8, 4, 0, false);
  specification s;
  s.what = collective::allreduce;
  s.size[0] = 4;
  for (std::uint64_t i = 0; i < 50; ++i) {
    s.seed = i;
    running r(s, comm);
    for (int p = 0; p < 4; ++p) r.build(job, p), r.start(job, p);
    job.run_until_quiet();
    ASSERT_EQ(r.check(), "");
    r.destroy(job);
  }
  // At most the message whose completion ended each schedule is still to be freed.
  EXPECT_LE(job.wires.live(), 4u);
}

}  // namespace
}  // namespace loadstone::coll::test
