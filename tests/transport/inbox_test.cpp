// The inbox by itself: states set directly, tiny, and with tickets that wrap around.
#include "transport/inbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <utility>

namespace loadstone::transport {
namespace {

constexpr std::uint64_t near_wrap = 0 - std::uint64_t{5 * step};

struct alignas(128) box {
  inbox_lines lines{};
  intent_line intents[4]{};
  slot slots[64]{};
  inbox::consumer consumer;
  std::uint32_t count;

  box(std::uint32_t n, std::uint64_t first, bool marks) : count(n) {
    inbox::prepare(lines, slots, n, first);
    consumer = inbox::consumer(&lines, slots, n, first, marks);
  }
  inbox::producer producer() { return {&lines, slots, count, 9}; }
};

std::unique_ptr<box> make(std::uint32_t n, std::uint64_t first = near_wrap, bool marks = true) {
  return std::make_unique<box>(n, first, marks);
}

bool send(inbox::producer& p, intent_line& intent, std::uint32_t number) {
  slot* s = p.claim(intent);
  if (s == nullptr) return false;
  s->sequence = number;
  (void)p.publish();
  return true;
}

TEST(inbox, full_is_refused_and_room_comes_back) {
  auto b = make(2);
  auto p = b->producer();
  for (std::uint32_t lap = 0; lap < 20; ++lap) {  // over the wrap
    EXPECT_TRUE(send(p, b->intents[0], 2 * lap));
    EXPECT_TRUE(send(p, b->intents[0], 2 * lap + 1));
    EXPECT_EQ(p.claim(b->intents[0]), nullptr);
    EXPECT_EQ(b->intents[0].inbox.load(), no_inbox) << "a refused sender holds nothing";
    for (std::uint32_t i = 0; i < 2; ++i) {
      slot* s = b->consumer.front();
      ASSERT_NE(s, nullptr);
      EXPECT_EQ(s->sequence, 2 * lap + i);
      b->consumer.release();
    }
    EXPECT_EQ(b->consumer.front(), nullptr);
    EXPECT_FALSE(b->consumer.pending());
  }
}

TEST(inbox, looks_past_an_unpublished_slot) {
  auto b = make(8);
  auto stopped = b->producer(), other = b->producer();
  ASSERT_NE(stopped.claim(b->intents[0]), nullptr);
  for (std::uint32_t i = 0; i < 7; ++i) ASSERT_TRUE(send(other, b->intents[1], i));
  EXPECT_EQ(b->consumer.front(), nullptr);
  for (std::uint32_t i = 0; i < 7; ++i) {
    slot* s = b->consumer.find();
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(s->sequence, i);
    b->consumer.release_found(s);
  }
  EXPECT_EQ(b->consumer.find(), nullptr);
  EXPECT_TRUE(b->consumer.pending());
  EXPECT_EQ(b->consumer.head(), near_wrap);
  EXPECT_EQ(other.claim(b->intents[1]), nullptr) << "the gap still holds its slot";
  stopped.claimed().sequence = 77;
  (void)stopped.publish();
  ASSERT_NE(b->consumer.front(), nullptr);
  EXPECT_EQ(b->consumer.front()->sequence, 77u);
  b->consumer.release();
  EXPECT_FALSE(b->consumer.pending());
  EXPECT_EQ(b->consumer.head(), near_wrap + 8 * step) << "what was taken past the gap is passed over";
  EXPECT_TRUE(send(other, b->intents[1], 8));
}

TEST(inbox, a_dead_claim_is_voided) {
  auto b = make(4);
  auto dead = b->producer(), other = b->producer();
  ASSERT_NE(dead.claim(b->intents[0]), nullptr);
  ASSERT_TRUE(send(other, b->intents[1], 1));
  slot* s = b->consumer.find();
  ASSERT_NE(s, nullptr);
  b->consumer.release_found(s);
  EXPECT_EQ(b->intents[0].position.load(), b->consumer.head()) << "the gap names its holder";
  b->consumer.void_first();
  EXPECT_FALSE(b->consumer.pending());
  for (std::uint32_t i = 0; i < 12; ++i) {  // the slot is in use again
    ASSERT_TRUE(send(other, b->intents[1], i));
    ASSERT_NE(b->consumer.front(), nullptr);
    b->consumer.release();
  }
}

TEST(inbox, the_sleep_bit_is_seen_by_the_claim) {
  auto b = make(4);
  auto p = b->producer();
  b->lines.tail.fetch_or(sleep_bit);
  ASSERT_NE(p.claim(b->intents[0]), nullptr);
  EXPECT_TRUE(p.publish());
  EXPECT_TRUE((b->lines.tail.load() & sleep_bit) != 0)
      << "cleared by who rings, after publishing: it may die before";
}

// Producers race into a tiny inbox; each stream stays in order although the consumer looks past gaps.
TEST(inbox, streams_stay_in_order_under_contention) {
  for (const auto& [slots, marks] : {std::pair{2u, true}, {4u, false}, {4u, true}, {64u, true}}) {
    auto b = make(slots, near_wrap, marks);
    constexpr std::uint32_t each = 20'000;
    std::thread senders[3];
    for (std::uint32_t t = 0; t < 3; ++t) {
      senders[t] = std::thread([&, t] {
        auto p = b->producer();
        for (std::uint32_t i = 0; i < each;) {
          slot* const s = p.claim(b->intents[t]);
          if (s == nullptr) {
            std::this_thread::yield();
            continue;
          }
          p.claimed().source = t;
          p.claimed().sequence = i++;
          if (i % 64 == 0) std::this_thread::yield();  // between claim and publish
          (void)p.publish();
        }
      });
    }
    std::uint32_t next[3] = {};
    for (std::uint32_t left = 3 * each; left != 0;) {
      slot* s = left % 2 == 0 ? b->consumer.front() : b->consumer.find();
      if (s == nullptr) s = b->consumer.find();
      if (s == nullptr) {
        std::this_thread::yield();
        continue;
      }
      ASSERT_EQ(s->sequence, next[s->source]++);
      b->consumer.release_found(s);
      --left;
    }
    for (auto& t : senders) t.join();
    EXPECT_FALSE(b->consumer.pending());
  }
}

}  // namespace
}  // namespace loadstone::transport
