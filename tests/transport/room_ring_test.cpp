#include "transport/room_ring.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "memory/job.hpp"

namespace loadstone::transport {
namespace {

struct one {
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> arena;
  explicit one(std::uint64_t arena_limit = 0) {
    memory::job_config config;
    config.world_size = 1;
    config.arena_limit = arena_limit;
    job = std::move(*memory::job::create(config));
    arena = std::move(*memory::arena::open(*job, 0));
  }
};

const auto nothing_lent = [](auto&&) {};

const void* at_offset(std::size_t offset) {  // of a page; never read
  return reinterpret_cast<const void*>(std::uintptr_t{7} * room_ring::page + offset);
}

// What is lent is never handed out again, wherever it lies and however long it stays away.
TEST(room_ring, lent_pieces_are_left_alone) {
  one o;
  room_ring ring(*o.arena, 1u << 20);
  std::mt19937 random(7);
  std::vector<std::optional<room_ring::piece>> lent(12);
  int given = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    auto& mine = lent[random() % lent.size()];
    // One of them is hardly ever back.
    if (mine && (&mine != lent.data() || random() % 500 == 0)) mine.reset();
    if (mine) continue;
    const auto bytes = static_cast<std::uint32_t>(2049 + random() % 6144);
    const std::size_t offset = random() % room_ring::page;
    const room_ring::piece p = ring.take(at_offset(offset), bytes, [&](auto&& see) {
      for (const auto& other : lent)
        if (other) see(*other);
    });
    if (!p) {
      ++refused;
      continue;
    }
    ++given;
    ASSERT_EQ(p.end - p.begin, bytes);
    ASSERT_LE(p.end, 1u << 20);
    ASSERT_EQ(p.begin % room_ring::page, offset / 64 * 64);
    for (const auto& other : lent) ASSERT_TRUE(!other || p.end <= other->begin || other->end <= p.begin) << i;
    mine = p;
  }
  EXPECT_GT(given, 15000);
  EXPECT_LT(refused, given / 50);
}

// A ring that is used again and again is gone round as a whole; one that is used for some messages stays short.
TEST(room_ring, becomes_long_in_steady_use) {
  one o;
  room_ring ring(*o.arena, 1u << 20);
  std::uint32_t highest = 0;
  for (int i = 0; i < 32; ++i) highest = std::max(highest, ring.take(at_offset(0), 8192, nothing_lent).end);
  EXPECT_EQ(highest, room_ring::least_bytes);
  for (int i = 0; i < 300; ++i) highest = std::max(highest, ring.take(at_offset(0), 8192, nothing_lent).end);
  EXPECT_EQ(highest, 1u << 20);
}

TEST(room_ring, does_without_memory) {
  one o(256 << 10);
  room_ring none(*o.arena, 1u << 20), short_one(*o.arena, room_ring::least_bytes - 1);
  EXPECT_FALSE(none.take(at_offset(0), 4096, nothing_lent));
  EXPECT_FALSE(none.take(at_offset(0), 4096, nothing_lent));
  EXPECT_FALSE(short_one.take(at_offset(0), 4096, nothing_lent));
}

}  // namespace
}  // namespace loadstone::transport
