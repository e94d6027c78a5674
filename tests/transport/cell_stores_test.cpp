#include "transport/cell_stores.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace loadstone::transport {
namespace {

TEST(cell_stores, past_the_caches_every_byte_arrives_and_no_other) {
  constexpr std::size_t most = 5000;
  std::vector<std::byte> source(most + 64);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 7 + (i >> 8));
  std::unique_ptr<std::byte, decltype(&std::free)> memory(
      static_cast<std::byte*>(std::aligned_alloc(64, 8192)), std::free);
  for (std::size_t bytes = 0; bytes < most; bytes += bytes < 200 ? 1 : 61) {
    for (const std::size_t shift : {0, 1, 15, 63}) {
      std::fill_n(memory.get(), 8192, std::byte{0xee});
      std::byte* const to = memory.get() + 64 + shift / 5;
      copy_past_caches(to, source.data() + shift, bytes);
      for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(to[i], source[shift + i]) << bytes << ' ' << i;
      for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(to[bytes + i], std::byte{0xee}) << bytes;
      for (std::byte* at = memory.get(); at < to; ++at) ASSERT_EQ(*at, std::byte{0xee}) << bytes;
    }
  }
}

struct machine {
  std::uint64_t through, past;  // ns for 64 lines
};
constexpr std::size_t payload = 4096;

// So many payloads; how many went past the caches.
int sent(cell_stores& stores, int payloads, machine m) {
  int past = 0;
  for (int i = 0; i < payloads; ++i) {
    const cell_stores::plan plan = stores.next();
    past += plan.way == store_way::past ? 1 : 0;
    if (plan.timed) stores.took(plan.way, payload, plan.way == store_way::past ? m.past : m.through);
  }
  return past;
}

TEST(cell_stores, go_through_the_caches_unless_that_is_several_times_dearer) {
  const machine near{160, 200}, far{1600, 200};
  cell_stores stores;
  EXPECT_LE(sent(stores, 1280, near), 10) << "now and then, to see";
  sent(stores, 64, far);
  EXPECT_EQ(stores.better(), store_way::past);
  EXPECT_GE(sent(stores, 1280, far), 1270);
  sent(stores, 2 * cell_stores::other_every, near);
  EXPECT_EQ(stores.better(), store_way::through) << "the host has moved us back";
  EXPECT_LE(sent(stores, 1280, near), 10);
}

TEST(cell_stores, dear_looks_are_rare_but_the_way_back_is_not) {
  cell_stores stores;
  sent(stores, 1280, {160, 160 * 11});
  EXPECT_LE(sent(stores, 12'800, {160, 160 * 11}), 13) << "each takes as long as ten more";
  EXPECT_GE(sent(stores, 12'800, {160, 160 * 11}), 11);
  sent(stores, 64, {160 * 100, 160 * 11});
  EXPECT_EQ(stores.better(), store_way::past);
  sent(stores, 2 * cell_stores::other_every, {160, 160 * 11});
  EXPECT_EQ(stores.better(), store_way::through);
}

TEST(cell_stores, an_interruption_changes_nothing) {
  cell_stores stores;
  sent(stores, 1280, {160, 200});
  stores.took(store_way::through, payload, 5'000'000);
  EXPECT_EQ(stores.better(), store_way::through);
  sent(stores, 64, {160, 200});
  EXPECT_EQ(stores.better(), store_way::through);
}

TEST(cell_stores, where_they_cost_less_than_twice_as_much_the_caches_are_kept) {
  cell_stores stores;
  sent(stores, 1280, {380, 200});
  EXPECT_EQ(stores.better(), store_way::through);
}

}  // namespace
}  // namespace loadstone::transport
