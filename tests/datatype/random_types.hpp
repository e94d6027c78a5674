// Random nested types for the property tests: each is built twice, by the library and as a written-out type
// map.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "datatype/held.hpp"
#include "datatype/oracle.hpp"

namespace loadstone::datatype {

struct sample {
  held type;
  typemap map;
  std::string text;  // how it was made
};

class type_maker {
 public:
  // `most` basic elements at most.
  explicit type_maker(std::uint64_t seed, std::size_t most = 60) : random_(seed), most_(most) {}

  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  sample make(int depth) {
    for (;;) {
      sample s = depth == 0 ? leaf() : derived(depth);
      if (s.type.ok() && s.map.items.size() <= most_) return s;
    }
  }

 private:
  using list = std::vector<std::int64_t>;

  sample leaf() {
    if (chance(15)) {
      static constexpr std::pair<int, std::pair<basic, basic>> pairs[] = {
          {0x22c, {basic::short_, basic::int_}},
          {0x229, {basic::double_, basic::int_}},
          {0x22d, {basic::long_double, basic::int_}},
          {0x22b, {basic::int_, basic::int_}}};
      const auto& p = pairs[pick(0, 3)];
      return {predefined_type(p.first), typemap::pair(p.second.first, p.second.second),
              predefined_type(p.first)->name()};
    }
    // Mostly a few kinds, so that equal neighbours and equal signatures are common.
    static constexpr basic common[] = {basic::char_, basic::short_, basic::int_, basic::double_,
                                       basic::c_double_complex};
    const auto kind =
        chance(80) ? common[pick(0, 4)] : static_cast<basic>(pick(1, static_cast<int>(basic::kinds) - 1));
    return {predefined_type(kind), typemap::of(kind), info(kind).name};
  }

  // A displacement: near, often equal to a multiple of the extent so that things merge, sometimes negative,
  // seldom far.
  std::int64_t near(std::int64_t unit) {
    if (chance(60)) return pick(-3, 6) * unit;
    return pick(-70, 120);
  }

  static std::string show(const list& l) { return fmt::format("[{}]", fmt::join(l, ",")); }

  sample derived(int depth) {
    const sample old = make(static_cast<int>(pick(0, depth - 1)));
    const std::int64_t e = old.map.extent();
    const auto& t = *old.type;
    typemap m;
    const auto result = [&](builder::made made, std::string text) {
      return sample{held(made), std::move(m), fmt::format("{}({})", text, old.text)};
    };
    switch (pick(0, 11)) {
      case 0: {
        m = old.map;
        return result(builder::dup(t), "dup");
      }
      case 1: {
        const auto n = pick(0, 5);
        m.add_block(old.map, n, 0);
        return result(builder::contiguous(n, t), fmt::format("contiguous {} ", n));
      }
      case 2: {
        const auto n = pick(0, 4), b = pick(0, 3), s = pick(-4, 6);
        for (std::int64_t i = 0; i < n; i++) m.add_block(old.map, b, i * s * e);
        return result(builder::vector(n, b, s, t), fmt::format("vector {} {} {} ", n, b, s));
      }
      case 3: {
        const auto n = pick(0, 4), b = pick(0, 3), s = near(e);
        for (std::int64_t i = 0; i < n; i++) m.add_block(old.map, b, i * s);
        return result(builder::hvector(n, b, s, t), fmt::format("hvector {} {} {} ", n, b, s));
      }
      case 4:
      case 5: {
        const bool bytes = chance(50);
        const auto n = pick(0, 6);
        list b, d;
        const bool regular = chance(40);
        const std::int64_t step = bytes ? near(e) : pick(-3, 4);
        for (std::int64_t i = 0; i < n; i++) {
          b.push_back(regular ? 2 : pick(0, 3));
          d.push_back(regular ? i * step : bytes ? near(e) : pick(-5, 9));
          m.add_block(old.map, b.back(), d.back() * (bytes ? 1 : e));
        }
        return result(bytes ? builder::hindexed(b, d, t) : builder::indexed(b, d, t),
                      fmt::format("{} {} {} ", bytes ? "hindexed" : "indexed", show(b), show(d)));
      }
      case 6:
      case 7: {
        const bool bytes = chance(50);
        const auto n = pick(0, 6), b = pick(0, 3);
        list d;
        const std::int64_t step = bytes ? near(e) : pick(-3, 4);
        const bool regular = chance(40);
        for (std::int64_t i = 0; i < n; i++) {
          d.push_back(regular ? i * step : bytes ? near(e) : pick(-5, 9));
          m.add_block(old.map, b, d.back() * (bytes ? 1 : e));
        }
        return result(bytes ? builder::hindexed_block(b, d, t) : builder::indexed_block(b, d, t),
                      fmt::format("{} {} {} ", bytes ? "hindexed_block" : "indexed_block", b, show(d)));
      }
      case 8: {
        const auto n = pick(1, 4);
        list b, d;
        std::vector<sample> parts;
        std::vector<const datatype::type*> types;
        std::string text = "struct";
        std::int64_t end = 0;
        for (std::int64_t i = 0; i < n; i++) {
          parts.push_back(i == 0 || chance(30) ? old : make(static_cast<int>(pick(0, depth - 1))));
          b.push_back(pick(0, 3));
          d.push_back(chance(40) ? end : near(8));
          end = d.back() + b.back() * parts.back().map.extent();
          m.add_block(parts.back().map, b.back(), d.back());
          text += fmt::format(" {}x{}@{}", b.back(), i == 0 ? "old" : parts.back().text, d.back());
        }
        m.pad();
        for (auto& p : parts) types.push_back(p.type.get());
        return result(builder::structure(b, d, types), text);
      }
      case 9: {
        const auto low = pick(-20, 20), extent = chance(80) ? pick(0, 60) : -pick(1, 30);
        m = old.map.resized(low, extent);
        return result(builder::resized(t, low, extent), fmt::format("resized {} {} ", low, extent));
      }
      case 10:
        return subarray(old);
      default:
        return darray(old);
    }
  }

