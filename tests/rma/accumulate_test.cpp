// Accumulates against an obvious oracle, and against each other: random layouts, every kind of
// element, every kind of window, ranks as threads and as processes.
#include "rma/accumulate.hpp"

#include <fmt/format.h>

#include "datatype/definition.hpp"
#include "datatype/numbers.hpp"
#include "datatype/random_types.hpp"
#include "rma/bulk.hpp"
#include "rma/ranges.hpp"
#include "rma/windows.hpp"

namespace loadstone::test::accumulate_test {
namespace {

using datatype::builder;
using datatype::held;
using datatype::number;
using datatype::op_kind;
using rma::flavor;
using rma::local_data;
using rma::remote_data;

using owners = rma::engine_config::owners;

struct setting {
  const char* name;
  flavor kind;
  std::uint32_t ranks;
  bool processes;
  bool vm = true;
  transport::choice::rule_kind transport = transport::choice::rule_kind::mapped;
  owners help = owners::automatic;  // of ordinary memory
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
  return out << s.name;
}

constexpr auto mapped = transport::choice::rule_kind::mapped, poor = transport::choice::rule_kind::poor,
               mixed = transport::choice::rule_kind::mixed;
constexpr std::int64_t window_bytes = 200 * 1024;
using numbers = std::vector<std::int64_t>;

const datatype::op& operation(op_kind kind) {
  for (int abi = 0x20; abi < 0x40; abi++)
    if (const auto* o = datatype::predefined_op(abi); o != nullptr && o->kind() == kind) return *o;
  __builtin_trap();
}

class accumulates : public ::testing::TestWithParam<setting> {
 protected:
  void run(const body& what, std::uint32_t ranks = 0) {
    const setting& s = GetParam();
    deposit::endpoint_config config;
    config.threads = !s.processes && ranks != 0;
    config.vm = s.vm;
    config.transport.rule = s.transport;
    (s.processes ? run_processes : run_threads)(ranks != 0 ? ranks : s.ranks, config, {}, what, {});
  }
};

// A window of every member, and where it begins at each (dynamic windows: its address).
struct opened {
  std::vector<std::uint64_t> ordinary;
  std::unique_ptr<rma::window> window;
  std::byte* memory = nullptr;
  std::vector<std::int64_t> bases;

  opened(member& me, flavor kind) : ordinary(window_bytes / 8), bases(me.size()) {
    rma::part mine{.kind = kind, .bytes = window_bytes};
    if (kind == flavor::created) mine.base = ordinary.data();
    if (kind == flavor::dynamic) mine.bytes = 0;
    window = me.make(mine);
    memory = window->memory();
    if (kind == flavor::dynamic) {
      memory = reinterpret_cast<std::byte*>(ordinary.data());
      EXPECT_TRUE(window->attach(memory, window_bytes).ok());
      auto places = me.make({.kind = flavor::allocated, .bytes = 8});
      std::memcpy(places->memory(), &memory, 8);
      me.barrier();
      for (std::uint32_t r = 0; r < me.size(); ++r)
        EXPECT_TRUE(places
                        ->get(static_cast<std::int32_t>(r), {&bases[r], 8, &named(datatype::basic::byte)},
                              {0, 8, &named(datatype::basic::byte)})
                        .ok());
      me.free(std::move(places));
    }
    std::memset(memory, 0, window_bytes);
    me.barrier();
  }
  // All that was begun is there.
  void settle(member& me) {
    {
      const std::lock_guard hold(me.gate());
      EXPECT_TRUE(window->flush_all().ok());
    }
    me.barrier();
  }
};

// Some elements of a named type: blocks of a few, anywhere, perhaps one over another.
struct layout {
  const datatype::type* element;
  numbers lengths, places;
  held type;
  std::int64_t elements = 0, end = 0;

