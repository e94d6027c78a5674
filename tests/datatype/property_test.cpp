// Random nested types against the written-out type map: extents, packing and unpacking in pieces cut at every
// byte, copies between two layouts, blocks, and element counts. Types grow from simple to nested, so that the
// first failure is a small one.
#include <gtest/gtest.h>

#include "datatype/program.hpp"
#include "datatype/random_types.hpp"

namespace loadstone::datatype::property_test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int rounds = 4000;
#else
constexpr int rounds = 20000;
#endif

// Memory that holds `count` elements with a margin, filled with a pattern; `origin` is where displacement 0
// lies.
class arena {
 public:
  arena(const typemap& map, std::int64_t count, unsigned seed) {
    std::int64_t low = 0, high = 0;
    map.each_byte(count, [&](std::int64_t d) {
      low = std::min(low, d);
      high = std::max(high, d + 1);
    });
    low_ = low - margin;
    bytes_.resize(static_cast<std::size_t>(high - low_ + margin));
    for (std::size_t i = 0; i < bytes_.size(); i++)
      bytes_[i] = static_cast<std::byte>((i + seed) * 2654435761u >> 13);
  }
  void* origin() {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(bytes_.data()) -
                                   static_cast<std::uintptr_t>(low_));
  }
  std::byte& at(std::int64_t displacement) { return bytes_[static_cast<std::size_t>(displacement - low_)]; }
  bool operator==(const arena& other) const { return bytes_ == other.bytes_; }

  std::vector<std::byte> packed(const typemap& map, std::int64_t count) {
    std::vector<std::byte> out;
    map.each_byte(count, [&](std::int64_t d) { out.push_back(at(d)); });
    return out;
  }
  void unpack(const typemap& map, std::int64_t count, const std::vector<std::byte>& from, std::size_t bytes) {
    std::size_t i = 0;
    map.each_byte(count, [&](std::int64_t d) {
      if (i < bytes) at(d) = from[i++];
    });
  }

 private:
  static constexpr std::int64_t margin = 64;
  std::int64_t low_;
  std::vector<std::byte> bytes_;
};

