#include "memory/arena.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "memory/arena_layout.hpp"
#include "memory/headroom.hpp"
#include "memory/huge_pages.hpp"
#include "memory/mappings.hpp"

using namespace loadstone;
using base::code;

namespace {

struct two {
  explicit two(memory::job_config config = {.world_size = 2}) {
    auto made = memory::job::create(config);
    EXPECT_TRUE(made.ok()) << made.error().what;
    job = std::move(*made);
    EXPECT_TRUE(job->claim(0).ok());
    arena = std::move(*memory::arena::open(*job, 0));
    peer = std::move(*job->second_view());
    EXPECT_TRUE(peer->claim(1).ok());
  }
  std::unique_ptr<memory::job> job, peer;
  std::unique_ptr<memory::arena> arena;
};

TEST(arena, what_is_lent_is_found_mapped_and_not_reserved) {
  auto t = std::make_unique<two>();
  const std::size_t before = t->arena->reserved_bytes();
  auto region = t->arena->lend(300 << 20);
  ASSERT_TRUE(region.ok()) << region.error().what;
  EXPECT_GE(region->bytes, 300u << 20);
  EXPECT_EQ(t->arena->reserved_bytes(), before);
  struct stat file {};
  ASSERT_EQ(fstat(region->descriptor, &file), 0);
  const auto blocks = file.st_blocks;
  std::byte* inside = region->base + (100 << 20);
  *inside = std::byte{5};
  ASSERT_EQ(fstat(region->descriptor, &file), 0);
  EXPECT_LE((file.st_blocks - blocks) * 512, 4 << 20);
  memory::address where;
  ASSERT_TRUE(t->arena->find(inside, 1000, &where));
  memory::mappings peers(*t->peer, 1, {});
  auto mapped = peers.acquire(where.region);
  ASSERT_TRUE(mapped.ok()) << mapped.error().what;
  EXPECT_EQ(*mapped->at(where.offset), std::byte{5});
  t->arena->release(region->base);  // no allocation: nothing happens
  EXPECT_TRUE(t->arena->find(inside, 1000, &where));
  t->arena.reset();
  EXPECT_EQ(*inside, std::byte{5});  // outlives the arena
}

TEST(arena, charges_count_against_the_limit) {
  two t({.world_size = 2, .arena_limit = 8 << 20});
  ASSERT_TRUE(t.arena->lend(64 << 20).ok());  // costs nothing yet
  ASSERT_TRUE(t.arena->charge(4 << 20).ok());
  EXPECT_EQ(t.arena->charge(4 << 20).kind, code::no_memory);
  EXPECT_EQ(t.arena->allocate(4 << 20).error().kind, code::no_memory);
  t.arena->discharge(2 << 20);
  EXPECT_TRUE(t.arena->allocate(4 << 20).ok());
}

TEST(arena, half_of_it_is_spare) {
  two t({.world_size = 2, .arena_limit = 2 << 20});
  EXPECT_TRUE(t.arena->has_spare(700'000));
  EXPECT_FALSE(t.arena->has_spare(1 << 20)) << "something is in use already";
  void* const some = *t.arena->allocate(700'000);
  EXPECT_FALSE(t.arena->has_spare(700'000));
  EXPECT_TRUE(t.arena->has_spare(100'000));
  t.arena->release(some);
  EXPECT_TRUE(t.arena->has_spare(700'000)) << "given back, if not to the system";
  ASSERT_TRUE(t.arena->allocate(900'000).ok()) << "all of it is for what cannot do without";
  EXPECT_FALSE(t.arena->has_spare(100'000));
}

// Bytes of [at, at + bytes) that are memory.
std::size_t given(const void* at, std::size_t bytes) {
  std::vector<unsigned char> pages(bytes / memory::single_page);
  EXPECT_EQ(mincore(const_cast<void*>(at), bytes, pages.data()), 0);
  std::size_t there = 0;
  for (const unsigned char page : pages) there += page & 1;
  return there * memory::single_page;
}

TEST(arena, memory_comes_to_a_region_as_it_is_needed) {
  constexpr std::size_t bytes = 200'000, most_more = 256 << 10;
  two t;
  const std::size_t at_first = t.arena->reserved_bytes();
  EXPECT_LE(at_first, 512u << 10);
  memory::mappings peers(*t.peer, 1, {});
  std::set<std::uint16_t> regions;
  std::size_t taken = 0;
  for (int i = 0; i < 200; ++i) {
    auto block = t.arena->allocate(bytes);
    ASSERT_TRUE(block.ok()) << block.error().what;
    taken += bytes;
    ASSERT_LE(t.arena->reserved_bytes(), at_first + taken + taken / 3 + most_more) << i;
    struct stat file {};
    ASSERT_EQ(fstat(t.job->descriptor(), &file), 0);
    ASSERT_GE(static_cast<std::size_t>(file.st_blocks) * 512, t.arena->reserved_bytes()) << "it is there";
    const memory::address where = t.arena->address_of(*block);
    if (regions.insert(where.region.number).second) {
      auto mapped = peers.acquire(where.region);  // as a peer does that meets it when it is almost empty
      ASSERT_TRUE(mapped.ok()) << mapped.error().what;
    }
    static_cast<std::byte*>(*block)[bytes - 1] = static_cast<std::byte>(i);
    auto known = peers.acquire(where.region);
    ASSERT_EQ(*known->at(where.offset + bytes - 1), static_cast<std::byte>(i));
  }
  EXPECT_LE(regions.size(), 13u) << "one region after another is filled";
  EXPECT_GE(regions.size(), 10u);
}

TEST(arena, close_to_the_limit_it_takes_only_what_is_needed) {
  two t({.world_size = 2, .arena_limit = 512 << 10});
  const std::size_t left = (512u << 10) - t.arena->reserved_bytes();
  ASSERT_LT(left, 256u << 10);
  std::vector<void*> blocks;
  std::size_t most = 0;
  for (auto block = t.arena->allocate(60'000); block.ok(); block = t.arena->allocate(60'000))
    blocks.push_back(*block), most = std::max(most, t.arena->reserved_bytes());
  EXPECT_GT(most, (512u << 10) - 2 * memory::granule);
  EXPECT_LE(most, 512u << 10);
}

TEST(arena, what_is_free_at_the_end_counts_when_more_is_needed) {
  two t({.world_size = 2, .arena_limit = 832 << 10});
  for (const std::size_t bytes : {200'000, 66'000, 250'000}) {
    auto block = t.arena->allocate(bytes);
    ASSERT_TRUE(block.ok()) << bytes << " bytes: " << block.error().what;
    std::memset(*block, 1, bytes);
  }
}

TEST(arena, the_largest_blocks_become_memory_where_they_are_touched) {
  constexpr std::size_t much = 256 << 20;
  two t;
  std::atomic<std::uint64_t>& promised = t.job->header().promised;
  const std::size_t before = t.arena->reserved_bytes();
  auto block = t.arena->allocate(much);
  ASSERT_TRUE(block.ok()) << block.error().what;
  if (memory::headroom::of_this_process().left() < 3 * much) GTEST_SKIP() << "too little memory is left here";
  EXPECT_EQ(promised.load(), much);
  EXPECT_EQ(t.arena->reserved_bytes(), before + much) << "counted against the limits all the same";
  EXPECT_EQ(given(*block, much), 0u);
  auto* mine = static_cast<std::byte*>(*block);
  mine[much / 2] = std::byte{7};
  memory::mappings peers(*t.peer, 1, {});
  const memory::address where = t.arena->address_of(*block);
  auto mapped = peers.acquire(where.region);
  ASSERT_TRUE(mapped.ok()) << mapped.error().what;
  EXPECT_EQ(*mapped->at(where.offset + much / 2), std::byte{7});
  *mapped->at(where.offset + much - 1) = std::byte{8};
  EXPECT_EQ(mine[much - 1], std::byte{8});
  EXPECT_LE(given(*block, much), 4u << 20);
  auto smaller = t.arena->allocate(8 << 20);
  ASSERT_TRUE(smaller.ok());
  EXPECT_EQ(given(*smaller, 8 << 20), 8u << 20) << "smaller ones are there from the start";
  t.arena->release(*block);
  EXPECT_EQ(promised.load(), 0u);
  ASSERT_TRUE(t.arena->allocate(much).ok());
  EXPECT_EQ(promised.load(), much);
  t.arena.reset();
  EXPECT_EQ(promised.load(), 0u);
}

TEST(arena, the_largest_blocks_are_reserved_where_too_much_is_promised) {
  constexpr std::size_t much = 256 << 20;
  two t;
  std::atomic<std::uint64_t>& promised = t.job->header().promised;
  promised.store(std::uint64_t{1} << 50);  // by others of the job
  const std::size_t before = t.arena->reserved_bytes();
  auto block = t.arena->allocate(much);
  if (!block) GTEST_SKIP() << block.error().what;
  EXPECT_EQ(given(*block, much), much);
  EXPECT_EQ(promised.load(), std::uint64_t{1} << 50);
  t.arena->release(*block);
  EXPECT_EQ(promised.load(), std::uint64_t{1} << 50);
  EXPECT_EQ(t.arena->reserved_bytes(), before);
}

TEST(arena, what_is_promised_counts_against_the_limit) {
  two t({.world_size = 2, .arena_limit = 300 << 20});
  auto block = t.arena->allocate(256 << 20);
  if (!block) GTEST_SKIP() << block.error().what;
  const std::uint64_t promised = t.job->header().promised.load();
  EXPECT_EQ(t.arena->allocate(256 << 20).error().kind, code::no_memory);
  EXPECT_EQ(t.job->header().promised.load(), promised);
}

TEST(arena, finds_only_its_own_memory) {
  two t;
  int local = 0;
  std::vector<char> heap(1 << 20);
  memory::address where;
  EXPECT_FALSE(t.arena->find(&local, sizeof local, &where));
  EXPECT_FALSE(t.arena->find(heap.data(), heap.size(), &where));
  for (std::size_t bytes : {1ul, 64ul, 5000ul, 300'000ul, 5'000'000ul}) {
    auto block = t.arena->allocate(bytes);
    ASSERT_TRUE(block.ok()) << block.error().what;
    ASSERT_TRUE(t.arena->find(*block, bytes, &where)) << bytes;
    EXPECT_EQ(t.arena->pointer(where), *block);
    EXPECT_FALSE(t.arena->find(*block, 1ull << 40, &where));
    std::memset(*block, 7, bytes);
  }
}

TEST(arena, random_allocations_keep_their_bytes) {
  std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  two t;
  struct kept {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<kept> all;
  auto intact = [](const kept& k) {
    for (std::size_t i = 0; i < k.bytes; ++i)
      if (k.at[i] != k.mark) return false;
    return true;
  };
  for (int step = 0; step < 3000; ++step) {
    if (all.size() < 40 || random() % 2) {
      std::size_t bytes = random() % 4 ? random() % 4000 + 1 : random() % 400'000 + 1;
      std::size_t alignment = std::size_t{64} << random() % 7;
      auto block = t.arena->allocate(bytes, alignment);
      ASSERT_TRUE(block.ok());
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(*block) % alignment, 0u);
      all.push_back({static_cast<unsigned char*>(*block), bytes, static_cast<unsigned char>(random())});
      std::memset(*block, all.back().mark, bytes);
    } else {
      std::size_t at = random() % all.size();
      ASSERT_TRUE(intact(all[at]));
      t.arena->release(all[at].at);
      all[at] = all.back();
      all.pop_back();
    }
  }
  for (const kept& k : all) ASSERT_TRUE(intact(k));
}

TEST(arena, running_out_is_an_error_that_says_so) {
  two t({.world_size = 2, .arena_limit = 1 << 20});
  auto much = t.arena->allocate(2 << 20);
  ASSERT_FALSE(much.ok());
  EXPECT_EQ(much.error().kind, code::no_memory);
  EXPECT_NE(std::string(much.error().what).find("LOADSTONE_ARENA_LIMIT"), std::string::npos);
  std::vector<void*> blocks;
  for (;;) {
    auto block = t.arena->allocate(10'000);
    if (!block) {
      EXPECT_EQ(block.error().kind, code::no_memory);
      break;
    }
    std::memset(*block, 1, 10'000);  // reserved means that touching it is safe
    blocks.push_back(*block);
    ASSERT_LT(blocks.size(), 1000u);
  }
  EXPECT_LE(t.arena->reserved_bytes(), 1u << 20);
  EXPECT_GT(blocks.size(), 70u);
  for (void* block : blocks) t.arena->release(block);
  EXPECT_TRUE(t.arena->allocate(10'000).ok());
}

TEST(arena, large_blocks_go_back_to_the_system_and_their_address_dies) {
  two t;
  memory::mappings cache(*t.peer, 1, {});
  std::size_t before = t.arena->reserved_bytes();
  auto block = t.arena->allocate(4 << 20);
  ASSERT_TRUE(block.ok());
  std::strcpy(static_cast<char*>(*block), "once");
  memory::address where = t.arena->address_of(*block);
  {
    auto pin = cache.acquire(where.region);
    ASSERT_TRUE(pin.ok()) << pin.error().what;
    EXPECT_STREQ(reinterpret_cast<char*>(pin->at(where.offset)), "once");
  }
  t.arena->release(*block);
  EXPECT_EQ(t.arena->reserved_bytes(), before);
  cache.give_back();
  EXPECT_EQ(cache.acquire(where.region).error().kind, code::gone);
  auto again = t.arena->allocate(4 << 20);
  memory::address next = t.arena->address_of(*again);
  EXPECT_EQ(next.region.number, where.region.number);
  EXPECT_EQ(next.region.generation, where.region.generation + 1);
  EXPECT_EQ(static_cast<char*>(*again)[0], 0) << "punched out, so fresh pages";
  EXPECT_TRUE(cache.acquire(next.region).ok());
}

// Bytes of huge pages in the mapping that has `at` in it.
std::size_t huge_bytes(const void* at) {
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0, kib = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2)
      here = from <= reinterpret_cast<std::uintptr_t>(at) && reinterpret_cast<std::uintptr_t>(at) < to;
    if (here && std::sscanf(line.c_str(), "ShmemPmdMapped: %lu", &kib) == 1) return kib << 10;
  }
  return 0;
}

bool the_system_has_huge_pages() {
  const std::size_t bytes = 3 * memory::huge_page;
  const int file = memfd_create("huge", 0);
  void* room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0 || room == MAP_FAILED) return false;
  auto* at = static_cast<std::byte*>(room);
  while (reinterpret_cast<std::uintptr_t>(at) % memory::huge_page != 0) at += memory::single_page;
  mmap(at, memory::huge_page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  memory::take_huge_pages(file, 0, at, memory::huge_page);
  *at = std::byte{1};
  const bool has = huge_bytes(at) != 0;
  munmap(room, bytes);
  close(file);
  return has;
}

TEST(arena, large_blocks_are_of_huge_pages_where_the_system_has_them) {
  two t;
  ASSERT_TRUE(t.arena->allocate(5 << 20).ok());  // what is next would not begin with a huge page by itself
  const std::size_t before = t.arena->reserved_bytes(), bytes = (8 << 20) + 100'000;
  auto block = t.arena->allocate(bytes);
  ASSERT_TRUE(block.ok()) << block.error().what;
  const memory::address where = t.arena->address_of(*block);
  memory::mappings peers(*t.peer, 1, {});
  auto mapped = peers.acquire(where.region);
  ASSERT_TRUE(mapped.ok()) << mapped.error().what;
  auto* mine = static_cast<std::byte*>(*block);
  for (std::size_t i = 0; i < bytes; i += 1000) {
    ASSERT_EQ(mine[i], std::byte{0}) << i;
    mine[i] = std::byte{7};
    ASSERT_EQ(*mapped->at(where.offset + i), std::byte{7}) << i;
  }
  EXPECT_LT(t.arena->reserved_bytes() - before, bytes + memory::granule);
  if (!the_system_has_huge_pages()) GTEST_SKIP() << "no huge pages here";
  EXPECT_EQ(huge_bytes(mine), 8u << 20);
  EXPECT_EQ(huge_bytes(mapped->at(where.offset)), 8u << 20) << "as the peer has it mapped";
}

TEST(arena, memory_that_cannot_be_huge_pages_stays_as_it_is) {
  const std::size_t bytes = 2 * memory::huge_page;
  const int file = memfd_create("single", 0);
  ASSERT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
  std::vector<std::byte> elsewhere(bytes);
  memory::take_huge_pages(file, 0, elsewhere.data() + 1, bytes);    // lies otherwise than in the file
  memory::take_huge_pages(file, 4096, nullptr, memory::huge_page);  // no whole one
  memory::take_huge_pages(-1, 0, elsewhere.data(), bytes);          // no file
  struct stat is {};
  ASSERT_EQ(fstat(file, &is), 0);
  EXPECT_EQ(is.st_blocks, 0);
  close(file);
}

TEST(arena, the_front_is_where_everybody_expects_it) {
  two t;
  memory::address front = memory::front_of(0);
  auto* mine = static_cast<char*>(t.arena->pointer(front));
  std::strcpy(mine, "inbox");
  memory::mappings cache(*t.peer, 1, {});
  auto pin = cache.acquire(front.region);
  ASSERT_TRUE(pin.ok());
  EXPECT_STREQ(reinterpret_cast<char*>(pin->at(front.offset)), "inbox");
  auto block = t.arena->allocate(64);
  EXPECT_GE(static_cast<char*>(*block), mine + memory::front_bytes) << "allocations stay out of the front";
  EXPECT_EQ(cache.acquire(memory::front_of(1).region).error().kind, code::gone) << "not opened yet";
}

}  // namespace
