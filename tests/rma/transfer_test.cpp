// Put and get against an obvious oracle: random types at both ends, every kind of window,
// ranks as threads and as processes.
#include <fmt/format.h>

#include "datatype/random_types.hpp"
#include "rma/windows.hpp"

namespace loadstone::test::transfer_test {
namespace {

using datatype::basic;
using datatype::builder;
using datatype::held;
using datatype::named;
using rma::flavor;
using rma::local_data;
using rma::remote_data;
using rma::wrong;

struct setting {
  const char* name;
  flavor kind;
  bool in_segment;
  std::uint32_t ranks;
  bool processes;
  rma::way way;  // to others
  bool vm = true;
  transport::choice::rule_kind transport = transport::choice::rule_kind::mapped;
  bool threads = false;
  std::uint32_t lost = 0;
  rma::engine_config::owners help = rma::engine_config::owners::automatic;
  std::uint32_t collections = 256;
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
  return out << s.name;
}

constexpr auto mapped = transport::choice::rule_kind::mapped, poor = transport::choice::rule_kind::poor;
constexpr auto never = rma::engine_config::owners::never, always = rma::engine_config::owners::always;
constexpr std::int64_t window_bytes = 48 * 1024;

std::byte pattern(std::uint32_t rank, std::size_t i) {
  return static_cast<std::byte>((i + 977 * rank) * 2654435761u >> 13);
}

// Any cut of so many bytes: blocks of bytes with gaps, in any order.
held cut(datatype::type_maker& maker, std::int64_t bytes, std::int64_t* span) {
  std::vector<std::int64_t> lengths, places;
  const std::int64_t most = maker.chance(50) ? 9 : 700;
  std::int64_t at = 0;
  for (std::int64_t left = bytes; left > 0;) {
    const std::int64_t length = std::min(left, maker.pick(1, most));
    lengths.push_back(length);
    places.push_back(at);
    at += length + (maker.chance(30) ? 0 : maker.pick(0, 20));
    left -= length;
  }
  if (maker.chance(20)) {
    std::reverse(lengths.begin(), lengths.end());
    std::reverse(places.begin(), places.end());
  }
  *span = at;
  return builder::hindexed(lengths, places, named(basic::byte));
}

rma::trouble flush(rma::window& w, std::int32_t rank) {
  const std::lock_guard hold(w.engine().endpoint().gate());
  return w.flush(rank);
}

class transfer : public ::testing::TestWithParam<setting> {
 protected:
  void run(const body& what) {
    const setting& s = GetParam();
    deposit::endpoint_config config;
    config.vm = s.vm;
    config.transport.rule = s.transport;
    config.transport.integrity = s.lost != 0;
    config.transport.lost = s.lost;
    config.threads = s.threads;
    config.progress = s.threads ? deposit::endpoint_config::progress_kind::on
                                : deposit::endpoint_config::progress_kind::off;
    (s.processes ? run_processes : run_threads)(s.ranks, config, {}, what, {});
  }
};

rma::part part_of(const setting& s, std::uint32_t rank, std::int64_t unit, void* memory) {
  rma::part mine{.kind = s.kind, .bytes = window_bytes, .unit = unit};
  if (s.kind == flavor::created) mine.base = memory;
  if (s.in_segment)
    mine.in_segment = true, mine.before = rank * window_bytes,
    mine.segment = rank == 0 ? s.ranks * window_bytes : 0;
  if (s.kind == flavor::dynamic) mine.bytes = 0, mine.unit = 1;
  return mine;
}

TEST_P(transfer, does_what_the_oracle_does) {
  const std::uint64_t seed = datatype::run_seed();
  run([&](node& n) {
    const setting& s = GetParam();
    member me(n, {.help = s.help, .collections = s.collections});
    // Both: ordinary memory, which every rank has at another address, and memory of the arena.
    std::vector<std::byte> ordinary(window_bytes);
    auto window = me.make(part_of(s, me.self(), 1 + 2 * (me.self() % 3), ordinary.data()));
    std::byte* memory = window->memory();
    std::vector<std::uint64_t> bases(s.ranks);
    if (s.kind == flavor::dynamic) {
      // One half in the arena, and the other not; in the order of their addresses.
      memory = ordinary.data();
      EXPECT_TRUE(window->attach(memory, 1000).ok());
      EXPECT_TRUE(window->attach(memory + 1000, window_bytes - 1000).ok());
      // Tells where: by a window of its own.
      auto places = me.make({.kind = flavor::allocated, .bytes = 8});
      std::memcpy(places->memory(), &memory, 8);
      me.barrier();
      for (std::uint32_t r = 0; r < s.ranks; ++r)
        EXPECT_TRUE(places
                        ->get(static_cast<std::int32_t>(r), {&bases[r], 8, &named(basic::byte)},
                              {0, 8, &named(basic::byte)})
                        .ok());
      me.free(std::move(places));
    }
    for (std::size_t i = 0; i < window_bytes; ++i) memory[i] = pattern(me.self(), i);
    std::vector<std::vector<std::byte>> shadow(s.ranks, std::vector<std::byte>(window_bytes));
    for (std::uint32_t r = 0; r < s.ranks; ++r)
      for (std::size_t i = 0; i < window_bytes; ++i) shadow[r][i] = pattern(r, i);
    me.barrier();

    std::size_t done = 0, refused = 0;
    for (std::uint64_t round = 0; round < 600; ++round) {
      datatype::type_maker maker(seed + round);  // the same at all ranks
      const auto origin = static_cast<std::uint32_t>(maker.pick(0, s.ranks - 1));
      const auto target = static_cast<std::uint32_t>(maker.pick(0, s.ranks - 1));
      const auto t = maker.make(static_cast<int>(round % 4));
      ASSERT_TRUE(t.type->commit().ok());
      const std::int64_t count = maker.chance(30) ? maker.pick(0, 500) : maker.pick(0, 5);
      const std::int64_t bytes = count * t.type->size();
      if (bytes > 20000 || !t.map.disjoint(count)) continue;
      const std::int64_t unit = s.kind == flavor::dynamic ? 1 : 1 + 2 * (target % 3);
      const std::int64_t place = maker.pick(-20, window_bytes + 20) / unit;
      std::int64_t low = INT64_MAX, high = INT64_MIN;
      t.map.each_byte(count, [&](std::int64_t d) {
        low = std::min(low, place * unit + d);
        high = std::max(high, place * unit + d + 1);
      });
      const bool inside = bytes == 0 || (low >= 0 && high <= window_bytes);
      // Of what an owner finds wrong some may have been done: the pieces that were right.
      if (!inside && s.way == rma::way::asked && count > 5) continue;
      std::int64_t span = 0;
      const held here = cut(maker, bytes, &span);
      ASSERT_TRUE(here->commit().ok());
      const bool put = maker.chance(50);
      SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {} {} {} x {} at {}", seed, round, origin,
                               put ? "puts to" : "gets from", target, t.text, place));
      auto* const there = shadow[target].data() + place * unit;
      std::vector<std::byte> local(static_cast<std::size_t>(span) + 64), expected;
      for (std::size_t i = 0; i < local.size(); ++i) local[i] = pattern(static_cast<std::uint32_t>(round), i);
      expected = local;
      if (inside && put)
        datatype::transfer(there, count, *t.type, local.data() + 32, 1, *here);
      else if (inside)
        datatype::transfer(expected.data() + 32, 1, *here, there, count, *t.type);
      if (origin == me.self() && !::testing::Test::HasFailure()) {
        const auto rank = static_cast<std::int32_t>(target);
        const remote_data where{place + static_cast<std::int64_t>(bases[target]), count, t.type.get()};
        const local_data mine{local.data() + 32, 1, here.get()};
        rma::trouble end = put ? window->put(rank, mine, where) : window->get(rank, mine, where);
        const rma::trouble later = flush(*window, rank);  // what its owner has found wrong with a put
        if (end.ok()) end = later;
        if (inside) {
          EXPECT_TRUE(end.ok()) << end.why.what;
          ++done;
        } else {
          const auto from = static_cast<std::int64_t>(bases[target]);
          EXPECT_EQ(end.what, s.kind == flavor::dynamic ? wrong::unattached : wrong::outside);
          EXPECT_EQ(end.from, low + from);
          EXPECT_EQ(end.to, high + from);
          ++refused;
        }
        EXPECT_TRUE(local == expected);
        EXPECT_FALSE(window->outstanding());
      }
      me.barrier();
    }
    EXPECT_TRUE(std::memcmp(memory, shadow[me.self()].data(), window_bytes) == 0) << "rank " << me.self();
    EXPECT_GT(done, 0u);
    for (std::uint32_t r = 0; r < s.ranks; ++r) {
      const rma::target* const t = window->known(static_cast<std::int32_t>(r));
      if (t != nullptr && s.kind != flavor::dynamic) {
        EXPECT_EQ(t->way, r == me.self() ? rma::way::direct : s.way);
      }
    }
    me.free(std::move(window));
  });
}