  layout(datatype::type_maker& maker, const datatype::type& e, std::int64_t count, bool overlaps)
      : element(&e), elements(count) {
    const std::int64_t most = maker.chance(30)   ? count
                              : maker.chance(50) ? 1
                                                 : 20,
                       loose = overlaps || maker.chance(50) ? e.extent() : 1;
    for (std::int64_t left = count; left > 0;) {
      const std::int64_t length = std::min(left, maker.pick(1, most));
      std::int64_t at = end + loose * maker.pick(0, 3);
      if (overlaps && maker.chance(50)) at = maker.pick(0, 10) * e.extent();
      lengths.push_back(length);
      places.push_back(at);
      end = std::max(end, at + length * e.extent());
      left -= length;
    }
    if (maker.chance(25)) {
      std::reverse(lengths.begin(), lengths.end());
      std::reverse(places.begin(), places.end());
    }
    type = builder::hindexed(lengths, places, e);
    if (lengths.size() == 1 && places[0] == 0 && maker.chance(70))
      type = builder::contiguous(count, e);
    else if (maker.chance(10) && end % 2 == 0)
      type = builder::dup(*type);
    EXPECT_TRUE(type->commit().ok());
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t b = 0; b < lengths.size(); ++b)
      for (std::int64_t i = 0; i < lengths[b]; ++i) visit(places[b] + i * element->extent());
  }
};

void write_element(datatype::type_maker& maker, const datatype::type& t, std::byte* to) {
  const auto kind = t.single_named();
  auto small = [&] { return static_cast<long double>(maker.pick(-2, 2)); };
  auto put = [&](datatype::basic b, std::int64_t at) {
    std::byte room[32] = {};
    datatype::write(datatype::info(b).form, {small(), small()}, room);
    std::memcpy(to + at, room, datatype::info(b).size);
  };
  put(kind.value, 0);
  if (kind.index != datatype::basic::none) put(kind.index, datatype::second_offset(kind.value, kind.index));
}

// The bytes of a long double that mean nothing are not compared.
bool same(const datatype::type& t, const std::byte* a, const std::byte* b) {
  const auto kind = t.single_named();
  auto part = [&](datatype::basic which, std::int64_t at) {
    const auto& info = datatype::info(which);
    for (std::size_t i = 0; i < info.size; ++i) {
      const bool used = (info.form != number::extended && info.form != number::c_extended) || i % 16 < 10;
      if (used && a[at + static_cast<std::int64_t>(i)] != b[at + static_cast<std::int64_t>(i)]) return false;
    }
    return true;
  };
  return part(kind.value, 0) && (kind.index == datatype::basic::none ||
                                 part(kind.index, datatype::second_offset(kind.value, kind.index)));
}

TEST_P(accumulates, do_what_the_oracle_does) {
  const std::uint64_t seed = datatype::run_seed();
  run([&](node& n) {
    const setting& s = GetParam();
    member me(n, {.help = GetParam().help});
    opened at(me, s.kind);
    std::vector<const datatype::type*> types;
    for (int abi = 0x200; abi < 0x300; ++abi)
      if (const auto* t = datatype::predefined_type(abi)) types.push_back(t);
    std::size_t done = 0;
    for (std::uint64_t round = 0; round < 800 && !::testing::Test::HasFailure(); ++round) {
      datatype::type_maker maker(seed + round);  // the same at all ranks
      const auto origin = static_cast<std::uint32_t>(maker.pick(0, s.ranks - 1));
      const auto target = static_cast<std::uint32_t>(maker.pick(0, s.ranks - 1));
      const datatype::type& element =
          *types[static_cast<std::size_t>(maker.pick(0, static_cast<std::int64_t>(types.size()) - 1))];
      const datatype::op* op = nullptr;
      do op = datatype::predefined_op(static_cast<int>(maker.pick(0x20, 0x3f)));
      while (op == nullptr || !op->defined_on(element));
      const std::int64_t count = maker.chance(15)   ? maker.pick(500, 3000)
                                 : maker.chance(30) ? 1
                                                    : maker.pick(1, 40);
      // (A product of a place with itself again and again leaves the numbers that are exact.)
      const layout there(maker, element, count, op->kind() != op_kind::prod && maker.chance(30)),
          here(maker, element, count, false), back(maker, element, count, false);
      const std::int64_t from =
          maker.chance(50) ? maker.pick(0, 30) * element.extent() : maker.pick(0, 40000);
      if (from + there.end > window_bytes) continue;
      const bool fetches = maker.chance(50);
      SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {} {} on {} {} x {} at {}, {} blocks{}",
                               seed, round, origin, op->name(), target, element.name(), count, from,
                               there.lengths.size(), fetches ? ", fetched" : ""));
      if (target == me.self())
        there.each([&](std::int64_t d) { write_element(maker, element, at.memory + from + d); });
      at.settle(me);
      const auto rank = static_cast<std::int32_t>(target);
      if (origin == me.self()) {
        std::vector<std::byte> in(static_cast<std::size_t>(here.end)),
            out(static_cast<std::size_t>(back.end)), shadow(static_cast<std::size_t>(there.end)),
            after(shadow.size());
        here.each([&](std::int64_t d) { write_element(maker, element, in.data() + d); });
        const auto whole = [&](std::vector<std::byte>& copy) {
          return local_data{copy.data(), static_cast<std::int64_t>(copy.size()),
                            &named(datatype::basic::byte)};
        };
        const remote_data window{from + at.bases[target], there.end, &named(datatype::basic::byte)};
        EXPECT_TRUE(at.window->get(rank, whole(shadow), window).ok());
        const bool reads = op->kind() != op_kind::no_op;
        const local_data given = reads ? local_data{in.data(), 1, here.type.get()}
                                       : local_data{nullptr, 0, here.type.get()},
                         result{out.data(), 1, back.type.get()};
        const rma::trouble end = rma::accumulate(*at.window, rank, given, fetches ? &result : nullptr,
                                                 {from + at.bases[target], 1, there.type.get()}, *op);
        EXPECT_TRUE(end.ok()) << end.why.what;
        EXPECT_TRUE(at.window->get(rank, whole(after), window).ok());
        // One element after the other.
        numbers sources, places, results;
        here.each([&](std::int64_t d) { sources.push_back(d); });
        there.each([&](std::int64_t d) { places.push_back(d); });
        back.each([&](std::int64_t d) { results.push_back(d); });
        for (std::size_t i = 0; i < places.size(); ++i) {
          std::byte* const old = shadow.data() + places[i];
          if (fetches) {
            EXPECT_TRUE(same(element, out.data() + results[i], old)) << "result " << i;
          }
          op->apply(in.data() + sources[i], old, 1, element);
        }
        for (const std::int64_t d : places) EXPECT_TRUE(same(element, after.data() + d, shadow.data() + d));
        // And nothing else has been changed.
        there.each([&](std::int64_t d) {
          std::memset(after.data() + d, 0, static_cast<std::size_t>(element.extent()));
          std::memset(shadow.data() + d, 0, static_cast<std::size_t>(element.extent()));
        });
        EXPECT_EQ(after, shadow);
        ++done;
      }
      at.settle(me);
    }
    EXPECT_GT(done, 0u);
    me.free(std::move(at.window));
  });
}

