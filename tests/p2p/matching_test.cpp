// The structures behind matching, alone: lists by key, unexpected messages, posted receives, message order.
#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <random>

#include "p2p/matching/matcher.hpp"

namespace loadstone::p2p {
namespace {

// A plain list asks each.
bool accepts(const match_key& wanted, const match_key& k) {
  return wanted.context == k.context && (wanted.process == any_process || wanted.process == k.process) &&
         (wanted.tag == any_tag || wanted.tag == k.tag);
}

TEST(unexpected_messages, finds_the_oldest_that_matches_like_a_plain_list) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::deque<unexpected_message> storage;
  std::vector<unexpected_message*> free_nodes;
  std::list<unexpected_message*> oracle;
  unexpected_messages engine;
  for (int step = 0; step < 40000; ++step) {
    const match_key key{random() % 3, static_cast<std::uint32_t>(random() % 4),
                        static_cast<std::int32_t>(random() % 50)};
    if (random() % 2 == 0) {
      unexpected_message* a;
      if (free_nodes.empty()) {
        a = &storage.emplace_back();
      } else {
        a = free_nodes.back();
        free_nodes.pop_back();
      }
      a->key = key;
      engine.append(a);
      oracle.push_back(a);
    } else {
      match_key wanted = key;
      // Wildcards of each shape are used from some time on, so that the late tables are built over what is
      // there.
      if (step > 5000 && random() % 3 == 0) wanted.process = any_process;
      if (step > 10000 && random() % 3 == 0) wanted.tag = any_tag;
      const auto expected = std::find_if(oracle.begin(), oracle.end(),
                                         [&](unexpected_message* a) { return accepts(wanted, a->key); });
      unexpected_message* found = engine.find(wanted);
      ASSERT_EQ(found, expected == oracle.end() ? nullptr : *expected);
      if (found != nullptr) {
        engine.remove(found);
        oracle.erase(expected);
        free_nodes.push_back(found);
      }
    }
    ASSERT_EQ(engine.size(), oracle.size());
  }
}

// Posts and finds at random; channels come and go.
void compare_posted(int tags, int wild_every) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  struct receive : posted_receive {
    match_key key;
  };
  std::deque<receive> storage;
  std::list<receive*> oracle;
  matcher engine(0, 3);
  for (int step = 0; step < 30000; ++step) {
    const int again = below(4) == 0 ? 0 : below(tags);  // one tag is frequent
    if (below(2) == 0) {
      receive* r = &storage.emplace_back();
      r->key = {
          random() % 3,
          wild_every != 0 && below(wild_every) == 0 ? any_process : static_cast<std::uint32_t>(random() % 3),
          wild_every != 0 && below(wild_every) == 0 ? any_tag : again};
      channel* from =
          r->key.process == any_process ? nullptr : &engine.senders.at(r->key.context, r->key.process);
      engine.post(r, r->key, from);
      oracle.push_back(r);
    } else {
      match_key key{random() % 3, static_cast<std::uint32_t>(below(3)), again};
      if (!oracle.empty() && below(4) != 0) {  // one that is there, so that lists become empty, and go
        const receive* r = below(2) == 0 ? oracle.front() : oracle.back();
        key = {r->key.context, r->key.process == any_process ? 0 : r->key.process,
               r->key.tag == any_tag ? again : r->key.tag};
      }
      const auto expected =
          std::find_if(oracle.begin(), oracle.end(), [&](receive* r) { return accepts(r->key, key); });
      channel& from = engine.senders.at(key.context, key.process);
      ASSERT_EQ(engine.senders.newest(key.context, key.process), &from);
      ASSERT_EQ(engine.senders.newest(key.context + 1, key.process), nullptr);
      posted_receive* found = engine.find(key, from);
      ASSERT_EQ(found, expected == oracle.end() ? nullptr : *expected);
      if (found != nullptr) {
        engine.posted.remove(found);
        oracle.erase(expected);
      }
    }
    ASSERT_EQ(engine.posted.size(), oracle.size());
    if (below(100) == 0) engine.senders.drop(random() % 3, static_cast<std::uint32_t>(below(3)));
  }
}
TEST(posted_receives, the_oldest_that_accepts_wins_wildcards_included) {
  compare_posted(20, 4);
}
TEST(posted_receives, lists_that_are_remembered_go) {
  compare_posted(1000, 0);
}
TEST(posted_receives, wildcards_are_rare) {
  compare_posted(20, 1000);
}

TEST(posted_receives, a_million_of_one_key_do_not_slow_another) {
  // Counts look-ups, not time: all nodes of a key hang in one list, and a list goes away with its last node.
  struct node {
    bin_link<node> links[1];
  };
  bins<node, 0> table;
  std::vector<node> nodes(100000);
  for (node& n : nodes) table.append({1, 2, 3}, &n);
  EXPECT_EQ(table.lists(), 1u);
  node other;
  table.append({1, 2, 4}, &other);
  EXPECT_EQ(table.front({1, 2, 4}), &other);
  table.remove(&other);
  EXPECT_EQ(table.lists(), 1u);
  for (node& n : nodes) table.remove(&n);
  EXPECT_EQ(table.lists(), 0u);
}

