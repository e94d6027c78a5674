#include "memory/mappings.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "memory/arena.hpp"
#include "memory/arena_layout.hpp"

using namespace loadstone;
using base::code;

namespace {

// Every process of a job, each with its view and arena, in this process.
struct everybody {
  explicit everybody(std::uint32_t n) {
    auto made = memory::job::create({.world_size = n});
    EXPECT_TRUE(made.ok());
    views.push_back(std::move(*made));
    for (std::uint32_t i = 1; i < n; ++i) views.push_back(std::move(*views[0]->second_view()));
    for (std::uint32_t i = 0; i < n; ++i) {
      EXPECT_TRUE(views[i]->claim(i).ok());
      arenas.push_back(std::move(*memory::arena::open(*views[i], i)));
    }
  }
  std::vector<std::unique_ptr<memory::job>> views;
  std::vector<std::unique_ptr<memory::arena>> arenas;
};

std::size_t virtual_kib() {
  std::size_t pages = 0;
  FILE* f = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(f, "%zu", &pages) != 1) pages = 0;
  std::fclose(f);
  return pages * 4;
}

TEST(mappings, an_equal_region_is_mapped_once) {
  everybody all(2);
  memory::mappings cache(*all.views[1], 1, {});
  auto first = cache.acquire(memory::front_of(0).region);
  auto second = cache.acquire(memory::front_of(0).region);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->base(), second->base());
  EXPECT_EQ(cache.entries(), 1u);
}

TEST(mappings, the_least_recently_used_leaves_first_and_pinned_ones_stay) {
  everybody all(5);
  memory::mappings cache(*all.views[0], 0, {.max_entries = 2});
  auto region = [](std::uint32_t p) { return memory::front_of(p).region; };
  std::byte* one = (*cache.acquire(region(1))).base();
  { auto two = std::move(*cache.acquire(region(2))); }
  { auto again = std::move(*cache.acquire(region(1))); }  // 2 is now the oldest
  { auto three = std::move(*cache.acquire(region(3))); }
  EXPECT_EQ(cache.entries(), 2u);
  EXPECT_EQ((*cache.acquire(region(1))).base(), one) << "kept";
  {
    auto a = std::move(*cache.acquire(region(1)));
    auto b = std::move(*cache.acquire(region(2)));
    auto c = std::move(*cache.acquire(region(3)));
    EXPECT_EQ(cache.entries(), 3u) << "pins exceed the limit only while they last";
    std::memset(a.base() + (64 << 10), 1, 8);
    std::memset(c.base() + (64 << 10), 1, 8);
  }
  EXPECT_LE(cache.entries(), 2u);
}

TEST(mappings, the_policy_none_keeps_nothing) {
  everybody all(2);
  memory::mappings cache(*all.views[1], 1, {.policy = memory::cache_policy::none});
  {
    auto pin = std::move(*cache.acquire(memory::front_of(0).region));
    EXPECT_EQ(cache.entries(), 1u);
  }
  EXPECT_EQ(cache.entries(), 0u);
}

TEST(mappings, give_back_spares_what_is_pinned) {
  everybody all(3);
  memory::mappings cache(*all.views[0], 0, {});
  { auto pin = std::move(*cache.acquire(memory::front_of(1).region)); }
  auto pin = std::move(*cache.acquire(memory::front_of(2).region));
  EXPECT_EQ(cache.entries(), 2u);
  cache.give_back();
  EXPECT_EQ(cache.entries(), 1u);
  std::memset(pin.base() + (64 << 10), 0, 8);
}

TEST(mappings, an_older_generation_that_is_pinned_lives_on_beside_the_new_one) {
  everybody all(2);
  memory::mappings cache(*all.views[1], 1, {});
  void* block = *all.arenas[0]->allocate(2 << 20);
  auto old_region = all.arenas[0]->address_of(block).region;
  auto old_pin = std::move(*cache.acquire(old_region));
  all.arenas[0]->release(block);
  block = *all.arenas[0]->allocate(2 << 20);
  auto new_region = all.arenas[0]->address_of(block).region;
  ASSERT_EQ(new_region.number, old_region.number);
  auto new_pin = cache.acquire(new_region);
  ASSERT_TRUE(new_pin.ok());
  EXPECT_EQ(cache.entries(), 2u);
  old_pin = memory::pin();
  EXPECT_EQ(cache.entries(), 1u);
  EXPECT_EQ(cache.acquire(old_region).error().kind, code::gone);
}