TEST_P(accumulates, fetch_and_op_and_compare_and_swap) {
  run([&](node& n) {
    const setting& s = GetParam();
    member me(n, {.help = GetParam().help});
    opened at(me, s.kind);
    for (int abi = 0x200; abi < 0x300; ++abi) {
      const auto* const t = datatype::predefined_type(abi);
      if (t == nullptr) continue;
      SCOPED_TRACE(t->name());
      for (std::uint32_t r = 0; r < me.size(); ++r) {
        datatype::type_maker maker(static_cast<std::uint64_t>(abi));
        const auto rank = static_cast<std::int32_t>(r);
        // A place for each origin; aligned and not.
        for (const std::int64_t place : {64 * 8 * me.self(), 64 * (8 * me.self() + 1) + 3}) {
          const std::int64_t where = place + at.bases[r];
          alignas(16) std::byte a[64] = {}, b[64] = {}, got[64] = {};
          write_element(maker, *t, a);
          write_element(maker, *t, b);
          const auto& replace = operation(op_kind::replace);
          EXPECT_TRUE(rma::fetch_and_op(*at.window, rank, a, got, *t, where, replace).ok());
          EXPECT_TRUE(rma::fetch_and_op(*at.window, rank, b, got, *t, where, replace).ok());
          EXPECT_TRUE(same(*t, got, a));
          EXPECT_TRUE(
              rma::fetch_and_op(*at.window, rank, nullptr, got, *t, where, operation(op_kind::no_op)).ok());
          EXPECT_TRUE(same(*t, got, b));
          if (operation(op_kind::sum).defined_on(*t)) {
            EXPECT_TRUE(rma::fetch_and_op(*at.window, rank, a, got, *t, where, operation(op_kind::sum)).ok());
            EXPECT_TRUE(same(*t, got, b));
            operation(op_kind::sum).apply(a, b, 1, *t);
          }
          const auto kind = t->single_named();
          if (kind.index != datatype::basic::none ||
              datatype::info(kind.value).group == datatype::group::floating ||
              datatype::info(kind.value).group == datatype::group::complex)
            continue;
          std::byte other[64] = {};
          std::memcpy(other, b, sizeof other);
          other[t->size() - 1] ^= std::byte{0x40};
          EXPECT_TRUE(rma::compare_and_swap(*at.window, rank, a, other, got, *t, where).ok());
          EXPECT_TRUE(same(*t, got, b));
          EXPECT_TRUE(rma::compare_and_swap(*at.window, rank, other, b, got, *t, where).ok());
          EXPECT_TRUE(same(*t, got, b));
          EXPECT_TRUE(rma::compare_and_swap(*at.window, rank, a, b, got, *t, where).ok());
          EXPECT_TRUE(same(*t, got, other));
        }
      }
    }
    std::byte none[16] = {};
    const auto& t = named(datatype::basic::int64);
    if (s.kind != flavor::dynamic) {
      for (const std::int64_t where : {std::int64_t{-1}, window_bytes - 7, INT64_MAX}) {
        EXPECT_EQ(rma::fetch_and_op(*at.window, 0, none, none, t, where, operation(op_kind::sum)).what,
                  rma::wrong::outside);
        EXPECT_EQ(rma::compare_and_swap(*at.window, 0, none, none, none, t, where).what, rma::wrong::outside);
      }
      EXPECT_TRUE(
          rma::accumulate(*at.window, 0, {none, 0, &t}, nullptr, {INT64_MAX, 0, &t}, operation(op_kind::sum))
              .ok());
    }
    me.free(std::move(at.window));
  });
}

