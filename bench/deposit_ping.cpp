// An active-message ping between two processes through deposit/ alone, beside the bare hand-over of a cache
// line (a flag in a line of its own each way), alternating in one run: medians over the rounds, and their
// ratio. Run it on a quiet machine.
//
// Usage: deposit_ping [rounds (9)] [iterations (20000)] [payload bytes (8)]
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "deposit/endpoint.hpp"

using namespace loadstone;

namespace {

struct shared {
  alignas(128) std::atomic<std::uint64_t> there{0};
  alignas(128) std::atomic<std::uint64_t> back{0};
  alignas(128) std::atomic<std::uint32_t> ready{0};
};

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

void bind_to(int which) {
  cpu_set_t allowed, one;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && which-- == 0) {
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
  }
}

// One way, ns.
double flag_ping(shared& s, int self, int iterations, std::uint64_t& value) {
  double start = now();
  for (int i = 0; i < iterations; ++i) {
    ++value;
    if (self == 0) {
      s.there.store(value, std::memory_order_release);
      while (s.back.load(std::memory_order_acquire) != value) __builtin_ia32_pause();
    } else {
      while (s.there.load(std::memory_order_acquire) != value) __builtin_ia32_pause();
      s.back.store(value, std::memory_order_release);
    }
  }
  return (now() - start) / (2.0 * iterations);
}

struct receiver {
  std::uint64_t arrived = 0, awaited = 0;
  std::byte last[128];
};

double message_ping(deposit::endpoint& e, receiver& r, int self, int iterations, std::size_t bytes) {
  std::byte data[128] = {};
  wait::reason why;
  const auto done = [&] { return r.arrived >= r.awaited; };
  double start = now();
  for (int i = 0; i < iterations; ++i) {
    if (self == 0) (void)e.send_active(1, 40, deposit::traffic::user, &i, sizeof i, data, bytes);
    ++r.awaited;
    (void)e.wait_until(done, why);
    if (self == 1) (void)e.send_active(0, 40, deposit::traffic::user, &i, sizeof i, data, bytes);
  }
  return (now() - start) / (2.0 * iterations);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int run(std::unique_ptr<memory::job> job, shared& s, int self, int rounds, int iterations,
        std::size_t bytes) {
  bind_to(self);
  auto n = static_cast<std::uint32_t>(self);
  if (!job->claim(n).ok()) return 1;
  auto arena = memory::arena::open(*job, n);
  if (!arena) return 1;
  memory::mappings mappings(*job, n, {});
  auto e = deposit::endpoint::open(*job, n, **arena, mappings, {});
  if (!e) return 1;
  receiver r;
  (*e)->set_handler(
      40,
      [](void* context, deposit::incoming& m, bool) {
        auto& r = *static_cast<receiver*>(context);
        if (m.payload_bytes() <= sizeof r.last) std::memcpy(r.last, m.payload(), m.payload_bytes());
        ++r.arrived;
        return deposit::verdict::consumed;
      },
      &r);
  s.ready.fetch_add(1);
  while (s.ready.load() != 2) sched_yield();
  std::uint64_t value = 0;
  std::vector<double> flags, messages;
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    double flag = flag_ping(s, self, iterations, value);
    double message = message_ping(**e, r, self, iterations, bytes);
    if (round < 0) continue;
    flags.push_back(flag);
    messages.push_back(message);
  }
  if (self == 0) {
    std::printf("bare hand-over of a line  %7.1f ns  (%.1f … %.1f)\n", median(flags),
                *std::min_element(flags.begin(), flags.end()), *std::max_element(flags.begin(), flags.end()));
    std::printf("active message, %3zu bytes %7.1f ns  (%.1f … %.1f)\n", bytes, median(messages),
                *std::min_element(messages.begin(), messages.end()),
                *std::max_element(messages.begin(), messages.end()));
    std::printf("ratio                     %7.2f     (wanted: at most 1.50)\n",
                median(messages) / median(flags));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  int iterations = argc > 2 ? std::atoi(argv[2]) : 20000;
  auto bytes = static_cast<std::size_t>(argc > 3 ? std::atoi(argv[3]) : 8);
  void* area = mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& s = *new (area) shared;
  memory::job_config config;
  config.world_size = 2;
  auto job = memory::job::create(config);
  if (!job) return 1;
  pid_t child = fork();
  if (child == 0) {
    auto view = memory::job::attach(dup((*job)->descriptor()));
    _exit(view ? run(std::move(*view), s, 1, rounds, iterations, bytes) : 1);
  }
  int failed = run(std::move(*job), s, 0, rounds, iterations, bytes);
  int status = 0;
  waitpid(child, &status, 0);
  return failed != 0 || status != 0;
}
