// Synchronisation of windows through rma/ alone: what an uncontended lock costs, what comes of one lock that
// all want, and empty fences and post/start/complete/wait epochs, for 2, 4 and 8 ranks. Medians over the
// rounds. Run it on a quiet machine.
//
// Usage: window_sync [rounds (5)]
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "rma/engine.hpp"
#include "rma/sync.hpp"

using namespace loadstone;

namespace {

constexpr int most_ranks = 8, most_rounds = 64;

struct shared {
  std::atomic<std::uint32_t> ready{0};
  memory::address records[most_ranks];
  struct {
    std::uint64_t acquired[most_rounds], longest_wait[most_rounds];
  } of[most_ranks];
};

const wait::reason why;

struct rank {
  shared& all;
  rma::window& w;
  int size;

  int self() const { return w.rank(); }
  void meet() { (void)rma::fence(w, why); }

  // ns of a pair of lock and unlock that nobody else wants.
  double lonely(int target) {
    constexpr int times = 200'000;
    const std::uint64_t start = base::now_ns();
    for (int i = 0; i < times; ++i) {
      (void)rma::lock(w, target, true, false, why);
      (void)rma::unlock(w, target);
    }
    return static_cast<double>(base::now_ns() - start) / times;
  }

  // All want one lock for half a second.
  void contend(int round) {
    std::uint64_t got = 0, longest = 0;
    meet();
    const std::uint64_t end = base::now_ns() + 500'000'000;
    for (std::uint64_t before = base::now_ns(); before < end; ++got) {
      (void)rma::lock(w, 0, true, false, why);
      const std::uint64_t now = base::now_ns();
      longest = std::max(longest, now - before);
      (void)rma::unlock(w, 0);
      before = base::now_ns();
    }
    all.of[self()].acquired[round] = got;
    all.of[self()].longest_wait[round] = longest;
    meet();
  }

  // ns of an empty epoch.
  template <class Epoch>
  double epochs(Epoch&& epoch) {
    constexpr int times = 4000;
    for (int i = 0; i < 200; ++i) epoch();
    meet();
    const std::uint64_t start = base::now_ns();
    for (int i = 0; i < times; ++i) epoch();
    return static_cast<double>(base::now_ns() - start) / times;
  }
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int run(std::unique_ptr<memory::job> job, shared& all, int self, int size, int rounds) {
  const auto n = static_cast<std::uint32_t>(self);
  if (!job->claim(n).ok()) return 1;
  auto arena = memory::arena::open(*job, n);
  if (!arena) return 1;
  memory::mappings mappings(*job, n, {});
  auto e = deposit::endpoint::open(*job, n, **arena, mappings, {});
  if (!e) return 1;
  rma::engine engine(**e, *job, **arena);
  auto made = rma::window::prepare(engine, {.kind = rma::flavor::allocated, .bytes = 4096},
                                   static_cast<std::uint32_t>(size));
  if (!made) return 1;
  all.records[self] = (*made)->record_address();
  all.ready.fetch_add(1);
  while (all.ready.load() != static_cast<std::uint32_t>(size)) sched_yield();
  std::vector<std::uint32_t> processes;
  for (int r = 0; r < size; ++r) processes.push_back(static_cast<std::uint32_t>(r));
  if (!(*made)->join(1, self, processes, {all.records, static_cast<std::size_t>(size)}).ok()) return 1;
  rank me{all, **made, size};

  std::vector<double> own, other, fences, rings, everybody;
  std::vector<std::int32_t> left{(self + size - 1) % size}, right{(self + 1) % size}, others;
  for (int r = 0; r < size; ++r)
    if (r != self) others.push_back(r);
  const auto exchange = [&](const std::vector<std::int32_t>& origins,
                            const std::vector<std::int32_t>& targets) {
    (void)rma::post(me.w, origins);
    (void)rma::start(me.w, targets, why);
    (void)rma::complete(me.w, targets);
    (void)rma::wait_exposure(me.w, why);
  };
  for (int round = 0; round < rounds; ++round) {
    me.meet();
    if (self == 0) {
      own.push_back(me.lonely(0));
      other.push_back(me.lonely(1));
    }
    me.meet();
    me.contend(round);
    fences.push_back(me.epochs([&] { me.meet(); }));
    me.meet();
    rings.push_back(me.epochs([&] { exchange(left, right); }));
    me.meet();
    everybody.push_back(me.epochs([&] { exchange(others, others); }));
  }
  me.meet();
  if (self == 0) {
    std::vector<double> rates, fewest, waits;
    for (int round = 0; round < rounds; ++round) {
      std::uint64_t sum = 0, least = UINT64_MAX, longest = 0;
      for (int r = 0; r < size; ++r) {
        sum += all.of[r].acquired[round];
        least = std::min(least, all.of[r].acquired[round]);
        longest = std::max(longest, all.of[r].longest_wait[round]);
      }
      rates.push_back(static_cast<double>(sum) * 2e-6);
      fewest.push_back(static_cast<double>(least) * 100.0 * size / static_cast<double>(sum));
      waits.push_back(static_cast<double>(longest) * 1e-6);
    }
    std::printf(
        "%d ranks: lock+unlock %.1f ns own, %.1f ns other; one lock: %.2f million/s, longest wait %.1f ms, "
        "the poorest has %.0f %% of its share\n"
        "         fence %.2f us; post/start/complete/wait %.2f us in a ring, %.2f us with all\n",
        size, median(own), median(other), median(rates), median(waits), median(fewest), median(fences) * 1e-3,
        median(rings) * 1e-3, median(everybody) * 1e-3);
  }
  me.meet();
  all.ready.fetch_add(1);
  while (all.ready.load() < 2 * static_cast<std::uint32_t>(size)) sched_yield();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = std::min(argc > 1 ? std::atoi(argv[1]) : 5, most_rounds);
  bool failed = false;
  for (int size : {2, 4, 8}) {
    void* area = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& all = *new (area) shared;
    memory::job_config config;
    config.world_size = static_cast<std::uint32_t>(size);
    auto job = memory::job::create(config);
    if (!job) return 1;
    for (int r = 0; r < size; ++r) {
      if (fork() != 0) continue;
      auto view = memory::job::attach(dup((*job)->descriptor()));
      const int status = view ? run(std::move(*view), all, r, size, rounds) : 1;
      std::fflush(nullptr);
      _exit(status);
    }
    int status = 0;
    while (::wait(&status) > 0) failed |= status != 0;
    munmap(area, sizeof(shared));
  }
  return failed ? 1 : 0;
}