// What all ranks add to one rank's memory is all there in the end: by single elements and by
// thousands, in ranges that overlap, at both ends of what atomic instructions can do.
TEST_P(accumulates, lose_nothing) {
  run(
      [&](node& n) {
        const setting& s = GetParam();
        member me(n, {.help = GetParam().help});
        opened at(me, s.kind);
        constexpr std::int64_t most = 10000, rounds = 40, singles = 50;
        const auto& sum = operation(op_kind::sum);
        struct trial {
          datatype::basic kind;
          std::int64_t offset;  // of the first element
          std::int64_t elements;
        };
        for (const trial& t : {trial{datatype::basic::double_, 0, most},
                               {datatype::basic::int32, 0, most},
                               {datatype::basic::int64, 4, most},
                               {datatype::basic::long_double, 0, most},
                               {datatype::basic::c_float_complex, 8, most},
                               {datatype::basic::int16, 6, most},
                               {datatype::basic::double_, 16, 3}}) {
          const datatype::type& type = named(t.kind);
          SCOPED_TRACE(fmt::format("{} at {}", type.name(), t.offset));
          if (me.self() == 0) std::memset(at.memory, 0, window_bytes);
          at.settle(me);
          std::vector<std::byte> ones(static_cast<std::size_t>(t.elements * type.size()));
          for (std::int64_t i = 0; i < t.elements; ++i)
            datatype::write(datatype::info(t.kind).form, {1, 1}, ones.data() + i * type.size());
          std::byte old[32];
          // The same numbers at all ranks, but in another order.
          for (std::int64_t round = 0; round < rounds; ++round) {
            const std::int64_t first = (round + me.self()) % 3 * 7 % t.elements;
            EXPECT_TRUE(rma::accumulate(
                            *at.window, 0, {ones.data(), t.elements - first, &type}, nullptr,
                            {at.bases[0] + t.offset + first * type.size(), t.elements - first, &type}, sum)
                            .ok());
            for (std::int64_t i = 0; i < singles; ++i) {
              const std::int64_t place = at.bases[0] + t.offset + (i * 211 % t.elements) * type.size();
              EXPECT_TRUE((i % 2 == 0 ? rma::fetch_and_op(*at.window, 0, ones.data(), old, type, place, sum)
                                      : rma::accumulate(*at.window, 0, {ones.data(), 1, &type}, nullptr,
                                                        {place, 1, &type}, sum))
                              .ok());
            }
          }
          at.settle(me);
          if (me.self() == 0) {
            std::vector<std::int64_t> expected(static_cast<std::size_t>(t.elements));
            for (std::uint32_t r = 0; r < me.size(); ++r)
              for (std::int64_t round = 0; round < rounds; ++round) {
                for (std::int64_t i = (round + r) % 3 * 7 % t.elements; i < t.elements; ++i)
                  ++expected[static_cast<std::size_t>(i)];
                for (std::int64_t i = 0; i < singles; ++i)
                  ++expected[static_cast<std::size_t>(i * 211 % t.elements)];
              }
            std::size_t wrong = 0;
            for (std::int64_t i = 0; i < t.elements; ++i)
              wrong += datatype::read(datatype::info(t.kind).form, at.memory + t.offset + i * type.size())
                                   .real() != static_cast<long double>(expected[static_cast<std::size_t>(i)])
                           ? 1
                           : 0;
            EXPECT_EQ(wrong, 0u);
          }
          at.settle(me);
        }
        me.free(std::move(at.window));
      },
      4);
}

