// Cells that go to and fro between two processes.
#include <gtest/gtest.h>

#include "transport/processes.hpp"

namespace loadstone::transport {
namespace {

constexpr std::size_t bytes = 64 * 1024;

struct pair_of {
  processes p{2};
  passed_cells low{*p[0].memory, 4 << 20, 1 << 20}, high{*p[1].memory, 4 << 20, 1 << 20};

  // As its reader has it: who made it is known by the other name.
  static passed_cells::name arrived(const passed_cells::found& f, std::uint32_t length) {
    return {f.known_as.where, length, !f.known_as.made_here};
  }
};

TEST(passed_cells, one_is_made_only_for_a_peer_that_sends_messages_of_that_size) {
  pair_of t;
  EXPECT_EQ(t.low.take(1, bytes).at, nullptr);
  t.low.heard(1, bytes);
  EXPECT_EQ(t.low.take(0, bytes).at, nullptr) << "oneself";
  EXPECT_EQ(t.low.take(1, cells::largest).at, nullptr) << "of that size";
  const auto made = t.low.take(1, bytes);
  ASSERT_NE(made.at, nullptr);
  EXPECT_TRUE(made.known_as.made_here);
  EXPECT_EQ(made.at->capacity, cells::usual);
  EXPECT_EQ(t.low.take(1, bytes).at, nullptr) << "one for each";
}

TEST(passed_cells, who_has_read_one_writes_there) {
  pair_of t;
  t.low.heard(1, bytes);
  auto at_low = t.low.take(1, bytes);
  ASSERT_NE(at_low.at, nullptr);
  for (int turn = 0; turn < 100; ++turn) {
    at_low.at->payload()[5] = std::byte{7};
    at_low.at->filled.store(bytes);
    t.high.keep(0, at_low.at->capacity, pair_of::arrived(at_low, bytes));
    const auto at_high = t.high.take(0, bytes);
    ASSERT_NE(at_high.at, nullptr);
    EXPECT_FALSE(at_high.known_as.made_here);
    EXPECT_EQ(at_high.known_as.where, at_low.known_as.where);
    ASSERT_EQ(at_high.at->payload()[5], std::byte{7}) << "the same memory, mapped";
    at_high.at->payload()[5] = std::byte{};
    at_high.at->filled.store(bytes);
    t.low.keep(1, at_high.at->capacity, pair_of::arrived(at_high, bytes));
    at_low = t.low.take(1, bytes);
    ASSERT_NE(at_low.at, nullptr);
    EXPECT_TRUE(at_low.known_as.made_here);
    EXPECT_EQ(at_low.at->payload()[5], std::byte{});
  }
}

// Its reader may have let go of it while its writer goes on.
TEST(passed_cells, not_before_its_last_writer_is_done) {
  pair_of t;
  t.low.heard(1, bytes);
  const auto one = t.low.take(1, bytes);
  ASSERT_NE(one.at, nullptr);
  one.at->filled.store(bytes - 1);
  t.high.keep(0, one.at->capacity, pair_of::arrived(one, bytes));
  EXPECT_EQ(t.high.take(0, bytes).at, nullptr);
  one.at->filled.store(bytes);
  EXPECT_NE(t.high.take(0, bytes).at, nullptr);
  // Of one that it could not read there will be no more.
  one.at->filled.store(unreadable);
  t.high.keep(0, one.at->capacity, pair_of::arrived(one, bytes));
  EXPECT_NE(t.high.take(0, bytes).at, nullptr);
}

TEST(passed_cells, the_one_that_was_read_last_is_written_first) {
  pair_of t;
  for (int i = 0; i < 2; ++i) t.low.heard(1, bytes);
  const auto first = t.low.take(1, bytes), second = t.low.take(1, bytes);
  ASSERT_NE(second.at, nullptr);
  for (const auto* f : {&first, &second}) {
    f->at->filled.store(bytes);
    t.high.keep(0, f->at->capacity, pair_of::arrived(*f, bytes));
  }
  EXPECT_EQ(t.high.take(0, bytes).known_as.where, second.known_as.where);
  EXPECT_EQ(t.high.take(0, bytes).known_as.where, first.known_as.where);
}

TEST(passed_cells, have_a_limit_for_each_size_of_a_pair_and_for_all) {
  constexpr std::size_t cache = 2 * cells::largest;
  processes p{4};
  passed_cells one{*p[0].memory, 2 * cache + cells::largest, cache};
  const auto made_for = [&](std::uint32_t peer, std::size_t length) {
    std::size_t made = 0;
    for (int i = 0; i < 100; ++i) {
      one.heard(peer, length);
      if (one.take(peer, length).at != nullptr) made += length > cells::usual ? cells::largest : cells::usual;
    }
    return made;
  };
  EXPECT_EQ(made_for(1, bytes), cache);
  EXPECT_EQ(made_for(1, cells::largest), cache) << "as many of the other size";
  EXPECT_EQ(made_for(2, cells::largest), cells::largest);
  EXPECT_EQ(made_for(3, bytes), 0u);
}

TEST(passed_cells, those_that_are_here_go_where_memory_is_short) {
  pair_of t;
  std::vector<passed_cells::found> made;
  for (int i = 0; i < 3; ++i) {
    t.low.heard(1, bytes);
    made.push_back(t.low.take(1, bytes));
    ASSERT_NE(made.back().at, nullptr);
  }
  EXPECT_FALSE(t.low.shed()) << "none is here";
  made[0].at->filled.store(bytes);
  made[1].at->filled.store(bytes - 1);
  made[2].at->filled.store(bytes);
  for (int i = 0; i < 2; ++i) t.low.keep(1, bytes, {made[i].known_as.where, bytes, true});
  t.high.keep(0, bytes, pair_of::arrived(made[2], bytes));
  EXPECT_FALSE(t.high.shed()) << "the other process has made it";
  EXPECT_TRUE(t.low.shed());
  EXPECT_FALSE(t.low.shed()) << "the one that is left is being written";
  made[1].at->filled.store(bytes);
  EXPECT_EQ(t.low.take(1, bytes).at, made[1].at);
  EXPECT_EQ(t.high.take(0, bytes).known_as.where, made[2].known_as.where);
  t.low.heard(1, bytes);
  EXPECT_NE(t.low.take(1, bytes).at, nullptr) << "and new ones may be made";
}

TEST(passed_cells, leave_half_of_a_small_memory) {
  constexpr std::uint64_t limit = 2 << 20;
  processes p{2, limit};
  passed_cells one{*p[0].memory, 16 << 20, 16 << 20};
  std::size_t made = 0;
  for (int i = 0; i < 100; ++i) {
    one.heard(1, bytes);
    if (one.take(1, bytes).at != nullptr) made += cells::usual;
  }
  EXPECT_GE(made, limit / 4);
  EXPECT_LE(made, limit / 2);
}

}  // namespace
}  // namespace loadstone::transport
