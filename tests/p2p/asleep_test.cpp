// Two ranks that exchange messages stay awake, and are awake again when one has slept, whatever a sleep costs. Sleeps are
// counted, not times: how long a wake-up takes is set by the test. On a busy machine a rank may wait for a core in the
// midst of it, and the other one sleeps for good reason: how long that was, the system says, and one sleep is excused
// for each of the shortest looks that fit into it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/cpus.hpp"
#include "p2p/ranks.hpp"
#include "wait/policy.hpp"
#include "wait/sleep_cost.hpp"

namespace loadstone::testing {
namespace {

struct lateness {
  std::uint32_t least_us, most_us;
};

// ns that this thread could have run and had no core, so far.
std::uint64_t without_a_core() {
  unsigned long long ran = 0, waited = 0;
  FILE* file = std::fopen("/proc/thread-self/schedstat", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%llu %llu", &ran, &waited) != 2) waited = 0;
  std::fclose(file);
  return waited;
}

class exchanging {
 public:
  exchanging(rank& r, std::size_t bytes)
      : r_(r), world_(world_of(2, r.self)), out_(bytes), in_(bytes), peer_(1 - static_cast<int>(r.self)) {}

  // Both ways at once, the buffer written anew; what arrives is looked at.
  void exchange(int i) {
    std::memset(out_.data(), 2 * i + static_cast<int>(r_.self), out_.size());
    p2p::request* in = start_receive(r_, world_, bytes_of(in_.data(), in_.size()), peer_, 1);
    p2p::request* out = start_send(r_, world_, bytes_of(out_.data(), out_.size()), peer_, 1);
    finish(r_, in);
    finish(r_, out);
    const auto wanted = static_cast<std::byte>(2 * i + peer_);
    ASSERT_TRUE(in_.front() == wanted && in_[in_.size() / 2] == wanted && in_.back() == wanted);
  }
  // From rank 0 to rank 1, while the other one waits: the one that comes second copies all of it.
  void transfer(int i, bool receiver_first) {
    const bool sends = r_.self == 0;
    // No more than is looked at: the other one would wait for the rest of it to be written.
    if (sends) out_.front() = out_.back() = static_cast<std::byte>(i);
    const auto start = [&] {
      return sends ? start_send(r_, world_, bytes_of(out_.data(), out_.size()), peer_, 1)
                   : start_receive(r_, world_, bytes_of(in_.data(), in_.size()), peer_, 1);
    };
    p2p::request* q = sends == receiver_first ? nullptr : start();
    (void)sum(0);
    finish(r_, q != nullptr ? q : start());
    ASSERT_TRUE(sends ||
                (in_.front() == static_cast<std::byte>(i) && in_.back() == static_cast<std::byte>(i)));
  }
  // What `mine` is on both ranks together.
  std::uint64_t sum(std::uint64_t mine) {
    std::uint64_t its = 0;
    p2p::request* in = start_receive(r_, world_, bytes_of(&its, sizeof its), peer_, 2);
    p2p::request* out = start_send(r_, world_, bytes_of(&mine, sizeof mine), peer_, 2);
    finish(r_, in);
    finish(r_, out);
    return mine + its;
  }
  std::uint64_t sleeps() {
    return with_gate(r_, [&](p2p::engine&) { return r_.endpoint->counts().sleeps; });
  }
  // Sleeps of both that nothing excuses while step(i) is made so often, the least of some attempts. Before each, one of
  // them falls asleep.
  template <class Step>
  std::int64_t sleeps_too_soon(int count, std::int64_t good_enough, Step&& step) {
    std::int64_t least = INT64_MAX;
    for (int attempt = 0; attempt < 4 && least > good_enough; ++attempt) {
      if (r_.self == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      (void)sum(0);
      const std::uint64_t slept = sleeps(), waited = without_a_core();
      for (int i = 0; i < count; ++i) step(i);
      const auto all = static_cast<std::int64_t>(sum(sleeps() - slept));
      const std::uint64_t missed = sum(without_a_core() - waited);
      least = std::min(least, all - static_cast<std::int64_t>(missed / wait::policy::least_poll_ns));
    }
    return least;
  }

 private:
  rank& r_;
  p2p::scope world_;
  std::vector<std::byte> out_, in_;
  const int peer_;
};

class asleep : public ::testing::TestWithParam<lateness> {
 protected:
  void SetUp() override {
    if (base::usable_cpus() < 2) GTEST_SKIP() << "a core for each is needed";
    config_.rank.endpoint.late_at_least_ns = 1000 * GetParam().least_us;
    config_.rank.endpoint.late_at_most_ns = 1000 * GetParam().most_us;
  }
  ranks_config config_;
};

// Where 20 µs are looked, both sleep at nearly every message once one has.
void short_messages(rank& r) {
  exchanging two(r, 1024);
  EXPECT_LT(two.sleeps_too_soon(1000, 20, [&](int i) { two.exchange(i); }), 100);
}
void long_messages(rank& r) {
  exchanging two(r, 1 << 20);
  EXPECT_LT(two.sleeps_too_soon(1000, 20, [&](int i) { two.exchange(i); }), 100);
}

TEST_P(asleep, processes_exchange_short_messages) {
  run_processes(2, short_messages, config_);
}

std::string named(const ::testing::TestParamInfo<lateness>& info) {
  return std::to_string(info.param.least_us) + "_to_" + std::to_string(info.param.most_us) + "_us";
}
INSTANTIATE_TEST_SUITE_P(late, asleep,
                         ::testing::Values(lateness{5, 5}, lateness{50, 50}, lateness{180, 180},
                                           lateness{500, 500}, lateness{5, 500}),
                         named);

class asleep_otherwise : public asleep {};

TEST_P(asleep_otherwise, threads_exchange_short_messages) {
  run_ranks(2, short_messages, config_);
}
TEST_P(asleep_otherwise, processes_that_may_have_threads_exchange_short_messages) {
  config_.rank.threads = true;
  run_processes(2, short_messages, config_);
}
TEST_P(asleep_otherwise, processes_exchange_long_messages) {
  run_processes(2, long_messages, config_);
}
INSTANTIATE_TEST_SUITE_P(late, asleep_otherwise, ::testing::Values(lateness{180, 180}, lateness{5, 500}),
                         named);

// A copy takes longer than anybody looks for a message, but it has been claimed, or announced.
TEST(asleep_test, nobody_sleeps_beside_a_copy) {
  if (base::usable_cpus() < 2) GTEST_SKIP() << "a core for each is needed";
  ranks_config config;
  config.rank.p2p.both_sides = 0;
  config.rank.p2p.pipeline_limit = 0;
  for (const bool receiver_first : {false, true})
    run_processes(
        2,
        [&](rank& r) {
          exchanging two(r, 8 << 20);
          // What a sleep costs is known to be little.
          r.job->process(r.self).sleep_cost = 5000;
          EXPECT_LT(two.sleeps_too_soon(50, 10, [&](int i) { two.transfer(i, receiver_first); }), 25)
              << (receiver_first ? "advertised" : "offered");
        },
        config);
}

// What was measured stands where others can read it.
TEST(asleep_test, a_sleep_is_measured) {
  ranks_config config;
  config.rank.endpoint.late_at_least_ns = config.rank.endpoint.late_at_most_ns = 400'000;
  run_processes(
      2,
      [](rank& r) {
        exchanging two(r, 64);
        const auto known = [&](std::uint32_t p) {
          return wait::sleep_cost::known(r.job->process(p).sleep_cost);
        };
        for (int i = 0; i < 100; ++i) {
          if (r.self == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
          two.exchange(i);
          if (two.sum(r.self == 0 && known(0) != 0 ? 1 : 0) != 0) break;
        }
        EXPECT_GE(known(0), 400'000u) << "more than is thought at first";
      },
      config);
}

}  // namespace
}  // namespace loadstone::testing