// A counter by compare-and-swap loses nothing, the first use of the target included, while others
// change its neighbours by thousands: in a range that goes between instructions and bulk.
TEST_P(accumulates, compare_and_swap_beside_thousands) {
  run(
      [&](node& n) {
        const setting& s = GetParam();
        member me(n, {.help = GetParam().help});
        const datatype::type &type = named(datatype::basic::int64), &words = named(datatype::basic::uint64);
        constexpr std::int64_t windows = 20, adds = 150, elements = 1800;
        for (std::int64_t w = 0; w < windows; ++w) {
          opened at(me, s.kind);
          std::vector<std::int64_t> ones(elements, 1);
          std::int64_t seen = 0, done = 0;
          for (std::int64_t tries = 0; done < adds; ++tries) {
            std::int64_t next = seen + 1, got = 0;
            ASSERT_TRUE(rma::compare_and_swap(*at.window, 0, &next, &seen, &got, type, at.bases[0]).ok());
            if (got == seen) ++done;
            seen = got == seen ? next : got;
            if (done % 50 == 49 && got == next - 1) {
              ASSERT_TRUE(rma::accumulate(*at.window, 0, {ones.data(), elements, &words}, nullptr,
                                          {at.bases[0] + 8, elements, &words}, operation(op_kind::sum))
                              .ok());
            }
          }
          at.settle(me);
          if (me.self() == 0) {
            const auto* const there = reinterpret_cast<const std::int64_t*>(at.memory);
            EXPECT_EQ(there[0], adds * me.size());
            EXPECT_EQ(there[1], 3 * me.size());
            EXPECT_EQ(there[elements], 3 * me.size());
          }
          me.free(std::move(at.window));
        }
      },
      4);
}

// Elements 12 bytes apart are aligned by turns: whoever comes to one alone changes it by the same
// means as whoever comes to all of them.
TEST_P(accumulates, lose_nothing_where_some_are_aligned) {
  run(
      [&](node& n) {
        member me(n, {.help = GetParam().help});
        opened at(me, GetParam().kind);
        constexpr std::int64_t elements = 16, rounds = 3000;
        const auto& type = named(datatype::basic::int64);
        const auto& sum = operation(op_kind::sum);
        const held apart = builder::hvector(elements, 1, 12, type);
        ASSERT_TRUE(apart->commit().ok());
        const std::vector<std::int64_t> ones(elements, 1);
        std::int64_t old = 0;
        for (std::int64_t round = 0; round < rounds; ++round) {
          const rma::trouble done =
              me.self() % 2 == 0
                  ? rma::accumulate(*at.window, 0, {const_cast<std::int64_t*>(ones.data()), elements, &type},
                                    nullptr, {at.bases[0], 1, apart.get()}, sum)
                  : rma::fetch_and_op(*at.window, 0, ones.data(), &old, type,
                                      at.bases[0] + 12 * (round % elements), sum);
          EXPECT_TRUE(done.ok());
        }
        at.settle(me);
        if (me.self() == 0) {
          std::int64_t all = 0;
          for (std::int64_t i = 0; i < elements; ++i) {
            std::int64_t value = 0;
            std::memcpy(&value, at.memory + 12 * i, sizeof value);
            all += value;
          }
          EXPECT_EQ(all, 2 * rounds * elements + 2 * rounds);
        }
        at.settle(me);
        me.free(std::move(at.window));
      },
      4);
}

