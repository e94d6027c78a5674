// What a sleep costs, as it is measured, and how long is looked because of it: alone, and by two that exchange messages on
// a clock of the test's own.
#include "wait/sleep_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <utility>

#include "wait/backoff.hpp"

namespace loadstone::wait::sleep_cost_test {
namespace {

using microseconds = std::uint64_t;

struct figure {
  sleep_cost::word word{0};
  sleep_cost cost{word};
  void woken_after(microseconds us, int times = 1) {
    for (int i = 0; i < times; ++i) cost.woken_after(1000 * us);
  }
  microseconds us() const { return cost.ns() / 1000; }
};

TEST(sleep_cost, is_on_the_safe_side_until_it_is_known) {
  figure f;
  EXPECT_EQ(f.us(), 250u);
  EXPECT_EQ(sleep_cost::known(f.word), 0u) << "others do not take it for a measurement";
  f.woken_after(6);
  EXPECT_LT(f.us(), 250u);
  EXPECT_GT(f.us(), 200u) << "one quick sleep says little";
  f.woken_after(6, 100);
  EXPECT_LE(f.us(), 7u);
  EXPECT_GE(f.us(), 6u);
}

TEST(sleep_cost, rises_at_once_and_falls_slowly) {
  figure f;
  f.woken_after(30, 200);
  f.woken_after(50);
  EXPECT_EQ(f.us(), 50u);
  f.woken_after(30, 4);
  EXPECT_GT(f.us(), 40u);
  f.woken_after(30, 100);
  EXPECT_LE(f.us(), 31u);
  // One in ten takes six times as long: that is what it may cost.
  microseconds least = 1000;
  for (int i = 0; i < 200; ++i) {
    f.woken_after(i % 10 == 0 ? 180 : 30);
    if (i > 50) least = std::min(least, f.us());
  }
  EXPECT_GT(least, 100u);
}

TEST(sleep_cost, one_accident_counts_little) {
  figure f;
  f.woken_after(35, 200);
  f.woken_after(30'000);  // it had lost its core
  EXPECT_LE(f.us(), 72u);
  f.woken_after(35, 40);
  EXPECT_LE(f.us(), 40u);
  f.woken_after(30'000, 100);
  EXPECT_EQ(f.us(), 1000u) << "whatever happens";
  f.woken_after(35, 100);
  EXPECT_LE(f.us(), 40u);
  f.woken_after(0, 1000);
  EXPECT_NE(sleep_cost::known(f.word), 0u) << "known it remains";
}

TEST(policy, looks_for_as_long_as_a_sleep_costs) {
  EXPECT_EQ(policy::poll_ns(6000), policy::least_poll_ns);
  EXPECT_EQ(policy::poll_ns(200'000), 250'000u);
}

// --- two that exchange messages, each with a core, on a clock of ours ---

std::uint64_t fake_now;
std::uint64_t fake_clock() {
  return fake_now;
}

constexpr std::uint64_t never = ~std::uint64_t{0}, millisecond = 1'000'000;
constexpr std::uint64_t a_look = 40, a_yield = 400, a_ring = 2000, on_its_way = 50;  // ns

struct side {
  backoff waiter{choose_policy(2, 2), fake_clock};
  figure own;
  std::uint64_t now = 0;
  enum { begins, waits, sleeps } does = begins;
  std::uint64_t wakes_at = never, rang_at = 0;
  std::deque<std::uint64_t> messages;  // when each can be seen
  int exchanges = 0, slept = 0;
};

class pair {
 public:
  // ns that a wake-up takes; ns that a side computes before an exchange.
  using times = std::function<std::uint64_t()>;
  using work = std::function<std::uint64_t(int side, int exchange)>;
  pair(times wake_up, work computes) : wake_up_(std::move(wake_up)), computes_(std::move(computes)) {}

  // Until both have made so many exchanges; sleeps of both in that time.
  int exchange(int count) {
    const int before = sides_[0].slept + sides_[1].slept, until = sides_[0].exchanges + count;
    while (sides_[0].exchanges < until || sides_[1].exchanges < until) {
      const int next = time_of(0) > time_of(1) ? 1 : 0;
      step(next, sides_[next], sides_[1 - next]);
    }
    return sides_[0].slept + sides_[1].slept - before;
  }
  std::uint64_t now() const { return std::max(sides_[0].now, sides_[1].now); }

 private:
  std::uint64_t time_of(int i) const {
    const side& s = sides_[i];
    return s.does == side::sleeps ? s.wakes_at : s.now;
  }
  void step(int which, side& s, side& peer) {
    switch (s.does) {
      case side::begins:
        if (const std::uint64_t took = computes_(which, s.exchanges); took != 0 && !computed_[which]) {
          computed_[which] = true;
          s.now += took;  // the other one may have much to do meanwhile
          return;
        }
        computed_[which] = false;
        peer.messages.push_back(s.now + on_its_way);
        if (peer.does == side::sleeps && peer.wakes_at == never) {
          peer.rang_at = s.now;
          peer.wakes_at = s.now + wake_up_();
          s.now += a_ring;
        }
        s.waiter.begin(false);
        s.does = side::waits;
        return;
      case side::sleeps:
        s.now = s.wakes_at;
        s.wakes_at = never;
        s.own.cost.woken_after(s.now - s.rang_at);
        s.does = side::waits;
        return;
      case side::waits:
        break;
    }
    fake_now = s.now;
    if (!s.messages.empty() && s.messages.front() <= s.now) {
      s.messages.pop_front();
      s.waiter.end();
      ++s.exchanges;
      s.does = side::begins;
      return;
    }
    const advice what = s.waiter.next();
    s.now += what == advice::yield ? a_yield : a_look;
    if (what != advice::sleep || !s.messages.empty()) return;
    const std::uint32_t dearest = std::max(sleep_cost::known(s.own.word), sleep_cost::known(peer.own.word));
    if (s.waiter.polls_on(policy::poll_ns(sleep_cost::or_at_first(dearest)))) return;
    ++s.slept;
    s.does = side::sleeps;
  }

  times wake_up_;
  work computes_;
  side sides_[2];
  bool computed_[2] = {};
};

pair::times always(microseconds us) {
  return [us] { return 1000 * us; };
}
pair::times between(microseconds least, microseconds most) {
  return [=, random = std::mt19937(7)]() mutable {
    return 1000 * std::uniform_int_distribution<microseconds>(least, most)(random);
  };
}
// Side 1 computes for so long before every exchange whose number is a multiple of `every`, but the first.
pair::work now_and_then(std::uint64_t ns, int every) {
  return [=](int side, int exchange) {
    return side == 1 && exchange != 0 && exchange % every == 0 ? ns : std::uint64_t{0};
  };
}

TEST(pair, sleeps_once_when_one_computes_whatever_a_sleep_costs) {
  for (microseconds us : {5, 20, 35, 60, 120, 180, 250, 300}) {
    pair two(always(us), now_and_then(5 * millisecond, 100));
    EXPECT_EQ(two.exchange(1000), 9) << us;
    EXPECT_EQ(two.exchange(1000), 10) << us << ", when that has been measured";
  }
}

TEST(pair, that_has_fallen_asleep_is_awake_after_one_message) {
  for (microseconds us : {5, 35, 180, 300}) {
    pair two(always(us), now_and_then(5 * millisecond, 100));
    for (int i = 0; i < 10; ++i) {
      two.exchange(i == 0 ? 100 : 99);
      EXPECT_EQ(two.exchange(1), 1) << us;
    }
  }
}

// More than is thought at first: each has to learn it.
TEST(pair, learns_what_a_sleep_costs) {
  for (microseconds us : {400, 500, 900}) {
    pair two(always(us), now_and_then(5 * millisecond, 100));
    EXPECT_LE(two.exchange(1000), 9 + 6) << us;
    EXPECT_EQ(two.exchange(1000), 10) << us;
  }
}

TEST(pair, sleeps_seldom_when_no_two_sleeps_cost_the_same) {
  pair two(between(5, 500), now_and_then(5 * millisecond, 100));
  EXPECT_LE(two.exchange(1000), 9 + 9);
  EXPECT_LE(two.exchange(10'000), 100 + 50);
}

// Most wake-ups are quick; one in twenty, after a while, is not.
TEST(pair, knows_the_dear_sleeps_among_the_cheap) {
  int n = 0;
  pair two([&n] { return ++n % 20 == 0 ? 180'000u : 35'000u; }, now_and_then(5 * millisecond, 20));
  EXPECT_LE(two.exchange(20'000), 1000 + 100);
}

// The worst that may be waited for comes just when nobody looks any more: that takes less than twice the time.
TEST(pair, loses_no_more_than_a_sleep_costs) {
  for (microseconds us : {20, 60, 180, 400}) {
    std::uint64_t computes = 5 * millisecond;
    pair two(always(us), [&](int side, int) { return side == 1 ? computes : 0; });
    two.exchange(200);
    computes = 1000 * (us + us / 3 + 70);
    const std::uint64_t before = two.now();
    constexpr int count = 100;
    EXPECT_GE(two.exchange(count), count / 2) << us;  // it wakes while the other one computes again
    EXPECT_LT(two.now() - before, count * 2 * computes) << us;
  }
}

// A wait that is really long looks once: a sleep that ends by itself is followed by the next at once.
TEST(backoff, looks_once_in_a_long_wait) {
  backoff b(choose_policy(2, 2), fake_clock);
  b.begin(false);
  int looks = 0, sleeps = 0;
  std::uint64_t looked = 0;
  while (sleeps < 10) {
    fake_now += a_look;
    looked += a_look;
    ++looks;
    if (b.next() != advice::sleep || b.polls_on(policy::poll_ns(sleep_cost::at_first))) continue;
    ++sleeps;
    fake_now += 200 * millisecond;
  }
  EXPECT_LT(looked, policy::poll_ns(sleep_cost::at_first) + 20'000);
  EXPECT_LT(looks, 10'000);
}

}  // namespace
}  // namespace loadstone::wait::sleep_cost_test
