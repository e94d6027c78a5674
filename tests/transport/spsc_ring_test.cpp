// The ring of one writer and one reader, in states that are set directly; and between two threads.
#include "transport/spsc_ring.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace loadstone::transport {
namespace {

struct small_ring {
  explicit small_ring(std::uint32_t slots) : all(new slot[slots]{}), n(slots) {}
  std::atomic<std::uint64_t> head{0};
  std::unique_ptr<slot[]> all;
  std::uint32_t n;

  slot& at(std::uint64_t position) { return all[position / step % n]; }
  std::atomic<std::uint64_t>& told() { return head; }
  std::uint64_t size() const { return n; }
};

// Both ends begin at `first`: near the wrap of all 64 bits, and where its halves meet.
struct spsc_ring : ::testing::TestWithParam<std::uint64_t> {
  small_ring ring{4};
  ring_writer out{GetParam()};
  ring_reader in{GetParam()};

  spsc_ring() { ring.head = GetParam(); }
  bool put(std::uint32_t number) {
    slot* s = out.claim(ring);
    if (s == nullptr) return false;
    s->sequence = number;
    out.publish(ring);
    return true;
  }
  bool take(std::uint32_t number, std::uint64_t every = 1) {
    slot* s = in.front(ring);
    if (s == nullptr) return false;
    EXPECT_EQ(s->sequence, number);
    in.release(ring, every);
    return true;
  }
};

TEST_P(spsc_ring, empty_one_full_and_empty_again) {
  EXPECT_FALSE(take(0)) << "what fresh memory has is no message";
  ASSERT_TRUE(put(1));
  EXPECT_TRUE(take(1));
  EXPECT_FALSE(take(2));
  for (std::uint32_t i = 2; i < 6; ++i) ASSERT_TRUE(put(i));
  EXPECT_FALSE(put(6)) << "full";
  EXPECT_TRUE(take(2));
  EXPECT_TRUE(put(6));
  EXPECT_FALSE(put(7));
  for (std::uint32_t i = 3; i < 7; ++i) EXPECT_TRUE(take(i));
  EXPECT_FALSE(take(7)) << "what the last round left is no message";
}

TEST_P(spsc_ring, order_over_many_rounds_with_any_backlog) {
  std::uint32_t sent = 0, got = 0;
  for (std::uint32_t round = 0; round < 200; ++round) {
    for (std::uint32_t i = 0; i <= round % 5; ++i)
      if (put(sent)) ++sent;
    ASSERT_LE(sent - got, 4u);
    for (std::uint32_t i = 0; i <= round % 3; ++i)
      if (take(got)) ++got;
  }
  while (take(got)) ++got;
  EXPECT_EQ(got, sent);
  EXPECT_GT(got, 300u);
}

TEST_P(spsc_ring, the_writer_knows_of_room_when_it_is_told) {
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(put(i));
  EXPECT_TRUE(take(0, 4));  // told with every fourth position
  const bool told = (GetParam() / step + 1) % 4 == 0;
  EXPECT_EQ(put(4), told);
  while (in.front(ring) != nullptr) in.release(ring, 4);
  const std::uint64_t passed = (in.position() - ring.head.load()) / step;
  EXPECT_LT(passed, 4u);
  EXPECT_NE(out.claim(ring), nullptr);
}

TEST_P(spsc_ring, an_old_word_of_the_reader_does_no_harm) {
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(put(i));
  for (std::uint32_t i = 0; i < 2; ++i) ASSERT_TRUE(take(i));
  out.reader_is_at(in.position());
  EXPECT_EQ(out.consumed(), in.position());
  out.reader_is_at(in.position() - step);
  EXPECT_EQ(out.consumed(), in.position());
  EXPECT_TRUE(put(4));
}

// Claimed, written, and never published: nothing, whatever the slot has; what came before is there.
TEST_P(spsc_ring, a_writer_that_died_between_claim_and_publish_leaves_nothing) {
  ASSERT_TRUE(put(0));
  slot* dying = out.claim(ring);
  ASSERT_NE(dying, nullptr);
  dying->sequence = 1;
  dying->source = 99;
  EXPECT_EQ(out.claim(ring), dying) << "a claim changes nothing";
  EXPECT_TRUE(take(0));
  for (int looks = 0; looks < 10; ++looks) EXPECT_EQ(in.front(ring), nullptr);
  EXPECT_EQ(in.position(), out.position());
}

INSTANTIATE_TEST_SUITE_P(first, spsc_ring,
                         ::testing::Values(0, 0 - std::uint64_t{step}, 0 - std::uint64_t{7 * step},
                                           (std::uint64_t{1} << 32) - 3 * step,
                                           (std::uint64_t{1} << 63) - 2 * step));

TEST(spsc_ring_threads, everything_arrives_in_order_and_whole) {
  constexpr std::uint32_t messages = 200'000;
  for (const std::uint64_t every : {1, 2}) {
    small_ring ring(8);
    const std::uint64_t first = 0 - std::uint64_t{1000 * step};
    ring.head = first;
    std::thread writer([&] {
      ring_writer out(first);
      for (std::uint32_t i = 0; i < messages;) {
        slot* s = out.claim(ring);
        if (s == nullptr) {
          std::this_thread::yield();
          continue;
        }
        s->sequence = i;
        s->cell = ~std::uint64_t{i};
        out.publish(ring);
        ++i;
      }
    });
    ring_reader in(first);
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < messages;) {
      slot* s = in.front(ring);
      if (s == nullptr) {
        std::this_thread::yield();
        continue;
      }
      wrong += s->sequence != i || s->cell != ~std::uint64_t{i};
      in.release(ring, every);
      ++i;
    }
    writer.join();
    EXPECT_EQ(wrong, 0u);
  }
}

}  // namespace
}  // namespace loadstone::transport