// Whoever reads by an accumulate sees whole elements, never halves of two.
TEST_P(accumulates, are_seen_whole) {
  run(
      [&](node& n) {
        const setting& s = GetParam();
        member me(n, {.help = GetParam().help});
        opened at(me, s.kind);
        const datatype::type* const pair = datatype::predefined_type(0x231);  // two doubles
        struct {
          const datatype::type* type;
          number part;
          std::int64_t parts;
        } const trials[] = {{pair, number::u64, 2},
                            {&named(datatype::basic::c_double_complex), number::u64, 2},
                            {&named(datatype::basic::integer16), number::u64, 2},
                            {&named(datatype::basic::int64), number::u32, 2},
                            {&named(datatype::basic::c_long_double_complex), number::u64, 4}};
        for (const auto& t : trials) {
          SCOPED_TRACE(t.type->name());
          if (me.self() == 0) std::memset(at.memory, 0, window_bytes);
          at.settle(me);
          const std::int64_t elements = 200, words = elements * t.parts;
          const std::int64_t bytes = t.part == number::u64 ? 8 : 4;
          std::vector<std::byte> mine(static_cast<std::size_t>(words * bytes)), got(mine.size());
          for (std::int64_t round = 1; round <= 1000; ++round) {
            // Vectors of 32 bytes begin within elements.
            const remote_data where{at.bases[0] + 8, elements, t.type};
            if (me.self() % 2 == 1) {
              const std::uint64_t value =
                  (static_cast<std::uint64_t>(round) << 3 | me.self()) * 0x1'0000'0001;
              for (std::int64_t i = 0; i < words; ++i)
                std::memcpy(mine.data() + i * bytes, &value, static_cast<std::size_t>(bytes));
              EXPECT_TRUE(rma::accumulate(*at.window, 0, {mine.data(), elements, t.type}, nullptr, where,
                                          operation(op_kind::replace))
                              .ok());
            } else {
              const local_data result{got.data(), elements, t.type};
              EXPECT_TRUE(rma::accumulate(*at.window, 0, {nullptr, 0, t.type}, &result, where,
                                          operation(op_kind::no_op))
                              .ok());
              for (std::int64_t i = 0; i < words; i += t.parts)
                for (std::int64_t p = 1; p < t.parts; ++p)
                  ASSERT_EQ(std::memcmp(got.data() + i * bytes, got.data() + (i + p) * bytes,
                                        static_cast<std::size_t>(bytes)),
                            0);
            }
          }
          at.settle(me);
        }
        me.free(std::move(at.window));
      },
      4);
}

// What comes by message waits for nobody: a lock that is held leaves the rest for later.
TEST_P(accumulates, are_left_for_later_where_a_lock_is_held) {
  run([&](node& n) {
    const setting& s = GetParam();
    member me(n, {.help = GetParam().help});
    opened at(me, s.kind);
    const datatype::type& type = named(datatype::basic::c_double_complex);
    const rma::element what(type.single_named());
    constexpr std::int64_t ranges = 3, each = (1 << rma::range_shift) / 16, count = ranges * each;
    std::byte* const start = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(at.memory) + (1 << rma::range_shift) - 1) >>
        rma::range_shift << rma::range_shift);
    std::vector<double> ones(2 * count, 1), old(2 * count, 7);
    const auto bytes_of = [](std::vector<double>& v) { return reinterpret_cast<std::byte*>(v.data()); };
    base::status why;
    std::unique_lock hold_gate(me.gate());
    rma::target* const self = at.window->reach(at.window->rank(), &why);
    ASSERT_NE(self, nullptr);
    const std::uint64_t address = self->kind == flavor::dynamic
                                      ? reinterpret_cast<std::uint64_t>(start)
                                      : self->base + static_cast<std::uint64_t>(start - self->memory);
    const rma::element_run all{start, 16, count};
    {
      rma::range_hold held(*at.window, *self, rma::range_hold::gate::held);
      ASSERT_TRUE(held.take(rma::ranges_of(address + 2 * (1 << rma::range_shift), 1)));
      EXPECT_EQ(rma::accumulate_here(*at.window, what, op_kind::sum, all, bytes_of(ones), bytes_of(old)),
                2 * each);
      std::byte none[16] = {}, got[16];
      EXPECT_FALSE(
          rma::compare_and_swap_here(*at.window, start + 2 * (1 << rma::range_shift), none, none, got, 16));
      EXPECT_TRUE(rma::compare_and_swap_here(*at.window, start, none, none, got, 16));
    }
    EXPECT_EQ(old[static_cast<std::size_t>(4 * each - 1)], 0);
    EXPECT_EQ(old[static_cast<std::size_t>(4 * each)], 7);
    const rma::element_run rest{start + 2 * each * 16, 16, each};
    EXPECT_EQ(rma::accumulate_here(*at.window, what, op_kind::sum, rest, bytes_of(ones), nullptr), each);
    for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(reinterpret_cast<double*>(start)[2 * i], 1) << i;
    hold_gate.unlock();
    me.free(std::move(at.window));
  });
}

