// What the resource cache (memory/mappings.hpp) is worth: short stores into the memory of several processes by
// turns, with every mapping kept (LRU), with room for all but one (each access evicts the one that is needed
// next but longest from now), and with none kept; ns of an access. All processes live in this one; medians of alternating rounds.
//
// Usage: mapping_cache [peers (8)] [rounds (9)] [accesses (2000)]
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "memory/arena.hpp"
#include "memory/mappings.hpp"

using namespace loadstone;

namespace {

constexpr std::size_t bytes = 4096;

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

struct way {
  const char* name;
  memory::mappings_config config;
  std::vector<double> times = {};
};

// Accesses to each target in turn; false: one could not be mapped.
bool walk(memory::mappings& cache, const std::vector<memory::address>& targets, int accesses, way& w) {
  const std::array<std::byte, bytes> data{};
  const double start = now();
  for (int i = 0; i < accesses; ++i) {
    const memory::address& to = targets[static_cast<std::size_t>(i) % targets.size()];
    auto pin = cache.acquire(to.region);
    if (!pin) return false;
    std::memcpy(pin->at(to.offset), data.data(), bytes);
  }
  w.times.push_back((now() - start) / accesses);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto peers = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 8);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  const int accesses = argc > 3 ? std::atoi(argv[3]) : 2000;
  if (peers < 2 || rounds < 1 || accesses < 1) {
    std::fprintf(stderr, "usage: %s [peers (8)] [rounds (9)] [accesses (2000)]\n", argv[0]);
    return 2;
  }
  auto made = memory::job::create({.world_size = peers + 1});
  if (!made) return 1;
  std::vector<std::unique_ptr<memory::job>> views;
  views.push_back(std::move(*made));
  std::vector<std::unique_ptr<memory::arena>> arenas;
  std::vector<memory::address> targets;
  for (std::uint32_t p = 0; p <= peers; ++p) {
    if (p > 0) {
      auto view = views[0]->second_view();
      if (!view) return 1;
      views.push_back(std::move(*view));
    }
    if (!views[p]->claim(p).ok()) return 1;
    auto arena = memory::arena::open(*views[p], p);
    if (!arena) return 1;
    arenas.push_back(std::move(*arena));
    auto block = arenas[p]->allocate(bytes);
    if (!block) return 1;
    if (p > 0) targets.push_back(arenas[p]->address_of(*block));
  }

  way ways[] = {{"LRU, room for all", {}},
                {"LRU, room for all but one", {.max_entries = peers - 1}},
                {"none kept", {.policy = memory::cache_policy::none}}};
  std::vector<std::unique_ptr<memory::mappings>> caches;
  for (way& w : ways) caches.push_back(std::make_unique<memory::mappings>(*views[0], 0, w.config));
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < std::size(ways); ++i)
      if (!walk(*caches[i], targets, accesses, ways[i])) return 1;
  }
  std::printf("%u peers, %zu bytes an access\n%-28s %12s %24s\n", peers, bytes, "", "ns, median",
              "(least … most)");
  for (way& w : ways) {
    std::sort(w.times.begin(), w.times.end());
    std::printf("%-28s %12.0f %12.0f … %9.0f\n", w.name, w.times[w.times.size() / 2], w.times.front(),
                w.times.back());
  }
  return 0;
}