TEST(bins, keys_used_once_leave_nothing_behind) {
  struct node {
    bin_link<node> links[1];
  };
  bins<node, 0> table;
  node n, stays;
  table.append({7, 7, 7}, &stays);
  for (std::int32_t tag = 0; tag < 100000; ++tag) {
    ASSERT_EQ(table.front({1, 2, tag}), nullptr);
    table.append({1, 2, tag}, &n);
    ASSERT_EQ(table.front({1, 2, tag}), &n);
    ASSERT_EQ(table.lists(), 2u);
    table.remove(&n);
    ASSERT_EQ(table.front({1, 2, tag}), nullptr);
  }
  EXPECT_LE(table.buckets(), 64u) << "the table grew with keys that were used once";
  EXPECT_EQ(table.front({7, 7, 7}), &stays);
}

// A message matches nothing, is left with its sender, and is fetched by the receive that comes: then
// nobody looks for it any more, and what its communicator leaves behind is told from what is new.
TEST(matcher, what_is_left_with_a_sender_is_looked_for_until_it_is_fetched) {
  matcher engine(0, 2);
  const match_key first{8, 1, 5}, second{8, 1, 6};
  channel* from = engine.channel_of_arrival(first, 0);
  ASSERT_NE(from, nullptr);
  EXPECT_FALSE(engine.may_be_left(first));
  engine.leave(*from, first, 0);
  engine.leave(*from, first, 0);  // offered again, and left again
  engine.leave(*from, second, 1);
  EXPECT_EQ(engine.left(), 2u);
  EXPECT_TRUE(engine.may_be_left({8, any_process, 5}));
  EXPECT_TRUE(engine.may_be_left({8, 1, any_tag}));
  engine.check_order(*from, second, 1, true);  // out of the middle
  EXPECT_EQ(engine.left(), 1u);
  EXPECT_FALSE(engine.may_be_left(second));

  engine.senders.close(8);
  engine.senders.drop(8, 1);
  EXPECT_EQ(engine.channel_of_arrival(first, 0), nullptr) << "late: its communicator is gone";
  EXPECT_EQ(engine.senders.size(), 1u) << "a message of it is still to come";
  engine.drop_late(first, 0);
  EXPECT_EQ(engine.left(), 0u);
  EXPECT_EQ(engine.senders.size(), 0u);
  EXPECT_EQ(engine.channel_of_arrival(first, 0), nullptr);
  EXPECT_NE(engine.channel_of_arrival({16, 1, 5}, 0), nullptr) << "another communicator";
}

TEST(matcher, a_receive_is_made_known_only_behind_such_as_are) {
  matcher engine(0, 2);
  posted_receive quiet, known, wild;
  const match_key key{8, 1, 5};
  channel& from = engine.senders.at(8, 1);
  EXPECT_TRUE(engine.posted.may_advertise(key));
  engine.post(&quiet, key, &from);
  EXPECT_FALSE(engine.posted.may_advertise(key));
  engine.posted.remove(&quiet);
  known.known_to_sender = true;
  engine.post(&known, key, &from);
  EXPECT_TRUE(engine.posted.may_advertise(key));
  engine.post(&wild, {8, any_process, 5}, nullptr);
  EXPECT_FALSE(engine.posted.may_advertise(key));
  EXPECT_EQ(engine.find(key, from), &known) << "the oldest";
}

TEST(message_order, accepts_order_and_notices_what_is_missing) {
  for (std::uint32_t start : {0u, 0xfffffff0u}) {
    message_order s;
    s.start_at(start);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_TRUE(s.arrived(start + i));
    EXPECT_FALSE(message_order(s).arrived(start + 101)) << "one is missing";
    EXPECT_FALSE(message_order(s).arrived(start + 99)) << "one came twice";
  }
}

TEST(message_order, a_gap_must_be_what_was_taken_from_the_middle) {
  for (std::uint32_t start : {0u, 0xfffffffeu}) {
    message_order s;
    s.start_at(start);
    EXPECT_TRUE(s.taken(start + 2));
    EXPECT_TRUE(s.taken(start + 3));
    EXPECT_TRUE(s.arrived(start + 0));
    message_order wrong = s;
    EXPECT_TRUE(wrong.arrived(start + 2)) << "not yet decidable: two are missing somewhere";
    EXPECT_FALSE(wrong.arrived(start + 4)) << "1 and 3 are missing, 2 and 3 were taken";
    EXPECT_TRUE(s.arrived(start + 1));
    EXPECT_TRUE(s.arrived(start + 4));
    EXPECT_FALSE(message_order(s).taken(start + 1)) << "came before";
  }
}

}  // namespace
}  // namespace loadstone::p2p
