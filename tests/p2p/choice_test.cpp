// Which way a receiver takes, as a table: every combination of what it is chosen from.
#include "p2p/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "p2p/arrival.hpp"
#include "p2p/protocols/adverts.hpp"
#include "p2p/protocols/eager.hpp"
#include "p2p/protocols/pipeline.hpp"
#include "p2p/protocols/shared_copy.hpp"

namespace loadstone::p2p {
namespace {

std::vector<transfer> all_transfers() {
  std::vector<transfer> all;
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{32 * 1024}, std::int64_t{1} << 20})
    for (std::uint32_t wish = 0; wish < 4; ++wish)
      for (unsigned bits = 0; bits < 256; ++bits) {
        const auto bit = [&](unsigned i) { return (bits >> i & 1u) != 0; };
        const transfer t{bytes, wish, bit(0), false, bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7)};
        // What can be: an arena is only offered where it can be mapped, by an address; in ours lies one block.
        if (t.theirs_in_arena && !(t.mapped && t.theirs_named)) continue;
        if (t.ours_in_arena && !t.ours_one_block) continue;
        if (t.theirs_named && !t.mapped) continue;
        all.push_back(t);
      }
  return all;
}

limits settings(bool both) {
  engine_config wanted;
  wanted.both_sides = both ? 1 : 0;
  return limits_of(wanted, {.cores = 2, .processes = 2});
}

// It can be gone, and none that is barred is taken: whatever happens, the last one is there.
TEST(choice, every_transfer_has_a_way_that_can_be_gone) {
  for (const bool both : {false, true}) {
    const limits config = settings(both);
    for (const transfer& t : all_transfers()) {
      std::uint8_t barred = 0;
      for (int tried = 0;; ++tried) {
        ASSERT_LT(tried, 6);
        const auto way = choice::of(t, config, barred);
        if (way == choice::pipelined_at_last) break;
        EXPECT_EQ(barred & 1u << way, 0u);
        const bool one_block = t.theirs_one_block && t.ours_one_block;
        const bool kernel = t.kernel && t.theirs_named;
        switch (way) {
          case choice::pipelined_by_wish:
            EXPECT_TRUE(t.waits && t.wish == pipeline_all);
            break;
          case choice::both_sides:
            EXPECT_TRUE(both && one_block && (t.theirs_in_arena || kernel));
            break;
          case choice::direct:
            EXPECT_TRUE(t.theirs_in_arena);
            break;
          case choice::single_copy:
            EXPECT_TRUE(kernel);
            break;
          case choice::push:
            EXPECT_TRUE(t.ours_in_arena && t.mapped);
            break;
          case choice::pipelined_at_last:
            break;
          case choice::not_yet:
            FAIL() << "for ever";
        }
        barred |= static_cast<std::uint8_t>(1u << way);
      }
    }
  }
}

TEST(choice, the_order_of_cost) {
  const limits config = settings(true);
  const std::int64_t large = 1 << 20;
  // Nothing is mapped of the data; the kernel may copy.
  transfer t{large, pipeline_waits, true, false, true, true, false, true, true, false, true};
  EXPECT_EQ(choice::of(t, config, 0), choice::both_sides);
  EXPECT_EQ(choice::of(t, config, 1u << choice::both_sides), choice::single_copy);
  EXPECT_EQ(choice::of(t, settings(false), 0), choice::single_copy);
  t.wish = pipeline_all;
  EXPECT_EQ(choice::of(t, config, 0), choice::pipelined_by_wish);
  // A sender that does not wait yet is given a moment; what is in an arena has nothing to gain.
  t.wish = pipeline_nothing;
  EXPECT_EQ(choice::of(t, config, 0), choice::both_sides);
  t.patient = true;
  EXPECT_EQ(choice::of(t, config, 0), choice::not_yet);
  t.ours_in_arena = true;
  EXPECT_NE(choice::of(t, config, 0), choice::not_yet);
  t.ours_in_arena = t.patient = false;
  t.wish = pipeline_all;
  t.waits = false;
  EXPECT_EQ(choice::of(t, config, 0), choice::both_sides);
  t.kernel = false;
  EXPECT_EQ(choice::of(t, config, 0), choice::pipelined_at_last);
  t.ours_in_arena = true;
  EXPECT_EQ(choice::of(t, config, 0), choice::push);
  // One can be mapped: who maps it copies alone up to a MiB, if the other is there.
  t.kernel = true;
  t.bytes = large - 1;
  EXPECT_EQ(choice::of(t, config, 0), choice::push);
  t.wish = pipeline_nothing;
  EXPECT_EQ(choice::of(t, config, 0), choice::both_sides);
  t.ours_in_arena = false;
  t.theirs_in_arena = true;
  EXPECT_EQ(choice::of(t, config, 0), choice::direct);
  t.bytes = large;
  EXPECT_EQ(choice::of(t, config, 0), choice::both_sides);
}

constexpr surroundings enough{.cores = 4, .processes = 4}, crowded{.cores = 2, .processes = 4};
constexpr auto inline_bytes = static_cast<std::int64_t>(inline_payload);
using model::way;
constexpr model::reach ordinary{}, no_vm{.kernel = false},
    shared{.source_mapped = true, .target_mapped = true}, sends{.source_mapped = true},
    receives{.target_mapped = true};

