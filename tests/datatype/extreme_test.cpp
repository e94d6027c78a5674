// Constructors under arguments at the edges of 64 bits: each call gives a type whose numbers are right
// (computed again in 128 bits) or says invalid; nothing overflows on the way (the sanitizer runs watch that).
#include <gtest/gtest.h>

#include "datatype/external32.hpp"
#include "datatype/program.hpp"
#include "datatype/random_types.hpp"

namespace loadstone::datatype {
namespace {

using list = std::vector<std::int64_t>;
constexpr int rounds = 20000;

class extremes {
 public:
  explicit extremes(std::uint64_t seed) : random_(seed) {}
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  // Any magnitude, either sign; the edges themselves often enough.
  std::int64_t any() {
    switch (pick(0, 9)) {
      case 0:
        return INT64_MAX;
      case 1:
        return INT64_MIN;
      case 2:
        return 0;
      case 3:
        return pick(-2, 2);
      default: {
        const auto magnitude = static_cast<std::int64_t>(random_() >> pick(1, 63));
        return pick(0, 1) != 0 ? magnitude : -magnitude;
      }
    }
  }
  std::int64_t count() { return any() & INT64_MAX; }
  list some() {
    list l;
    for (auto n = pick(0, 3); n > 0; n--) l.push_back(any());
    return l;
  }
  list counts(std::size_t n) {
    list l;
    while (l.size() < n) l.push_back(pick(0, 2) != 0 ? pick(0, 3) : count());
    return l;
  }

  builder::made derive(const type& old) {
    switch (pick(0, 9)) {
      case 0:
        return builder::contiguous(any(), old);
      case 1:
        return builder::vector(any(), any(), any(), old);
      case 2:
        return builder::hvector(count(), pick(0, 4), any(), old);
      case 3: {
        const list d = some();
        return builder::indexed(counts(d.size()), d, old);
      }
      case 4: {
        const list d = some();
        return builder::hindexed(counts(d.size()), d, old);
      }
      case 5:
        return builder::hindexed_block(count(), some(), old);
      case 6: {
        const list d = some();
        const std::vector<const type*> parts(d.size(), &old);
        return builder::structure(counts(d.size()), d, parts);
      }
      case 7:
        return builder::resized(old, any(), any());
      case 8: {
        list sizes{count(), count()}, subsizes{pick(1, 4), count()}, starts{count(), pick(0, 3)};
        return builder::subarray(sizes, subsizes, starts, order::c, old);
      }
      default: {
        const distribution kinds[] = {static_cast<distribution>(pick(16, 18)),
                                      static_cast<distribution>(pick(16, 18))};
        const list grid{pick(1, 3), count() | 1};
        std::int64_t processes = 0;
        if (__builtin_mul_overflow(grid[0], grid[1], &processes)) processes = INT64_MAX;
        return builder::darray(processes, pick(0, processes - 1), list{count(), count()}, kinds,
                               list{pick(0, 1) != 0 ? 19 : count(), 19}, grid, order::fortran, old);
      }
    }
  }

 private:
  std::mt19937_64 random_;
};

bool see_a_few(void* context, void*, std::size_t length) {
  EXPECT_GT(length, 0u);
  return ++*static_cast<int*>(context) < 5;
}

TEST(extreme, arguments_at_the_edges) {
  const std::uint64_t seed = run_seed();
  int made = 0, refused = 0;
  for (int round = 0; round < rounds; round++) {
    extremes random(seed + static_cast<std::uint64_t>(round));
    SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}", seed, round));
    held t = &named(round % 3 == 0   ? basic::char_
                    : round % 3 == 1 ? basic::int_
                                     : basic::c_long_double_complex);
    for (int level = 0; level < 4; level++) {
      auto result = random.derive(*t);
      if (!result.ok()) {
        ASSERT_EQ(result.error().kind, base::code::invalid);
        refused++;
        continue;
      }
      t = held(std::move(result));
      made++;
      ASSERT_GE(t->size(), 0);
      ASSERT_GE(t->true_extent(), 0);
      ASSERT_TRUE(t->commit().ok());
      const int128 upper = int128{t->lower_bound()} + t->extent();
      ASSERT_TRUE(upper <= INT64_MAX && upper >= INT64_MIN);
      if (t->size() == 0) continue;
      const std::int64_t at = random.pick(0, t->size() - 1);
      const auto elements = elements_in(*t, at);
      if (elements >= 0) {
        ASSERT_EQ(bytes_of(*t, elements), at);
      }
      (void)external32_size(random.count(), *t);
      // Addresses only: nothing is read.
      int seen = 0;
      const auto covered = for_each_block(nullptr, 1, *t, at, t->size() - at, see_a_few, &seen);
      ASSERT_TRUE(covered > 0 && covered <= t->size() - at);
      ASSERT_LE(seen, 5);
    }
  }
  EXPECT_GT(made, 1000);
  EXPECT_GT(refused, 1000);
}

// The formulas once more, in 128 bits, for a vector of ints.
TEST(extreme, vectors_in_128_bits) {
  const std::uint64_t seed = run_seed();
  for (int round = 0; round < rounds; round++) {
    extremes random(seed + static_cast<std::uint64_t>(round));
    const std::int64_t count = random.count(),
                       block = random.pick(0, 3) != 0 ? random.pick(0, 9) : random.count();
    const std::int64_t stride = random.any();
    const int128 most = INT64_MAX, elements = int128{count} * block;
    const int128 size = elements > most ? elements : elements * 4;
    const bool nothing = count == 0 || block == 0;
    const int128 last = nothing ? 0 : int128{count - 1} * stride;
    const int128 low = nothing ? 0 : std::min<int128>(last, 0);
    const int128 high = nothing ? 0 : std::max<int128>(last, 0) + int128{block} * 4;
    const int128 span = high - low, extent = span;  // only structs are padded
    held t = held(builder::hvector(count, block, stride, named(basic::int_)));
    const bool fits =
        size <= most && low >= -most - 1 && high <= most && extent <= most && low + extent <= most;
    SCOPED_TRACE(fmt::format("LOADSTONE_TEST_SEED={} round {}: {} {} {}", seed, round, count, block, stride));
    if (!fits) {
      ASSERT_FALSE(t.ok());
      continue;
    }
    // Refusing what just fits would be allowed only where an intermediate bound leaves 64 bits: the lowest
    // address itself.
    if (!t.ok()) {
      ASSERT_TRUE(low == -most - 1);
      continue;
    }
    ASSERT_TRUE(t->size() == size && t->lower_bound() == low && t->extent() == extent &&
                t->true_extent() == span);
  }
}

}  // namespace
}  // namespace loadstone::datatype
