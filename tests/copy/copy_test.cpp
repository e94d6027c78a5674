// Which kernel copies what, on processors of either kind.
#include "copy/copy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::copy {
namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
constexpr bool vectors_best = false, strings_best = true;

TEST(choice, filling_a_cell) {
  using choose::into_cell;
  EXPECT_EQ(into_cell(16 * KiB, 32 * KiB, vectors_best), kernel::halves);
  EXPECT_EQ(into_cell(16 * KiB, 32 * KiB + 1, vectors_best), kernel::ordinary)
      << "may be a block of any message";
  EXPECT_EQ(into_cell(2 * KiB, 1 * MiB, strings_best), kernel::string);
  EXPECT_EQ(into_cell(2 * KiB - 1, 2 * KiB - 1, strings_best), kernel::halves);
}

TEST(choice, reading_a_cell) {
  using choose::out_of_cell;
  EXPECT_EQ(out_of_cell(16 * KiB, 1 * MiB, vectors_best), kernel::halves);
  EXPECT_EQ(out_of_cell(16 * KiB, 1 * MiB + 1, vectors_best), kernel::ordinary);
  EXPECT_EQ(out_of_cell(16 * KiB, 4 * MiB - 1, vectors_best), kernel::ordinary);
  EXPECT_EQ(out_of_cell(16 * KiB, 4 * MiB, vectors_best), kernel::past_caches);
  EXPECT_EQ(out_of_cell(8 * KiB - 1, 1 * MiB, strings_best), kernel::halves);
  EXPECT_EQ(out_of_cell(8 * KiB, 4 * MiB, strings_best), kernel::string);
  EXPECT_EQ(out_of_cell(8 * KiB, 8 * MiB, strings_best), kernel::past_caches);
}

TEST(choice, memory_written_by_turns) {
  using choose::by_turns;
  for (const std::size_t whole : {1 * KiB, 32 * KiB, 256 * KiB})
    EXPECT_EQ(by_turns(whole, whole, vectors_best), kernel::halves);
  EXPECT_EQ(by_turns(2 * KiB, 32 * KiB - 1, strings_best), kernel::halves);
  EXPECT_EQ(by_turns(2 * KiB, 32 * KiB, strings_best), kernel::string) << "the whole counts, not the part";
}

TEST(choice, from_buffer_to_buffer) {
  using choose::between;
  EXPECT_EQ(between(32 * KiB, 64 * KiB, vectors_best), kernel::halves);
  EXPECT_EQ(between(32 * KiB + 1, 64 * KiB, vectors_best), kernel::ordinary);
  EXPECT_EQ(between(256 * KiB, 12 * MiB - 1, vectors_best), kernel::ordinary);
  EXPECT_EQ(between(256 * KiB, 12 * MiB, vectors_best), kernel::past_caches);
  EXPECT_EQ(between(64, 12 * MiB, vectors_best), kernel::halves) << "the fence costs more than a small block";
  EXPECT_EQ(between(8 * KiB, 64 * KiB, strings_best), kernel::string);
  EXPECT_EQ(between(64 * KiB - 1, 64 * KiB - 1, strings_best), kernel::ordinary);
  EXPECT_EQ(between(64 * KiB, 64 * KiB, strings_best), kernel::string);
  EXPECT_EQ(between(64 * KiB, 12 * MiB, strings_best), kernel::past_caches);
}

TEST(choice, a_followed_message_travels_in_parts_of_whole_lines) {
  for (std::size_t whole = 1; whole <= 256 * KiB; whole += 333) {
    EXPECT_EQ(part_of(whole) % 64, 0u) << whole;
    EXPECT_GE(part_of(whole), 2 * KiB) << whole;
    EXPECT_LE(part_of(whole), 16 * KiB) << whole;
  }
  EXPECT_EQ(part_of(256 * KiB), 16 * KiB);
  EXPECT_EQ(part_of(16 * KiB), strings ? 8 * KiB : 4 * KiB);
}

// Long ones, which the test of the kernels does not reach.
TEST(choice, messages_in_no_cache_arrive_whole) {
  std::vector<std::byte> source(12 * MiB + 100), target(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 31 + (i >> 12));
  for (const auto copy : {into_cell, out_of_cell, by_turns, between}) {
    for (const std::size_t n : {1 * MiB + 77, 4 * MiB + 1, 8 * MiB, 12 * MiB + 99}) {
      target.assign(source.size(), std::byte{0xee});
      copy(target.data() + 1, source.data(), n, n);
      ASSERT_TRUE(std::equal(source.data(), source.data() + n, target.data() + 1)) << n;
      ASSERT_EQ(target.front(), std::byte{0xee});
      if (n + 1 < target.size()) {
        ASSERT_EQ(target[n + 1], std::byte{0xee});
      }
    }
  }
}

}  // namespace
}  // namespace loadstone::copy