// Thousands of elements set the bits of their ranges, and many single ones clear them.
TEST_P(accumulates, ranges_go_into_bulk_and_back) {
  run(
      [&](node& n) {
        const setting& s = GetParam();
        member me(n, {.help = GetParam().help});
        opened at(me, s.kind);
        const datatype::type& type = named(datatype::basic::double_);
        const auto& sum = operation(op_kind::sum);
        std::vector<double> ones(16384, 1);
        if (me.self() == 0) {
          base::status why;
          std::unique_lock hold_gate(me.gate());
          rma::target* const t = at.window->reach(0, &why);
          hold_gate.unlock();
          const auto bits = [&] { return t->record->bulk.ranges.load(std::memory_order_relaxed); };
          EXPECT_EQ(bits(), 0u);
          EXPECT_TRUE(rma::accumulate(*at.window, 0, {ones.data(), 16384, &type}, nullptr,
                                      {at.bases[0], 16384, &type}, sum)
                          .ok());
          if (!rma::reached_by_barriers()) GTEST_SKIP() << "no barriers here";
          // Where all take locks there is nothing to be excluded.
          const bool instructions = s.kind == flavor::allocated;
          EXPECT_EQ(bits(), instructions ? 0xffu : 0u);
          double old = 0;
          for (int i = 0; i < 2499; ++i)
            EXPECT_TRUE(rma::fetch_and_op(*at.window, 0, ones.data(), &old, type, at.bases[0] + 8, sum).ok());
          EXPECT_EQ(bits(), instructions ? 0xffu : 0u);
          EXPECT_TRUE(rma::fetch_and_op(*at.window, 0, ones.data(), &old, type, at.bases[0] + 8, sum).ok());
          EXPECT_EQ(std::popcount(bits()), instructions ? 7 : 0);
          EXPECT_EQ(old, 2500);
        }
        me.barrier();
        me.free(std::move(at.window));
      },
      2);
}

INSTANTIATE_TEST_SUITE_P(
    windows, accumulates,
    ::testing::Values(setting{"alone", flavor::created, 1, false},
                      setting{"created", flavor::created, 2, false},
                      setting{"created_processes", flavor::created, 3, true},
                      setting{"dynamic_processes", flavor::dynamic, 3, true},
                      setting{"allocated", flavor::allocated, 2, false},
                      setting{"allocated_processes", flavor::allocated, 3, true},
                      setting{"by_system", flavor::created, 3, true, true, mapped, owners::never},
                      setting{"handed", flavor::created, 3, true, true, mapped, owners::always},
                      setting{"handed_threads", flavor::created, 2, false, true, mapped, owners::always},
                      setting{"handed_dynamic", flavor::dynamic, 3, true, true, mapped, owners::always},
                      setting{"asked", flavor::created, 2, true, false},
                      setting{"asked_dynamic", flavor::dynamic, 3, true, false},
                      setting{"poor", flavor::allocated, 3, true, true, poor},
                      setting{"mixed_allocated", flavor::allocated, 3, true, true, mixed},
                      setting{"mixed_created", flavor::created, 3, true, true, mixed}),
    [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace loadstone::test::accumulate_test
