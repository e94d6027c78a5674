// Envelope and contents of every combiner, small and large form; and types found by their properties.
#include <gtest/gtest.h>

#include <vector>

#include "datatype/builder.hpp"
#include "datatype/held.hpp"

namespace loadstone::datatype {
namespace {

using list = std::vector<std::int64_t>;
using ints = std::vector<int>;

struct expected {
  combiner kind;
  ints integers;
  list addresses, counts;
  std::vector<const type*> parts;
};

void check(const held& t, const expected& e) {
  ASSERT_TRUE(t.ok());
  const auto envelope = t->envelope();
  EXPECT_EQ(envelope.kind, e.kind);
  EXPECT_EQ(envelope.integers, static_cast<std::int64_t>(e.integers.size()));
  EXPECT_EQ(envelope.addresses, static_cast<std::int64_t>(e.addresses.size()));
  EXPECT_EQ(envelope.large_counts, static_cast<std::int64_t>(e.counts.size()));
  EXPECT_EQ(envelope.datatypes, static_cast<std::int64_t>(e.parts.size()));
  ints integers(e.integers.size());
  list addresses(e.addresses.size()), counts(e.counts.size());
  std::vector<const type*> parts(e.parts.size());
  t->contents(integers, addresses, counts, parts);
  EXPECT_EQ(integers, e.integers);
  EXPECT_EQ(addresses, e.addresses);
  EXPECT_EQ(counts, e.counts);
  EXPECT_EQ(parts, e.parts);
}

TEST(contents, every_combiner) {
  const type* i = &named(basic::int_);
  const type* d = &named(basic::double_);
  check(held(i), {combiner::named, {}, {}, {}, {}});
  check(builder::dup(*i), {combiner::dup, {}, {}, {}, {i}});
  check(builder::contiguous(3, *i), {combiner::contiguous, {3}, {}, {}, {i}});
  check(builder::contiguous(3, *i, true), {combiner::contiguous, {}, {}, {3}, {i}});
  check(builder::vector(3, 2, 4, *i), {combiner::vector, {3, 2, 4}, {}, {}, {i}});
  check(builder::vector(3, 2, 4, *i, true), {combiner::vector, {}, {}, {3, 2, 4}, {i}});
  check(builder::hvector(3, 2, 40, *i), {combiner::hvector, {3, 2}, {40}, {}, {i}});
  check(builder::hvector(3, 2, 40, *i, true), {combiner::hvector, {}, {}, {3, 2, 40}, {i}});
  check(builder::indexed(list{1, 2}, list{5, 9}, *i), {combiner::indexed, {2, 1, 2, 5, 9}, {}, {}, {i}});
  check(builder::indexed(list{1, 2}, list{5, 9}, *i, true),
        {combiner::indexed, {}, {}, {2, 1, 2, 5, 9}, {i}});
  check(builder::hindexed(list{1, 2}, list{5, 9}, *i), {combiner::hindexed, {2, 1, 2}, {5, 9}, {}, {i}});
  check(builder::hindexed(list{1, 2}, list{5, 9}, *i, true),
        {combiner::hindexed, {}, {}, {2, 1, 2, 5, 9}, {i}});
  check(builder::indexed_block(3, list{5, 9}, *i), {combiner::indexed_block, {2, 3, 5, 9}, {}, {}, {i}});
  check(builder::indexed_block(3, list{5, 9}, *i, true),
        {combiner::indexed_block, {}, {}, {2, 3, 5, 9}, {i}});
  check(builder::hindexed_block(3, list{5, 9}, *i), {combiner::hindexed_block, {2, 3}, {5, 9}, {}, {i}});
  check(builder::hindexed_block(3, list{5, 9}, *i, true),
        {combiner::hindexed_block, {}, {}, {2, 3, 5, 9}, {i}});
  const type* both[] = {i, d};
  check(builder::structure(list{1, 2}, list{0, 8}, both),
        {combiner::structure, {2, 1, 2}, {0, 8}, {}, {i, d}});
  check(builder::structure(list{1, 2}, list{0, 8}, both, true),
        {combiner::structure, {}, {}, {2, 1, 2, 0, 8}, {i, d}});
  check(builder::resized(*i, -4, 16), {combiner::resized, {}, {-4, 16}, {}, {i}});
  check(builder::resized(*i, -4, 16, true), {combiner::resized, {}, {}, {-4, 16}, {i}});
  check(builder::subarray(list{4, 5}, list{2, 3}, list{1, 0}, order::fortran, *d),
        {combiner::subarray, {2, 4, 5, 2, 3, 1, 0, 15}, {}, {}, {d}});
  check(builder::subarray(list{4, 5}, list{2, 3}, list{1, 0}, order::c, *d, true),
        {combiner::subarray, {2, 12}, {}, {4, 5, 2, 3, 1, 0}, {d}});
  const distribution how[] = {distribution::block, distribution::cyclic};
  check(builder::darray(6, 4, list{10, 11}, how, list{19, 2}, list{2, 3}, order::c, *d),
        {combiner::darray, {6, 4, 2, 10, 11, 17, 18, 19, 2, 2, 3, 12}, {}, {}, {d}});
  check(builder::darray(6, 4, list{10, 11}, how, list{19, 2}, list{2, 3}, order::c, *d, true),
        {combiner::darray, {6, 4, 2, 17, 18, 19, 2, 2, 3, 12}, {}, {10, 11}, {d}});
  check(builder::f90_real(10, -1), {combiner::f90_real, {10, undefined}, {}, {}, {}});
  check(builder::f90_complex(10, 100), {combiner::f90_complex, {10, 100}, {}, {}, {}});
  check(builder::f90_integer(7), {combiner::f90_integer, {7}, {}, {}, {}});
  const type* c = &named(basic::int8);
  check(builder::value_index(*c, *i), {combiner::value_index, {}, {}, {}, {c, i}});
}

TEST(contents, shorter_arrays_are_respected) {
  held t = builder::indexed(list{1, 2}, list{5, 9}, named(basic::int_));
  int first[2] = {0, 0};
  t->contents(first, {}, {}, {});
  EXPECT_EQ(first[0], 2);
  EXPECT_EQ(first[1], 1);
}

TEST(darray, refusals) {
  const auto& i = named(basic::int_);
  const distribution block[] = {distribution::block}, none[] = {distribution::none};
  EXPECT_TRUE(held(builder::darray(2, 1, list{8}, block, list{19}, list{2}, order::c, i)).ok());
  EXPECT_FALSE(builder::darray(2, 2, list{8}, block, list{19}, list{2}, order::c, i).ok());
  EXPECT_FALSE(builder::darray(3, 1, list{8}, block, list{19}, list{2}, order::c, i).ok());
  EXPECT_FALSE(builder::darray(2, 1, list{8}, block, list{3}, list{2}, order::c, i).ok());
  EXPECT_FALSE(builder::darray(2, 1, list{8}, none, list{19}, list{2}, order::c, i).ok());
  EXPECT_FALSE(builder::darray(2, 1, list{0}, block, list{19}, list{2}, order::c, i).ok());
  EXPECT_FALSE(builder::darray(2, 1, list{8}, block, list{0}, list{2}, order::c, i).ok());
}

TEST(parametric, f90_kinds) {
  EXPECT_EQ(held(builder::f90_real(6, 37))->size(), 4);
  EXPECT_EQ(held(builder::f90_real(7, -1))->size(), 8);
  EXPECT_EQ(held(builder::f90_real(-1, 308))->size(), 16);
  EXPECT_EQ(held(builder::f90_real(33, 4931))->single_basic(), basic::real16);
  EXPECT_EQ(held(builder::f90_complex(15, 307))->size(), 16);
  EXPECT_EQ(held(builder::f90_integer(2))->size(), 1);
  EXPECT_EQ(held(builder::f90_integer(9))->size(), 4);
  EXPECT_EQ(held(builder::f90_integer(10))->size(), 8);
  EXPECT_EQ(held(builder::f90_integer(38))->size(), 16);
  EXPECT_FALSE(builder::f90_integer(39).ok());
  EXPECT_FALSE(builder::f90_real(34, 1).ok());
  EXPECT_FALSE(builder::f90_real(-1, -1).ok());
  held t = builder::f90_real(6, 37);
  EXPECT_TRUE(t->predefined() && t->committed() && t->contiguous());
  EXPECT_EQ(t->abi_value(), 0);
}

TEST(parametric, match_size) {
  EXPECT_EQ(match_size(type_class::real, 4), &named(basic::real4));
  EXPECT_EQ(match_size(type_class::real, 16), &named(basic::real16));
  EXPECT_EQ(match_size(type_class::integer, 8), &named(basic::integer8));
  EXPECT_EQ(match_size(type_class::complex, 32), &named(basic::complex32));
  EXPECT_EQ(match_size(type_class::logical, 2), &named(basic::logical2));
  EXPECT_EQ(match_size(type_class::integer, 3), nullptr);
  EXPECT_EQ(match_size(static_cast<type_class>(7), 4), nullptr);
}

}  // namespace
}  // namespace loadstone::datatype