// Runs `check` on `rounds` samples of growing depth; stops at the first failure and says how to repeat it.
template <class Check>
void for_samples(Check&& check) {
  const std::uint64_t seed = run_seed();
  for (int round = 0; round < rounds; round++) {
    type_maker maker(seed + static_cast<std::uint64_t>(round));
    const sample s = maker.make(round * 5 / rounds);
    SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {}", seed, round, s.text));
    ASSERT_TRUE(s.type->commit().ok());
    check(maker, s);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(property, extents) {
  for_samples([](type_maker&, const sample& s) {
    EXPECT_EQ(s.type->size(), s.map.size());
    EXPECT_EQ(s.type->lower_bound(), s.map.lower());
    EXPECT_EQ(s.type->extent(), s.map.extent());
    EXPECT_EQ(s.type->true_lower_bound(), s.map.true_lower());
    EXPECT_EQ(s.type->true_extent(), s.map.true_upper() - s.map.true_lower());
    EXPECT_EQ(s.type->basic_elements(), static_cast<std::int64_t>(s.map.items.size()));
    bool one_kind = !s.map.items.empty();
    for (auto& i : s.map.items) one_kind &= i.kind == s.map.items[0].kind;
    EXPECT_EQ(s.type->single_basic(), one_kind ? s.map.items[0].kind : basic::none);
    bool dense = s.map.extent() == s.map.size();
    std::int64_t next = 0;
    s.map.each_byte(1, [&](std::int64_t d) { dense &= d == next++; });
    EXPECT_EQ(s.type->contiguous(), dense);
  });
}

TEST(property, pack_whole_and_from_every_byte) {
  for_samples([](type_maker& maker, const sample& s) {
    const auto count = maker.pick(0, 3);
    arena memory(s.map, count, 1);
    const auto expected = memory.packed(s.map, count);
    const auto total = static_cast<std::int64_t>(expected.size());
    std::vector<std::byte> out(expected.size() + 1, std::byte{0x5a});
    pack(memory.origin(), count, *s.type, 0, total, out.data());
    EXPECT_EQ(out.back(), std::byte{0x5a});
    out.pop_back();
    EXPECT_EQ(out, expected);
    for (std::int64_t from = 0; from < total; from++) {
      const auto bytes = std::min(total - from, maker.pick(1, 48));
      std::vector<std::byte> piece(static_cast<std::size_t>(bytes) + 1, std::byte{0x5a});
      pack(memory.origin(), count, *s.type, from, bytes, piece.data());
      ASSERT_TRUE(std::equal(piece.begin(), piece.end() - 1, expected.begin() + from))
          << "from " << from << " bytes " << bytes;
      ASSERT_EQ(piece.back(), std::byte{0x5a});
    }
  });
}

TEST(property, unpack_in_pieces_in_any_order) {
  int checked = 0;
  for_samples([&](type_maker& maker, const sample& s) {
    const auto count = maker.pick(0, 3);
    if (!s.map.disjoint(count)) return;
    checked++;
    arena memory(s.map, count, 1), expected(s.map, count, 1), other(s.map, count, 99);
    const auto data = other.packed(s.map, count);
    expected.unpack(s.map, count, data, data.size());
    std::vector<std::int64_t> cuts{0};
    while (cuts.back() < static_cast<std::int64_t>(data.size()))
      cuts.push_back(std::min(static_cast<std::int64_t>(data.size()),
                              cuts.back() + maker.pick(1, maker.chance(50) ? 3 : 70)));
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i + 1 < cuts.size(); i++) order.push_back(i);
    for (std::size_t i = order.size(); i > 1; i--)
      std::swap(order[i - 1],
                order[static_cast<std::size_t>(maker.pick(0, static_cast<std::int64_t>(i) - 1))]);
    for (auto i : order)
      unpack(memory.origin(), count, *s.type, cuts[i], cuts[i + 1] - cuts[i], data.data() + cuts[i]);
    EXPECT_TRUE(memory == expected);
  });
  EXPECT_GT(checked, rounds / 4);
}

TEST(property, transfer_between_layouts) {
  const std::uint64_t seed = run_seed();
  int checked = 0;
  for (int round = 0; round < rounds; round++) {
    type_maker maker(seed + static_cast<std::uint64_t>(round));
    sample from = maker.make(round * 5 / rounds), to = maker.make(round * 5 / rounds);
    if (maker.chance(50)) {  // equal signatures: both made of what the other is made of
      const auto n = to.map.size(), m = from.map.size();
      to.type = held(builder::contiguous(m, *to.type));
      from.type = held(builder::contiguous(n, *from.type));
      if (n > 150 || m > 150) continue;
      typemap wide_to, wide_from;
      wide_to.add_block(to.map, m, 0);
      wide_from.add_block(from.map, n, 0);
      to.map = wide_to;
      from.map = wide_from;
    }
    SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {} -> {}", seed, round, from.text, to.text));
    if (maker.chance(15)) to = from;
    const auto from_count = maker.pick(0, 3), to_count = maker.pick(0, 3);
    if (!to.map.disjoint(to_count)) continue;
    checked++;
    ASSERT_TRUE(from.type->commit().ok() && to.type->commit().ok());
    arena source(from.map, from_count, 5), sink(to.map, to_count, 77), expected(to.map, to_count, 77);
    const auto data = source.packed(from.map, from_count);
    const auto moved =
        std::min<std::int64_t>(static_cast<std::int64_t>(data.size()), to_count * to.map.size());
    expected.unpack(to.map, to_count, data, static_cast<std::size_t>(moved));
    EXPECT_EQ(transfer(sink.origin(), to_count, *to.type, source.origin(), from_count, *from.type), moved);
    EXPECT_TRUE(sink == expected);
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, rounds / 4);
}

struct collected {
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  std::size_t most;
};
bool collect(void* context, void* address, std::size_t length) {
  auto& c = *static_cast<collected*>(context);
  c.blocks.emplace_back(static_cast<std::byte*>(address), length);
  return c.blocks.size() < c.most;
}

TEST(property, blocks) {
  for_samples([](type_maker& maker, const sample& s) {
    const auto count = maker.pick(0, 3);
    arena memory(s.map, count, 1);
    const auto expected = memory.packed(s.map, count);
    const auto total = static_cast<std::int64_t>(expected.size());
    // In batches, from batch to batch.
    std::vector<std::byte> seen;
    for (std::int64_t from = 0; from < total;) {
      collected c{{}, static_cast<std::size_t>(maker.pick(1, 5))};
      const auto bytes = maker.chance(50) ? total - from : maker.pick(1, total - from);
      const auto covered = for_each_block(memory.origin(), count, *s.type, from, bytes, collect, &c);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < c.blocks.size(); i++) {
        seen.insert(seen.end(), c.blocks[i].first, c.blocks[i].first + c.blocks[i].second);
        sum += static_cast<std::int64_t>(c.blocks[i].second);
        if (i > 0) {
          EXPECT_NE(c.blocks[i - 1].first + c.blocks[i - 1].second, c.blocks[i].first);
        }
      }
      ASSERT_EQ(covered, sum);
      ASSERT_GT(covered, 0);
      if (c.blocks.size() < c.most) {
        ASSERT_EQ(covered, bytes);
      }
      from += covered;
    }
    EXPECT_EQ(seen, expected);
  });
}

// Whether so many elements are one block, and where it begins: by the displacements of their bytes.
TEST(property, one_block) {
  std::int64_t displaced = 0;
  for_samples([&](type_maker&, const sample& s) {
    for (std::int64_t count : {1, 2, 3}) {
      std::vector<std::int64_t> at;
      s.map.each_byte(count, [&](std::int64_t d) { at.push_back(d); });
      if (at.empty()) continue;  // no data
      bool one = true;
      for (std::size_t i = 1; i < at.size(); i++) one &= at[i] == at[i - 1] + 1;
      EXPECT_EQ(s.type->in_one_block(count), one) << count << " elements";
      if (!one) continue;
      EXPECT_EQ(s.type->block_at(nullptr), reinterpret_cast<std::byte*>(at[0]));
      displaced += at[0] != 0;
    }
  });
  EXPECT_GT(displaced, rounds / 100);
}

TEST(property, elements_of_every_length) {
  for_samples([](type_maker&, const sample& s) {
    for (std::int64_t bytes = 0; bytes <= 2 * s.map.size() + 3; bytes++)
      ASSERT_EQ(elements_in(*s.type, bytes), s.map.elements_in(bytes)) << bytes;
    std::int64_t bytes = 0, elements = 0;
    for (int repeat = 0; repeat < 3; repeat++)
      for (auto& i : s.map.items) {
        ASSERT_EQ(bytes_of(*s.type, elements++), bytes);
        bytes += info(i.kind).size;
      }
  });
}

// The size of a program follows the description, which has at most a dozen numbers a level here.
TEST(property, programs_stay_small) {
  for_samples([](type_maker&, const sample& s) {
    const program* p = s.type->compiled();
    EXPECT_LE(p->nodes(), 2 * s.map.items.size() + 2);
    EXPECT_LE(p->depth(), 20);
  });
}

}  // namespace
}  // namespace loadstone::datatype::property_test