  sample subarray(const sample& old) {
    const std::int64_t e = old.map.extent();
    const auto dimensions = pick(1, 3);
    const auto how = chance(50) ? order::c : order::fortran;
    list sizes, subsizes, starts;
    for (std::int64_t i = 0; i < dimensions; i++) {
      sizes.push_back(pick(1, 4));
      subsizes.push_back(pick(1, sizes.back()));
      starts.push_back(pick(0, sizes.back() - subsizes.back()));
    }
    typemap m;
    std::int64_t total = 1;
    for (auto s : sizes) total *= s;
    // Every element of the array in memory order: is it in the subarray?
    for (std::int64_t at = 0; at < total; at++) {
      bool inside = true;
      std::int64_t rest = at;
      for (std::int64_t k = 0; k < dimensions; k++) {
        const auto i = static_cast<std::size_t>(how == order::c ? dimensions - 1 - k : k);
        const std::int64_t x = rest % sizes[i];
        rest /= sizes[i];
        inside &= x >= starts[i] && x < starts[i] + subsizes[i];
      }
      if (inside) m.add(old.map, at * e);
    }
    m = m.resized(0, total * e);
    return {held(builder::subarray(sizes, subsizes, starts, how, *old.type)), m,
            fmt::format("subarray {} {} {} {}({})", show(sizes), show(subsizes), show(starts),
                        how == order::c ? 'C' : 'F', old.text)};
  }

  sample darray(const sample& old) {
    const std::int64_t e = old.map.extent();
    const auto dimensions = pick(1, 3);
    const auto how = chance(50) ? order::c : order::fortran;
    list sizes, arguments, grid;
    std::vector<distribution> kinds;
    std::vector<std::int64_t> blocks;
    std::int64_t processes = 1, total = 1;
    for (std::int64_t i = 0; i < dimensions; i++) {
      sizes.push_back(pick(1, 6));
      kinds.push_back(static_cast<distribution>(pick(16, 18)));
      grid.push_back(kinds.back() == distribution::none ? 1 : pick(1, 3));
      const bool by_default = chance(50);
      if (kinds.back() == distribution::none) {
        blocks.push_back(sizes.back());
      } else if (kinds.back() == distribution::block) {
        std::int64_t least = 1;
        while (least * grid.back() < sizes.back()) least++;
        blocks.push_back(by_default ? least : least + pick(0, 2));
      } else {
        blocks.push_back(by_default ? 1 : pick(1, 3));
      }
      arguments.push_back(by_default || kinds.back() == distribution::none ? default_distribution_argument
                                                                           : blocks.back());
      processes *= grid.back();
      total *= sizes.back();
    }
    const auto rank = pick(0, processes - 1);
    typemap m;
    for (std::int64_t at = 0; at < total; at++) {
      std::int64_t rest = at;
      list x(static_cast<std::size_t>(dimensions));
      for (std::int64_t k = 0; k < dimensions; k++) {
        const auto i = static_cast<std::size_t>(how == order::c ? dimensions - 1 - k : k);
        x[i] = rest % sizes[i];
        rest /= sizes[i];
      }
      std::int64_t owner = 0;
      for (std::size_t i = 0; i < x.size(); i++) owner = owner * grid[i] + x[i] / blocks[i] % grid[i];
      if (owner == rank) m.add(old.map, at * e);
    }
    m = m.resized(0, total * e);
    list shown;
    for (auto k : kinds) shown.push_back(static_cast<int>(k));
    return {held(builder::darray(processes, rank, sizes, kinds, arguments, grid, how, *old.type)), m,
            fmt::format("darray {}/{} {} {} {} {} {}({})", rank, processes, show(sizes), show(shown),
                        show(arguments), show(grid), how == order::c ? 'C' : 'F', old.text)};
  }

  std::mt19937_64 random_;
  std::size_t most_;
};

// The seed of this run: LOADSTONE_TEST_SEED repeats one.
inline std::uint64_t run_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("LOADSTONE_TEST_SEED");
    const std::uint64_t s = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
    fmt::print("LOADSTONE_TEST_SEED={}\n", s);
    return s;
  }();
  return seed;
}

}  // namespace loadstone::datatype