TEST(first_way, by_size_between_ends_that_wait) {
  const limits l = limits_of({}, enough);
  const auto taken = [&](std::int64_t n) { return first_way_of(l, n, ordinary).which; };
  EXPECT_EQ(taken(0), way::short_message);
  EXPECT_EQ(taken(inline_bytes), way::short_message);
  EXPECT_EQ(taken(inline_bytes + 1), way::eager);
  EXPECT_EQ(taken(65535), way::eager);
  EXPECT_EQ(taken(256 * 1024), way::at_once) << "one block that nobody answers";
  EXPECT_EQ(taken(256 * 1024 + 1), way::pipelined);
  EXPECT_EQ(taken(1 << 30), way::pipelined);
  EXPECT_EQ(taken((1 << 30) + std::int64_t{1}), way::both_sides);
}

TEST(first_way, of_who_does_not_wait) {
  const limits l = limits_of({}, enough);
  constexpr model::reach away{.waits = false}, no_vm_away{.kernel = false, .waits = false};
  EXPECT_EQ(first_way_of(l, 65535, away).which, way::eager);
  EXPECT_EQ(first_way_of(l, 256 * 1024 - 1, away).which, way::at_once) << "less than a block";
  EXPECT_EQ(first_way_of(l, 256 * 1024, away).which, way::both_sides);
  EXPECT_EQ(first_way_of(l, 256 * 1024, no_vm_away).which, way::pipelined);
  EXPECT_EQ(first_way_of(limits_of({}, crowded), 65537, away).which, way::single_copy);
  EXPECT_EQ(first_way_of(limits_of(
                             [] {
                               engine_config c;
                               c.eager_limit = 100;
                               return c;
                             }(),
                             enough),
                         101, away)
                .which,
            way::single_copy)
      << "too short to be shared";
}

TEST(first_way, of_memory_that_can_be_mapped) {
  const limits l = limits_of({}, enough);
  const auto taken = [&](std::int64_t n, model::reach r, bool waits = true) {
    r.waits = waits;
    return first_way_of(l, n, r).which;
  };
  EXPECT_EQ(taken(16384, shared), way::eager);
  EXPECT_EQ(taken(16385, shared), way::direct) << "too short to be shared";
  EXPECT_EQ(taken(32768, shared), way::direct_both);
  EXPECT_EQ(taken(65536, sends), way::direct);
  EXPECT_EQ(taken(1 << 20, sends), way::both_sides);
  EXPECT_EQ(taken(65535, receives), way::eager);
  EXPECT_EQ(taken(300'000, receives), way::push);
  EXPECT_EQ(taken(300'000, receives, false), way::both_sides);
  EXPECT_EQ(taken(1 << 20, receives), way::both_sides);
  EXPECT_EQ(taken(1 << 20, {.kernel = false, .source_mapped = true}), way::direct);
  EXPECT_EQ(taken(1 << 20, {.kernel = false, .target_mapped = true}, false), way::push);
}

TEST(first_way, into_a_receive_that_the_sender_knows_of) {
  const limits l = limits_of({}, enough);
  const auto taken = [&](std::int64_t n, model::reach r) {
    r.waits = false;
    r.told = true;
    return first_way_of(l, n, r).which;
  };
  EXPECT_EQ(taken(65535, ordinary), way::eager);
  EXPECT_EQ(taken(l.least_advertised - 1, ordinary), way::at_once) << "too short to be told of";
  EXPECT_EQ(taken(l.least_advertised, ordinary), way::advert);
  EXPECT_EQ(taken(1 << 20, receives), way::advert);
  EXPECT_EQ(taken(1 << 20, no_vm), way::pipelined) << "the sender cannot reach the buffer";
  EXPECT_EQ(first_way_of(l, 1 << 20, {.waits = false}).which, way::both_sides) << "nobody has told it";
}

// The head of a way says what it costs; so each cost of the model belongs to one way.
TEST(ways, name_the_costs_of_the_model) {
  std::vector<way> named;
  const auto add = [&](const auto& costs) { named.insert(named.end(), costs.begin(), costs.end()); };
  add(eager::modelled);
  add(pipeline::modelled);
  add(shared_copy::modelled);
  add(adverts::modelled);
  std::sort(named.begin(), named.end());
  ASSERT_EQ(named.size(), model::ways);
  for (std::size_t i = 0; i < named.size(); ++i) EXPECT_EQ(named[i], static_cast<way>(i));
}

// Whatever is taken is possible, by the model's own account.
TEST(first_way, is_always_a_possible_one) {
  for (const surroundings& here : {enough, crowded})
    for (const int how : {0, 1, 2})
      for (model::reach r : {ordinary, no_vm, shared, sends, receives})
        for (std::int64_t n = 1; n <= std::int64_t{1} << 31; n *= 2) {
          const limits l = limits_of({}, here);
          r.cores = here.cores >= here.processes;
          r.waits = how == 1;
          r.told = how == 2;
          r.both = l.both_sides != 0;
          const first_way taken = first_way_of(l, n, r);
          EXPECT_GT(model::predict(taken.which, n, model::built_in(), r), 0)
              << n << ' ' << model::name_of(taken.which) << ": "
              << model::why_not(taken.which, n, model::built_in(), r);
          EXPECT_STRNE(taken.because, "");
        }
}

}  // namespace
}  // namespace loadstone::p2p
