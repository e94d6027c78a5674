// A full lane pushes back while its reader is at it, and sends its sender elsewhere when it is not.
#include <thread>

#include "transport/processes.hpp"

namespace loadstone::transport {
namespace {

// Takes the offers of rings, whose handler is the endpoint's.
struct offers {
  mapped& at;
  bool operator()(slot& s, std::uint32_t source, bool, bool) {
    at.accept(source, s.data);
    return true;
  }
  std::uint32_t due(std::uint32_t, std::uint8_t) const { return 0; }
};

// Process 1 sends to process 0.
struct sender_and_reader {
  static constexpr std::uint32_t slots = 4;
  static constexpr std::uint32_t for_ever = ~0u;
  processes p{2};
  std::unique_ptr<mapped> reader, sender;
  taker take;
  std::uint64_t sent = 0;

  explicit sender_and_reader(std::uint32_t patience) {
    setup s{{.inbox_slots = slots, .cell_bytes_limit = 1 << 20}, *p.job, *p[0].memory};
    reader = std::move(*mapped::open(s));
    setup t{{.inbox_slots = slots, .cell_bytes_limit = 1 << 20}, *p.job, *p[1].memory};
    t.patience = patience;
    sender = std::move(*mapped::open(t));
  }
  void send(std::uint32_t messages) {
    for (std::uint32_t i = 0; i < messages; ++i, ++sent)
      ASSERT_EQ(sender->send(0, short_message(sent)), send_result::sent);
  }
  void read(std::uint64_t until) {
    while (take.got.size() < until)
      if (!reader->poll(take)) std::this_thread::yield();
  }
  // The sixteenth message in a row makes its receiver offer a ring.
  void make_ring() {
    for (int i = 0; i < 16; ++i) {
      send(1);
      read(sent);
    }
    sender->poll(offers{*sender});
  }
  std::uint64_t queued() const { return sender->counts().queued_sent; }
};

TEST(full_lane, its_sender_goes_on_when_nobody_reads) {
  sender_and_reader t(10);
  t.make_ring();
  constexpr std::uint32_t more = 1000;
  t.send(more);
  EXPECT_EQ(t.queued(), more - ring_slots - t.slots);
  t.read(t.sent);
  EXPECT_EQ(t.take.value, t.sent - 1);
}

// Nothing goes another way.
TEST(full_lane, a_reader_that_is_at_it_is_waited_for) {
  for (const bool ring : {false, true}) {
    sender_and_reader t(sender_and_reader::for_ever);
    if (ring) t.make_ring();
    constexpr std::uint32_t more = 1000;
    const std::uint64_t until = t.sent + more;
    std::thread reading([&] { t.read(until); });
    t.send(more);
    reading.join();
    EXPECT_EQ(t.queued(), 0u) << (ring ? "ring" : "inbox");
  }
}

// Others take every slot that it frees.
TEST(full_lane, not_for_ever_where_others_are_quicker) {
  sender_and_reader t(0);
  struct {
    mutable std::uint64_t at = 0;
    std::uint64_t reader_at() const { return ++at; }
  } lane;
  std::uint32_t asked = 0;
  const auto has_slot = [&] { return ++asked == 100'000; };
  peer& to = *t.sender->peers().reach(0);
  patience own(10);
  EXPECT_FALSE(own.wait(to, user_class, lane, has_slot));
  EXPECT_GT(asked, 100u);  // but longer than for one that does not read
  asked = 0;
  EXPECT_FALSE(own.wait(to, user_class, lane, has_slot)) << "it has read on since";
  EXPECT_GT(asked, 100u);
}

// A queue was needed; its reader is back: the queue is left as soon as it is empty.
TEST(full_lane, a_queue_that_is_being_read_is_left) {
  sender_and_reader t(sender_and_reader::for_ever);
  t.make_ring();
  constexpr std::uint32_t refused = 100, more = 5000;
  t.reader->refuse(true);
  t.send(refused);
  ASSERT_EQ(t.queued(), refused);
  t.reader->refuse(false);
  const std::uint64_t until = t.sent + more;
  std::thread reading([&] { t.read(until); });
  t.send(more);
  reading.join();
  EXPECT_EQ(t.queued(), refused);
}

// Its sender sees soon that it is being read: what a reader does with its messages takes time.
TEST(full_lane, a_reader_takes_few_from_a_queue_before_it_tells) {
  sender_and_reader t(0);
  t.reader->refuse(true);
  t.send(100);
  t.reader->refuse(false);
  ASSERT_TRUE(t.reader->poll(t.take));
  EXPECT_GT(t.take.got.size(), 0u);
  EXPECT_LE(t.take.got.size(), t.slots + told_after);
}

// What it refuses has no lane to wait for.
TEST(full_lane, a_reader_that_refuses_is_not_waited_for) {
  for (const bool ring : {false, true}) {
    sender_and_reader t(sender_and_reader::for_ever);
    if (ring) t.make_ring();
    t.reader->refuse(true);
    t.send(3);
    EXPECT_EQ(t.queued(), 3u);
    std::uint64_t word = 0;
    ASSERT_EQ(t.sender->send(0, short_message(word, 1, control_class)), send_result::sent);
    EXPECT_EQ(t.queued(), 3u) << "only user messages are refused";
    t.reader->refuse(false);
    t.read(t.sent + 1);
    t.send(1);
    EXPECT_EQ(t.queued(), 3u);
  }
}

}  // namespace
}  // namespace loadstone::transport
