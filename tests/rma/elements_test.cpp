// Every predefined operation on every type that it is defined on, by locks and by atomic
// instructions, against op::apply().
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "datatype/definition.hpp"
#include "datatype/numbers.hpp"
#include "rma/atomics.hpp"
#include "rma/element.hpp"

namespace loadstone::rma {
namespace {

using datatype::basic;
using datatype::number;
using datatype::op_kind;

using bytes = std::vector<std::byte>;
constexpr std::int64_t count = 300;

std::mt19937 random_numbers(7);

void write_small(number form, std::byte* to) {
  auto next = [&] {
    return static_cast<long double>(std::uniform_int_distribution<int>(-3, 3)(random_numbers));
  };
  const long double re = next(), im = next();
  datatype::write(form, {re, im}, to);
}

// `count` elements in the layout of the type; the holes are not empty.
bytes some(const datatype::type& t) {
  bytes made(static_cast<std::size_t>(count * t.extent()), std::byte{0x5a});
  const datatype::named_kind kind = t.single_named();
  for (std::int64_t i = 0; i < count; i++) {
    std::byte* const at = made.data() + i * t.extent();
    write_small(datatype::info(kind.value).form, at);
    if (kind.index != basic::none)
      write_small(datatype::info(kind.index).form, at + datatype::second_offset(kind.value, kind.index));
  }
  return made;
}

// A long double has bytes that mean nothing.
void clear_unused(const datatype::type& t, std::byte* element) {
#if defined(__x86_64__)
  const number form = datatype::info(t.single_named().value).form;
  if (form != number::extended && form != number::c_extended) return;
  for (std::size_t at = 10; at < datatype::size_of(form); at += 16) std::memset(element + at, 0, 6);
#endif
}
void clear_all_unused(const datatype::type& t, bytes& packed) {
  for (std::size_t at = 0; at < packed.size(); at += static_cast<std::size_t>(t.size()))
    clear_unused(t, packed.data() + at);
}

bytes packed(const bytes& from, const datatype::type& t) {
  bytes made(static_cast<std::size_t>(count * t.size()));
  datatype::pack(from.data(), count, t, 0, count * t.size(), made.data());
  return made;
}

template <class Check>
int for_all(Check&& check) {
  int checked = 0;
  for (int o = 0x20; o < 0x40; o++)
    for (int abi = 0x200; abi < 0x300; abi++) {
      const datatype::op* const op = datatype::predefined_op(o);
      const datatype::type* const t = datatype::predefined_type(abi);
      if (op == nullptr || t == nullptr || !op->defined_on(*t)) continue;
      SCOPED_TRACE(fmt::format("{} {}", op->name(), t->name()));
      EXPECT_TRUE(op->defined_on(t->single_named()));
      checked += check(*op, *t, element(t->single_named())) ? 1 : 0;
    }
  return checked;
}

TEST(elements, by_loads_and_stores) {
  const int checked = for_all([](const datatype::op& op, const datatype::type& t, const element& what) {
    EXPECT_EQ(what.size(), t.size());
    const bytes in = some(t), before = some(t), in_packed = packed(in, t);
    bytes expected = before;
    op.apply(in.data(), expected.data(), count, t);
    const std::byte* const given = op.kind() == op_kind::no_op ? nullptr : in_packed.data();
    // In memory, with gaps between the elements, behind each other (but for pairs), and backwards.
    for (const std::int64_t gap : {std::int64_t{0}, t.extent(), std::int64_t{3}}) {
      const std::int64_t step = t.extent() + gap;
      for (const bool backwards : {false, true}) {
        bytes target(static_cast<std::size_t>(count * step), std::byte{0x33}), wanted = target;
        auto place = [&](std::int64_t i) { return (backwards ? count - 1 - i : i) * step; };
        for (std::int64_t i = 0; i < count; i++) {
          std::memcpy(target.data() + place(i), before.data() + i * t.extent(),
                      static_cast<std::size_t>(t.extent()));
          std::memcpy(wanted.data() + place(i), expected.data() + i * t.extent(),
                      static_cast<std::size_t>(t.extent()));
        }
        bytes out(in_packed.size());
        what.apply(op.kind(), target.data() + place(0), backwards ? -step : step, given, out.data(), count);
        for (std::int64_t i = 0; i < count; i++) {
          clear_unused(t, target.data() + place(i));
          clear_unused(t, wanted.data() + place(i));
        }
        EXPECT_EQ(target, wanted);
        EXPECT_EQ(out, packed(before, t));
      }
    }
    bytes target = packed(before, t);
    what.apply(op.kind(), target.data(), what.size(), given, nullptr, count, element::layout::packed);
    bytes wanted = packed(expected, t);
    clear_all_unused(t, target);
    clear_all_unused(t, wanted);
    EXPECT_EQ(target, wanted);
    return true;
  });
  EXPECT_EQ(checked, 507);  // as op_test counts them
}

TEST(elements, one_place_many_times) {
  for_all([](const datatype::op& op, const datatype::type& t, const element& what) {
    const bytes in = some(t);
    bytes target = some(t), expected = target;
    for (std::int64_t i = 0; i < 5; i++) op.apply(in.data() + i * t.extent(), expected.data(), 1, t);
    what.apply(op.kind(), target.data(), 0, packed(in, t).data(), nullptr, 5);
    clear_unused(t, target.data());
    clear_unused(t, expected.data());
    EXPECT_EQ(target, expected);
    return true;
  });
}

TEST(elements, by_instructions) {
  int wide = 0;
  const int checked = for_all([&](const datatype::op& op, const datatype::type& t, const element& what) {
    const operation apply = what.by_instruction(op.kind());
    const single_operation one = find_single_atomic(op.kind(), t.single_named().value);
    if (what.paired() || t.size() > 8) {
      EXPECT_EQ(apply, nullptr);
      wide++;
      return false;
    }
    const bytes in = some(t), before = some(t);
    bytes expected = before;
    op.apply(in.data(), expected.data(), count, t);
    const std::byte* const given = op.kind() == op_kind::no_op ? nullptr : in.data();
    bytes target = before, out(in.size());
    apply(target.data(), t.size(), given, nullptr, count);
    EXPECT_EQ(target, expected);
    target = before;
    apply(target.data() + (count - 1) * t.size(), -t.size(), given, out.data(), count);
    bytes backwards(before.size());
    for (std::int64_t i = 0; i < count; i++) {
      const std::byte* const from = target.data() + i * t.size();
      bytes here(before.begin() + i * t.size(), before.begin() + (i + 1) * t.size());
      EXPECT_EQ(std::memcmp(out.data() + (count - 1 - i) * t.size(), here.data(), here.size()), 0);
      op.apply(in.data() + (count - 1 - i) * t.size(), here.data(), 1, t);
      EXPECT_EQ(std::memcmp(from, here.data(), here.size()), 0);
    }
    target = before;
    one(target.data(), given, out.data());
    EXPECT_EQ(std::memcmp(target.data(), expected.data(), static_cast<std::size_t>(t.size())), 0);
    EXPECT_EQ(std::memcmp(out.data(), before.data(), static_cast<std::size_t>(t.size())), 0);
    return true;
  });
  EXPECT_EQ(checked + wide, 507);
  EXPECT_GT(checked, 350);
}

TEST(elements, compare_and_swap) {
  for (const std::int64_t size : {1, 2, 4, 8}) {
    std::uint64_t target = 0x1122334455667788, in = 0x99aabbccddeeff00, old = 0;
    std::uint64_t other = target ^ (1ull << (8 * size - 1)), before = target;
    auto at = [](std::uint64_t& word) { return reinterpret_cast<std::byte*>(&word); };
    compare_and_swap_atomic(at(target), at(in), at(other), at(old), size);
    EXPECT_EQ(target, before);
    EXPECT_EQ(std::memcmp(&old, &before, static_cast<std::size_t>(size)), 0);
    old = 0;
    compare_and_swap_atomic(at(target), at(in), at(before), at(old), size);
    EXPECT_EQ(std::memcmp(&target, &in, static_cast<std::size_t>(size)), 0);
    EXPECT_EQ(std::memcmp(&old, &before, static_cast<std::size_t>(size)), 0);
    if (size < 8) {
      EXPECT_EQ(target >> (8 * size), before >> (8 * size));
    }
  }
}

// Threads that change the same few elements lose nothing. Sums of small numbers are exact in every
// form; with the others each thread has bits of its own.
TEST(elements, instructions_are_atomic) {
  constexpr int threads = 4, rounds = 20000, places = 3;
  for (const number form :
       {number::i8, number::u16, number::i32, number::u64, number::f32, number::f64, number::c32}) {
    const std::size_t size = datatype::size_of(form);
    alignas(64) std::byte target[64] = {};
    const operation sum = find_atomic(op_kind::sum, form);
    std::byte one[64] = {};
    for (int i = 0; i < places; i++) datatype::write(form, {1, 2}, one + static_cast<std::size_t>(i) * size);
    std::vector<std::thread> all;
    for (int i = 0; i < threads; i++)
      all.emplace_back([&] {
        for (int r = 0; r < rounds; r++) sum(target, static_cast<std::int64_t>(size), one, nullptr, places);
      });
    for (auto& t : all) t.join();
    std::byte expected[64] = {};
    datatype::write(form, {threads * rounds, 2 * threads * rounds}, expected);
    for (std::size_t i = 0; i < places; i++) EXPECT_EQ(std::memcmp(target + i * size, expected, size), 0);
  }
}

}  // namespace
}  // namespace loadstone::rma
