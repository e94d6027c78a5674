// More than 2^31 elements and bytes, in little memory: extents of zero, strides of zero, and holes nobody
// touches. Any of these would take minutes or all of memory if a step depended on a repetition count.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "datatype/builder.hpp"
#include "datatype/external32.hpp"
#include "datatype/held.hpp"
#include "datatype/program.hpp"

namespace loadstone::datatype {
namespace {

using list = std::vector<std::int64_t>;
constexpr std::int64_t huge = std::int64_t{1} << 40;

TEST(large, the_same_element_a_trillion_times) {
  held same = builder::hvector(huge, 1, 0, named(basic::int_));
  ASSERT_TRUE(same->commit().ok());
  EXPECT_EQ(same->size(), 4 * huge);
  EXPECT_EQ(same->extent(), 4);
  EXPECT_EQ(same->basic_elements(), huge);
  EXPECT_EQ(external32_size(1, *same), 4 * huge);
  const int value = 0x04030201;
  std::byte out[7];
  pack(&value, 1, *same, 3 * huge + 1, 7, out);
  for (int i = 0; i < 7; i++) EXPECT_EQ(static_cast<int>(out[i]), (1 + i) % 4 + 1);
  EXPECT_EQ(elements_in(*same, 2 * huge + 4), huge / 2 + 1);
  EXPECT_EQ(elements_in(*same, 2 * huge + 5), -1);
}

TEST(large, restart_far_inside_nested_levels) {
  // 2^10 x 2^15 x 2^15 elements of {int, char}, all on the same 16 bytes but for the outermost two levels.
  const type* parts[] = {&named(basic::int_), &named(basic::char_)};
  held s = builder::structure(list{1, 1}, list{0, 8}, parts);
  held inner = builder::hvector(1 << 15, 1, 0, *s);
  held middle = builder::hvector(1 << 15, 1, 16, *inner);
  held outer = builder::hvector(1 << 10, 1, -8, *middle);
  ASSERT_TRUE(outer->commit().ok());
  const std::int64_t all = (std::int64_t{1} << 40) * 5;
  ASSERT_EQ(outer->size(), all);
  EXPECT_LE(outer->compiled()->nodes(), 6u);
  std::vector<std::byte> memory((1 << 19) + (1 << 13) + 64);
  for (std::size_t i = 0; i < memory.size(); i++) memory[i] = static_cast<std::byte>(i * 37 >> 3);
  const std::byte* origin = memory.data() + (1 << 13);
  for (std::int64_t at : {std::int64_t{0}, all / 3, all / 2 + 7, all - 9}) {
    std::byte out[9];
    pack(origin, 1, *outer, at, 9, out);
    for (int i = 0; i < 9; i++) {
      const std::int64_t p = at + i, element = p / 5, byte = p % 5;
      const std::int64_t o = element >> 30, m = element >> 15 & 0x7fff;
      EXPECT_EQ(out[i], origin[m * 16 - o * 8 + (byte == 4 ? 8 : byte)]) << p;
    }
  }
  EXPECT_EQ(elements_in(*outer, all / 2 + 4), (std::int64_t{1} << 40) + 1);
  EXPECT_EQ(elements_in(*outer, all / 2 + 3), -1);
  EXPECT_EQ(bytes_of(*outer, (std::int64_t{1} << 40) + 1), all / 2 + 4);
  EXPECT_EQ(bytes_of(*outer, INT64_MAX), -1);
}

TEST(large, five_gigabytes_with_holes) {
  // Two 1 KiB blocks 5 GiB apart in an address range that is reserved, never touched in between.
  held far = builder::hvector(2, 1024, std::int64_t{5} << 30, named(basic::char_));
  ASSERT_TRUE(far->commit().ok());
  EXPECT_EQ(far->extent(), (std::int64_t{5} << 30) + 1024);
  held many = builder::indexed(list{1, 1}, list{0, 3'000'000'000}, named(basic::double_));
  EXPECT_EQ(many->true_extent(), 24'000'000'008);
  held array = builder::subarray(list{1 << 20, 1 << 20}, list{2, 3}, list{(1 << 20) - 2, 5}, order::c,
                                 named(basic::double_));
  EXPECT_EQ(array->extent(), std::int64_t{8} << 40);
  EXPECT_EQ(array->true_lower_bound(), ((std::int64_t{(1 << 20) - 2} << 20) + 5) * 8);
  held count = builder::contiguous(std::int64_t{3} << 31, named(basic::char_), true);
  ASSERT_TRUE(count->commit().ok());
  EXPECT_TRUE(count->contiguous());
  EXPECT_EQ(count->size(), std::int64_t{3} << 31);
}

TEST(large, counts_beyond_int_in_a_message) {
  held nothing_wide = builder::resized(named(basic::short_), 0, 0);
  ASSERT_TRUE(nothing_wide->commit().ok());
  const short value = 0x0201;
  std::byte out[3];
  pack(&value, huge, *nothing_wide, 2 * huge - 3, 3, out);
  EXPECT_EQ(static_cast<int>(out[0]), 2);
  EXPECT_EQ(static_cast<int>(out[1]), 1);
  short target = 0;
  EXPECT_EQ(transfer(&target, 1, named(basic::short_), &value, huge, *nothing_wide), 2);
  EXPECT_EQ(target, value);
}

TEST(large, many_irregular_blocks) {
  constexpr std::int64_t n = 300'000;
  list displacements;
  for (std::int64_t i = 0; i < n; i++) displacements.push_back(i * 3 + (i * i) % 2 + i % 3 / 2);
  held t = builder::indexed_block(1, displacements, named(basic::int_));
  ASSERT_TRUE(t->commit().ok());
  EXPECT_LE(t->compiled()->all_entries(), static_cast<std::size_t>(n));
  std::vector<int> memory(static_cast<std::size_t>(3 * n + 4)), out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < memory.size(); i++) memory[i] = static_cast<int>(i);
  pack(memory.data(), 1, *t, 0, 4 * n, reinterpret_cast<std::byte*>(out.data()));
  for (std::int64_t i = 0; i < n; i++)
    ASSERT_EQ(out[static_cast<std::size_t>(i)], displacements[static_cast<std::size_t>(i)]);
}

// A type that holds a type twice, forty times over: 2^40 elements, and neither time nor memory of that order.
TEST(large, doubling_stays_small) {
  held t = builder::hindexed(list{1, 1, 1}, list{0, 5, 11}, named(basic::char_));
  for (int i = 0; i < 20; i++) {
    const type* parts[] = {t.get(), t.get(), t.get()};
    t = held(builder::structure(list{1, 1, 1}, list{0, 7 + i, 100 + 3 * i}, parts));
    ASSERT_TRUE(t.ok());
  }
  ASSERT_TRUE(t->commit().ok());
  EXPECT_LE(t->compiled()->all_entries(), 400u);
  EXPECT_LE(t->compiled()->nodes(), 100u);
}

TEST(large, deep_nesting_is_refused_in_time) {
  held t = builder::contiguous(1, named(basic::int_));
  int levels = 1;
  for (; levels < 5000; levels++) {
    held next = builder::dup(*t);
    if (!next.ok()) {
      EXPECT_EQ(next.error().kind, base::code::invalid);
      break;
    }
    t = next;
  }
  EXPECT_GT(levels, 4000);
  EXPECT_LT(levels, 5000);
  EXPECT_TRUE(t->commit().ok());  // all of them merge into one block
  EXPECT_TRUE(t->contiguous());
}

TEST(large, layouts_that_cannot_merge) {
  // Each level is a list too long to be opened into the one above: one frame of a cursor each.
  held t = &named(basic::int_);
  bool refused = false;
  for (int level = 1; level <= program::max_depth + 5; level++) {
    std::vector<const type*> parts(11, &named(basic::char_));
    parts[0] = t.get();
    list ones(11, 1), displacements;
    for (std::int64_t i = 0; i < 11; i++) displacements.push_back(i == 0 ? 0 : t->extent() + i * i + i);
    t = held(builder::structure(ones, displacements, parts));
    ASSERT_TRUE(t.ok());
    const auto s = t->commit();
    ASSERT_EQ(s.ok(), level < program::max_depth) << level;
    if (!s.ok()) {
      EXPECT_EQ(s.kind, base::code::invalid);
      refused = true;
      continue;
    }
    if (level % 30 == 0) {
      std::vector<std::byte> memory(static_cast<std::size_t>(2 * t->extent())),
          out(static_cast<std::size_t>(2 * t->size()));
      for (std::size_t i = 0; i < memory.size(); i++) memory[i] = static_cast<std::byte>(i);
      pack(memory.data(), 2, *t, 1, static_cast<std::int64_t>(out.size()) - 1, out.data() + 1);
      EXPECT_EQ(out[1], memory[1]);
      EXPECT_EQ(out[out.size() - 1], memory[static_cast<std::size_t>(t->extent() + t->true_extent() - 1)]);
    }
  }
  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace loadstone::datatype