TEST(mappings, nonsense_is_refused) {
  everybody all(2);
  memory::mappings cache(*all.views[0], 0, {});
  EXPECT_EQ(cache.acquire({7, 0, 0}).error().kind, code::invalid);
  EXPECT_EQ(cache.acquire({1, 9000, 0}).error().kind, code::invalid);
  EXPECT_EQ(cache.acquire({1, 5, 0}).error().kind, code::gone);
}

TEST(mappings, a_closed_descriptor_is_named_and_another_file_in_its_place) {
  everybody all(2);
  memory::mappings cache(*all.views[1], 1, {});
  const int at = all.views[1]->descriptor(), kept = fcntl(at, F_DUPFD_CLOEXEC, 3);
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  close(at);
  const auto why = [&] { return std::string(cache.acquire(memory::front_of(0).region).error().what); };
  EXPECT_NE(why().find("closed the job's descriptor"), std::string::npos) << why();
  dup3(zeros, at, O_CLOEXEC);
  EXPECT_NE(why().find("closed the job's descriptor"), std::string::npos) << why();
  dup3(kept, at, O_CLOEXEC);
  EXPECT_TRUE(cache.acquire(memory::front_of(0).region).ok());
  close(kept);
  close(zeros);
}

TEST(mappings, virtual_size_grows_with_active_peers_only) {
  everybody all(16);
  // The owners live in this process too: count only what the cache adds.
  memory::mappings cache(*all.views[0], 0, {});
  void* large = *all.arenas[5]->allocate(64 << 20);
  std::size_t before = virtual_kib();
  std::vector<memory::pin> pins;
  for (std::uint32_t peer : {3u, 5u, 9u})
    pins.push_back(std::move(*cache.acquire(memory::front_of(peer).region)));
  std::size_t three = virtual_kib() - before;
  EXPECT_LT(three, 3 * 256u + 512)
      << "three peers, one first region each; not the 64 MiB of peer 5, not the others";
  pins.push_back(std::move(*cache.acquire(all.arenas[5]->address_of(large).region)));
  if (!memory::shared_views) {
    EXPECT_GT(virtual_kib() - before, 60u << 10);
  }
}

TEST(mappings, all_pairs_of_16_ranks_communicate_with_a_cache_of_one_entry) {
  constexpr std::uint32_t n = 16;
  everybody all(n);
  std::barrier meet(n);
  std::atomic<int> wrong{0};
  std::vector<std::thread> ranks;
  for (std::uint32_t self = 0; self < n; ++self)
    ranks.emplace_back([&, self] {
      memory::mappings cache(*all.views[self], self, {.max_entries = 1});
      auto cell = [](std::byte* front, std::uint32_t from) {
        return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(front + from * 128));
      };
      auto offset = memory::front_of(0).offset;
      for (std::uint64_t round = 1; round <= 3; ++round) {
        for (std::uint32_t peer = 0; peer < n; ++peer) {
          auto pin = cache.acquire(memory::front_of(peer).region);
          if (!pin.ok() || cache.entries() > 1) {
            ++wrong;
            continue;
          }
          cell(pin->at(offset), self)
              .store(round * 1000 + self, std::memory_order_relaxed);  // relaxed: the barrier orders
        }
        meet.arrive_and_wait();
        auto* mine = static_cast<std::byte*>(all.arenas[self]->pointer(memory::front_of(self)));
        for (std::uint32_t from = 0; from < n; ++from)
          if (cell(mine, from).load(std::memory_order_relaxed) != round * 1000 + from) ++wrong;
        meet.arrive_and_wait();
      }
    });
  for (auto& t : ranks) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
