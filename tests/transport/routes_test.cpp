// Which transport serves a peer, and one process that is served by both.
#include "transport/routes.hpp"

#include "transport/processes.hpp"

namespace loadstone::transport {
namespace {

using rule = choice::rule_kind;

TEST(choice, is_the_same_from_both_ends_and_never_poor_to_oneself) {
  for (const rule r : {rule::mapped, rule::poor, rule::mixed}) {
    choice by;
    by.rule = r;
    for (std::uint32_t a = 0; a < 5; ++a) {
      EXPECT_TRUE(by.maps(a, a));
      for (std::uint32_t b = 0; b < 5; ++b) EXPECT_EQ(by.maps(a, b), by.maps(b, a));
    }
    EXPECT_EQ(by.maps(0, 2), r != rule::poor);
    EXPECT_EQ(by.maps(1, 2), r == rule::mapped);
  }
}

TEST(choice, both_ends_of_a_pair_agree_in_a_word) {
  choice usual, poor, checked, mixed;
  poor.rule = checked.rule = rule::poor;
  mixed.rule = rule::mixed;
  checked.integrity = true;
  EXPECT_EQ(choice::named("poor"), rule::poor);
  EXPECT_EQ(choice::named("mixed"), rule::mixed);
  EXPECT_EQ(choice::named(""), rule::mapped);
}

struct mixed_job {
  processes p;
  std::vector<std::unique_ptr<routes>> way;
  std::vector<taker> take;

  explicit mixed_job(std::uint32_t n, std::vector<choice> by = {}) : p(n), take(n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      setup s{{.inbox_slots = 4, .cell_bytes_limit = 1 << 20}, *p.job, *p[i].memory};
      s.transport.rule = rule::mixed;
      if (!by.empty()) s.transport = by[i];
      way.push_back(std::move(*routes::open(s)));
    }
  }
  void poll(std::uint32_t self) {
    while (way[self]->poll(take[self])) {
    }
  }
};

TEST(routes, each_peer_is_served_by_its_own) {
  mixed_job j(4);
  EXPECT_TRUE(j.way[0]->properties(2).mapped);
  EXPECT_TRUE(j.way[0]->properties(2).remote_atomics);
  EXPECT_FALSE(j.way[0]->properties(1).mapped);
  EXPECT_FALSE(j.way[0]->properties(3).remote_atomics);
  EXPECT_TRUE(j.way[3]->properties(3).mapped);
  // More than the rings and inboxes have: streams go on in queues, of either transport.
  constexpr std::uint32_t rounds = 50;
  for (std::uint64_t i = 0; i < rounds; ++i)
    for (std::uint32_t from = 0; from < 4; ++from)
      for (std::uint32_t to = 0; to < 4; ++to)
        ASSERT_EQ(j.way[from]->send(to, short_message(i)), send_result::sent);
  for (std::uint32_t self = 0; self < 4; ++self) j.poll(self);  // the taker asserts the order
  for (std::uint32_t self = 0; self < 4; ++self)
    for (std::uint32_t from = 0; from < 4; ++from)
      EXPECT_EQ(j.take[self].due(from, user_class), rounds) << from << " to " << self;
  const figures f = j.way[0]->counts();
  EXPECT_GT(f.queued_sent, 0u);
  EXPECT_GE(f.inline_sent + f.queued_sent, 4 * rounds);  // and the offers of rings
}

TEST(routes, deposits_are_there_at_once_or_after_a_fence) {
  mixed_job j(3);
  for (const std::uint32_t peer : {0u, 2u}) {
    auto* there = static_cast<std::uint64_t*>(*j.p[peer].arena->allocate(64));
    const memory::address where = j.p[peer].arena->address_of(there);
    *there = 0;
    const std::uint64_t value = 5;
    ASSERT_TRUE(j.way[0]->with(peer, [&](auto& w) { return w.stores().put(where, &value, 8); }).ok());
    EXPECT_EQ(*there, 5u) << "mapped";
    ASSERT_TRUE(
        j.way[1]->with(peer, [&](auto& w) { return w.stores().put(where, "\7\0\0\0\0\0\0", 8); }).ok());
    EXPECT_EQ(*there, 5u) << "late";
    EXPECT_FALSE(j.way[1]->with(peer, [&](auto& w) { return w.stores().map(where.region); }));
    ASSERT_TRUE(j.way[1]->fence_all().ok());
    EXPECT_EQ(*there, 7u);
  }
}

// Nobody rings for a message of a poor peer: the sleep is short. One of a mapped peer ends it.
TEST(routes, sleeps_are_short_where_somebody_cannot_ring) {
  mixed_job j(3), mapped_only(3, std::vector<choice>(3));
  const auto limit = j.way[0]->arm();
  ASSERT_TRUE(limit);
  EXPECT_LE(*limit, std::chrono::milliseconds(6));
  const auto longest = mapped_only.way[0]->arm();
  ASSERT_TRUE(longest);
  EXPECT_GT(*longest, std::chrono::milliseconds(100));
  const std::uint32_t before = j.way[0]->sleeper().bell().load();
  j.way[1]->wake(0);
  EXPECT_EQ(j.way[0]->sleeper().bell().load(), before);
  j.way[2]->wake(0);
  EXPECT_NE(j.way[0]->sleeper().bell().load(), before);
  j.way[0]->sleeper().disarm();
  std::uint64_t word = 1;
  ASSERT_EQ(j.way[1]->send(0, short_message(word)), send_result::sent);
  EXPECT_FALSE(j.way[0]->arm()) << "it is there";
  j.poll(0);
  EXPECT_EQ(j.take[0].due(1, user_class), 1u);
}

TEST(routes_death, processes_that_do_not_agree_end) {
  choice all_mapped, mixed;
  mixed.rule = rule::mixed;
  mixed_job j(3, {all_mapped, mixed, mixed});
  std::uint64_t word = 1;
  EXPECT_DEATH((void)j.way[1]->send(0, short_message(word)), "differ between processes 1 and 0");
  EXPECT_DEATH((void)j.way[2]->send(0, short_message(word)), "differ between processes 2 and 0");
}

}  // namespace
}  // namespace loadstone::transport
