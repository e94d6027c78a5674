// Predefined types, constructors, extents and refusals, by hand-computed values.
#include "datatype/type.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>
#include <memory_resource>
#include <numeric>
#include <thread>
#include <vector>

#include "datatype/builder.hpp"
#include "datatype/held.hpp"

namespace loadstone::datatype {
namespace {

using list = std::vector<std::int64_t>;

TEST(predefined, c_sizes) {
  EXPECT_EQ(predefined_type(0x209)->size(), std::int64_t{sizeof(int)});
  EXPECT_EQ(predefined_type(0x20a)->size(), std::int64_t{sizeof(long)});
  EXPECT_EQ(predefined_type(0x220)->size(), std::int64_t{sizeof(long double)});
  EXPECT_EQ(predefined_type(0x23c)->size(), std::int64_t{sizeof(wchar_t)});
  EXPECT_EQ(predefined_type(0x238)->size(), std::int64_t{sizeof(bool)});
  EXPECT_EQ(predefined_type(0x224)->size(), std::int64_t{sizeof(std::complex<long double>)});
  EXPECT_EQ(predefined_type(0x200), nullptr);
  EXPECT_EQ(predefined_type(0x204), nullptr);
  EXPECT_EQ(predefined_type(-1), nullptr);
  EXPECT_EQ(predefined_type(0x300), nullptr);
}

TEST(predefined, each_leads_back_to_its_value) {
  int found = 0;
  for (int abi = 0x200; abi < 0x300; abi++) {
    const type* t = predefined_type(abi);
    if (t == nullptr) continue;
    found++;
    EXPECT_EQ(t->abi_value(), abi);
    EXPECT_EQ(std::strncmp(t->name(), "MPI_", 4), 0);
    EXPECT_TRUE(t->committed() && t->predefined());
    EXPECT_EQ(t->envelope().kind, combiner::named);
    EXPECT_GT(t->size(), 0);
  }
  EXPECT_EQ(found, 70);  // abi/constants.tsv: 71 datatypes with MPI_DATATYPE_NULL
}

TEST(predefined, pairs_are_c_structs) {
  struct short_int {
    short value;
    int index;
  };
  struct long_double_int {
    long double value;
    int index;
  };
  const type* t = predefined_type(0x22c);
  EXPECT_EQ(t->size(), 6);
  EXPECT_EQ(t->extent(), std::int64_t{sizeof(short_int)});
  EXPECT_FALSE(t->contiguous());
  EXPECT_EQ(t->basic_elements(), 2);
  t = predefined_type(0x22d);
  EXPECT_EQ(t->size(), 20);
  EXPECT_EQ(t->extent(), std::int64_t{sizeof(long_double_int)});
  EXPECT_TRUE(predefined_type(0x22b)->contiguous());
}

TEST(extents, padding_and_markers) {
  const auto& i = named(basic::int_);
  const auto& c = named(basic::char_);
  const type* parts[] = {&i, &c};
  held s = builder::structure(list{1, 1}, list{0, 4}, parts);
  EXPECT_EQ(s->size(), 5);
  EXPECT_EQ(s->extent(), 8);
  EXPECT_EQ(s->true_extent(), 5);
  held r = builder::resized(*s, -3, 5);
  EXPECT_EQ(r->lower_bound(), -3);
  EXPECT_EQ(r->extent(), 5);
  EXPECT_EQ(r->true_lower_bound(), 0);
  // A marker anywhere decides alone.
  const type* marked[] = {r.get(), &i};
  held m = builder::structure(list{1, 1}, list{10, 100}, marked);
  EXPECT_EQ(m->lower_bound(), 7);
  EXPECT_EQ(m->extent(), 5);
  EXPECT_EQ(m->true_extent(), 94);
  held n = builder::hvector(3, 2, -16, c);
  EXPECT_EQ(n->lower_bound(), -32);
  EXPECT_EQ(n->extent(), 34);
  // Only a struct pads; what is made of structs keeps their padding.
  held odd = builder::hvector(3, 4, 25, i);
  EXPECT_EQ(odd->extent(), 66);
  held row = builder::contiguous(2, *s);
  EXPECT_EQ(row->extent(), 16);
  EXPECT_EQ(row->true_extent(), 13);
  held apart = builder::hvector(2, 1, 9, *s);
  EXPECT_EQ(apart->extent(), 17);
  const type* whole[] = {apart.get()};
  held again = builder::structure(list{1}, list{0}, whole);
  EXPECT_EQ(again->extent(), 20);
}

TEST(extents, nothing_inside) {
  held z = builder::contiguous(0, named(basic::double_));
  EXPECT_EQ(z->size(), 0);
  EXPECT_EQ(z->extent(), 0);
  held marked = builder::resized(*z, 4, 8);
  held three = builder::contiguous(3, *marked);
  EXPECT_EQ(three->extent(), 24);
  EXPECT_EQ(three->lower_bound(), 4);
  EXPECT_EQ(three->true_extent(), 0);
  EXPECT_TRUE(three->commit().ok());
  std::byte out[1] = {std::byte{7}};
  pack(nullptr, 5, *three, 0, 0, out);
  EXPECT_EQ(out[0], std::byte{7});
}

TEST(refusals, nonsense) {
  const auto& i = named(basic::int_);
  EXPECT_EQ(builder::contiguous(-1, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::vector(1, -1, 0, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::indexed(list{1}, list{1, 2}, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::indexed(list{-1}, list{1}, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::contiguous(INT64_MAX, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::hvector(2, 1, INT64_MAX, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::subarray(list{4}, list{5}, list{0}, order::c, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::subarray(list{4}, list{2}, list{3}, order::c, i).error().kind, base::code::invalid);
  EXPECT_EQ(builder::subarray({}, {}, {}, order::c, i).error().kind, base::code::invalid);
}

TEST(contiguous, after_commit) {
  held v = builder::vector(4, 2, 2, named(basic::int_));
  EXPECT_FALSE(v->contiguous());
  ASSERT_TRUE(v->commit().ok());
  EXPECT_TRUE(v->contiguous());
  held backwards = builder::indexed_block(1, list{1, 0}, named(basic::int_));
  ASSERT_TRUE(backwards->commit().ok());
  EXPECT_EQ(backwards->extent(), backwards->size());
  EXPECT_FALSE(backwards->contiguous());
  held shifted = builder::indexed_block(1, list{1}, named(basic::int_));
  ASSERT_TRUE(shifted->commit().ok());
  EXPECT_FALSE(shifted->contiguous());
}

TEST(single_named, tells_pairs_from_their_parts) {
  const type *integer = predefined_type(basic::int_), *real = predefined_type(basic::double_),
             *two = predefined_type(0x22b), *mixed = predefined_type(0x229);
  const named_kind int_alone{basic::int_, basic::none}, int_pair{basic::int_, basic::int_},
      double_pair{basic::double_, basic::int_};
  EXPECT_EQ(integer->single_named(), int_alone);
  EXPECT_EQ(two->single_named(), int_pair);
  EXPECT_EQ(two->single_basic(), basic::int_);
  EXPECT_EQ(mixed->single_named(), double_pair);
  EXPECT_EQ(mixed->single_basic(), basic::none);
  EXPECT_EQ(held(builder::vector(3, 2, 5, *mixed))->single_named(), double_pair);
  const std::array<std::int64_t, 2> lengths{2, 1}, places{0, 64};
  auto together = [&](const type* a, const type* b) {
    return held(builder::structure(lengths, places, std::array{a, b}))->single_named();
  };
  EXPECT_EQ(together(two, two), int_pair);
  EXPECT_EQ(together(integer, integer), int_alone);
  EXPECT_EQ(together(two, integer), named_kind{});
  EXPECT_EQ(together(integer, two), named_kind{});
  EXPECT_EQ(together(integer, real), named_kind{});
  held none = builder::contiguous(0, *two);
  EXPECT_EQ(none->single_named(), named_kind{});
  EXPECT_EQ(together(none.get(), two), int_pair);
}

TEST(packing, matrix_column) {
  std::vector<int> m(20);
  std::iota(m.begin(), m.end(), 0);
  held column = builder::vector(4, 1, 5, named(basic::int_));
  ASSERT_TRUE(column->commit().ok());
  std::array<int, 4> out{};
  pack(m.data() + 2, 1, *column, 0, 16, reinterpret_cast<std::byte*>(out.data()));
  EXPECT_EQ(out, (std::array<int, 4>{2, 7, 12, 17}));
  held turned = builder::resized(*column, 0, 4);
  ASSERT_TRUE(turned->commit().ok());
  std::vector<int> t(20);
  held row = builder::contiguous(20, named(basic::int_));
  ASSERT_TRUE(row->commit().ok());
  EXPECT_EQ(transfer(t.data(), 1, *row, m.data(), 5, *turned), 80);
  EXPECT_EQ(t[5], 6);
  EXPECT_EQ(t[7], 16);
}

TEST(lifetime, parts_stay_alive) {
  held outer;
  {
    held inner = builder::vector(2, 1, 3, named(basic::short_));
    outer = held(builder::contiguous(3, *inner));
  }
  ASSERT_TRUE(outer->commit().ok());
  EXPECT_EQ(outer->size(), 12);
  const type* part[1];
  outer->contents({}, {}, {}, part);
  EXPECT_EQ(part[0]->size(), 4);
}

// That one is the program's, and may go before the types.
TEST(lifetime, needs_nothing_of_the_default_memory_resource) {
  std::pmr::memory_resource* const before = std::pmr::set_default_resource(std::pmr::null_memory_resource());
  const std::vector<std::int64_t> lengths(100, 1), displacements = [] {
    std::vector<std::int64_t> squares(100);
    for (std::int64_t i = 0; i < 100; ++i) squares[static_cast<std::size_t>(i)] = i * i;
    return squares;
  }();
  held t = builder::indexed(lengths, displacements, named(basic::int_));
  EXPECT_TRUE(t->commit().ok());
  std::pmr::set_default_resource(before);
  EXPECT_EQ(t->size(), 400);
}

TEST(lifetime, commit_races_with_itself) {
  for (int round = 0; round < 50; round++) {
    held t = builder::vector(3, 1, 2, named(basic::int_));
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++) threads.emplace_back([t] { EXPECT_TRUE(t->commit().ok()); });
    for (auto& thread : threads) thread.join();
    EXPECT_TRUE(t->committed());
  }
}

}  // namespace
}  // namespace loadstone::datatype