INSTANTIATE_TEST_SUITE_P(
    windows, transfer,
    ::testing::Values(
        setting{"alone", flavor::created, false, 1, false, rma::way::direct},
        setting{"created", flavor::created, false, 2, false, rma::way::system},
        setting{"created_processes", flavor::created, false, 3, true, rma::way::system},
        setting{"by_calls", flavor::created, false, 2, false, rma::way::system, true, mapped, false, 0, never,
                0},
        setting{"by_calls_processes", flavor::created, false, 3, true, rma::way::system, true, mapped, false,
                0, never},
        setting{"by_calls_dynamic", flavor::dynamic, false, 2, true, rma::way::system, true, mapped, false, 0,
                never},
        setting{"by_owners", flavor::created, false, 2, false, rma::way::system, true, mapped, false, 0,
                always},
        setting{"by_owners_processes", flavor::created, false, 3, true, rma::way::system, true, mapped, false,
                0, always, 0},
        setting{"by_owners_threads", flavor::created, false, 2, true, rma::way::system, true, mapped, true, 0,
                always},
        setting{"by_owners_dynamic", flavor::dynamic, false, 3, true, rma::way::system, true, mapped, false,
                0, always},
        setting{"allocated", flavor::allocated, false, 2, false, rma::way::direct},
        setting{"allocated_processes", flavor::allocated, false, 3, true, rma::way::direct},
        setting{"shared", flavor::shared, false, 3, true, rma::way::direct},
        setting{"segment", flavor::shared, true, 3, true, rma::way::direct},
        setting{"segment_threads", flavor::shared, true, 2, false, rma::way::direct},
        setting{"dynamic", flavor::dynamic, false, 2, false, rma::way::system},
        setting{"dynamic_processes", flavor::dynamic, false, 3, true, rma::way::system},
        setting{"asked", flavor::created, false, 2, false, rma::way::asked, false},
        setting{"asked_processes", flavor::created, false, 3, true, rma::way::asked, false},
        setting{"asked_dynamic", flavor::dynamic, false, 3, true, rma::way::asked, false},
        setting{"asked_threads", flavor::created, false, 2, true, rma::way::asked, false, mapped, true},
        setting{"poor_created", flavor::created, false, 2, true, rma::way::asked, true, poor},
        setting{"poor_allocated", flavor::allocated, false, 3, true, rma::way::asked, true, poor},
        setting{"poor_dynamic", flavor::dynamic, false, 2, true, rma::way::asked, true, poor},
        setting{"poor_loses", flavor::allocated, false, 2, true, rma::way::asked, true, poor, false, 10000}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace loadstone::test::transfer_test
