// Each lane by itself, its state set directly: making, refusing, fullness, what is not due, memory
// that comes back.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "transport/processes.hpp"

namespace loadstone::transport {
namespace {

constexpr std::uint32_t many = 16;

struct two_ends {
  processes p{2};
  peer_table low{*p.job, *p[0].memory}, high{*p.job, *p[1].memory};

  two_ends() {
    for (std::uint32_t i = 0; i < 2; ++i) {
      auto* f = static_cast<front*>(p[i].arena->pointer(memory::front_of(i)));
      f->transport = choice{}.word();
      f->slots = 4;
      f->intent.inbox.store(no_inbox);
      inbox::prepare(f->inbox, slots_of(f), 4, 0);
      (i == 0 ? low : high).set_own(f);
      f->ready.store(front_magic);
    }
  }
};

void write(pair_line_end& to, const outgoing& m, std::uint32_t number) {
  to.publish(to.write(m, number));
}

struct two_lines : two_ends {
  line_lane proposer{low, *p[0].memory, many, 8, 1 << 20};
  line_lane accepter{high, *p[1].memory, many, 8, 1 << 20};

  void open() {
    const auto where = proposer.make_for(1);
    ASSERT_TRUE(where);
    accepter.accept(0, {*where});
    ASSERT_NE(low.met(1).line, nullptr);
    ASSERT_NE(high.met(0).line, nullptr);
  }
};

TEST(line_lane, the_lower_number_proposes_and_the_other_has_the_first_turn) {
  two_lines t;
  EXPECT_FALSE(t.accepter.make_for(0)) << "the higher number";
  EXPECT_FALSE(t.proposer.make_for(0)) << "oneself";
  t.open();
  EXPECT_FALSE(t.low.met(1).line->has_turn());
  EXPECT_TRUE(t.high.met(0).line->has_turn());
}

TEST(line_lane, messages_by_turns) {
  two_lines t;
  t.open();
  taker at_low, at_high;
  for (std::uint32_t i = 0; i < 70'000; ++i) {  // over the wrap of turns
    std::uint64_t word = i;
    EXPECT_EQ(t.proposer.take_one(at_low), lane_state::empty);
    write(*t.high.met(0).line, short_message(word), i);
    ASSERT_TRUE(t.proposer.arrived());
    ASSERT_EQ(t.proposer.take_one(at_low), lane_state::taken);
    ASSERT_EQ(at_low.value, i);
    write(*t.low.met(1).line, short_message(word), i);
    ASSERT_EQ(t.accepter.take_one(at_high), lane_state::taken);
    at_low.got.clear();
    at_high.got.clear();
  }
}

TEST(line_lane, what_is_not_due_stays) {
  two_lines t;
  t.open();
  taker take;
  std::uint64_t word = 5;
  write(*t.high.met(0).line, short_message(word), 3);
  EXPECT_EQ(t.proposer.take_one(take), lane_state::not_due);
  EXPECT_EQ(t.proposer.take_from(*t.low.met(1).line, take), lane_state::not_due);
  EXPECT_TRUE(take.got.empty());
  take.next[{1, user_class}] = 3;
  EXPECT_EQ(t.proposer.take_one(take), lane_state::taken);
  EXPECT_EQ(take.value, 5u);
}

TEST(line_lane, a_refused_line_is_gone_at_both_ends) {
  two_lines t;
  line_lane unwilling(t.high, *t.p[1].memory, 0, 8, 1 << 20);
  const auto where = t.proposer.make_for(1);
  ASSERT_TRUE(where);
  unwilling.accept(0, {*where});
  EXPECT_EQ(t.high.met(0).line, nullptr);
  taker take;
  EXPECT_EQ(t.proposer.take_one(take), lane_state::empty);
  EXPECT_EQ(t.low.met(1).line, nullptr);
  EXPECT_TRUE(t.proposer.empty());
}

TEST(line_lane, a_line_that_was_not_proposed_gives_its_memory_back) {
  two_lines t;
  ASSERT_TRUE(t.proposer.make_for(1));
  const std::size_t before = t.p[0].arena->reserved_bytes();
  for (int i = 0; i < 100'000; ++i) {
    t.proposer.withdraw(1);
    ASSERT_EQ(t.low.met(1).line, nullptr);
    ASSERT_TRUE(t.proposer.make_for(1)) << "the place is free again";
  }
  EXPECT_EQ(t.p[0].arena->reserved_bytes(), before);
}

TEST(line_lane, both_ends_write_into_one_buffer_and_read_where_it_lies) {
  two_lines t;
  t.open();
  std::vector<std::byte> data(last_buffer_capacity);
  std::uint64_t header = 9;
  std::size_t reserved = 0;
  for (std::uint32_t number = 0; number < 1500; ++number) {
    const bool high_writes = number % 2 == 0;
    // At first up to what the first buffer holds; the longer ones then begin with the other end's.
    const bool grown = number >= 501;
    const std::size_t bytes = number == 501
                                  ? last_buffer_capacity
                                  : 1 + number * 61 % (grown ? last_buffer_capacity : first_buffer_capacity);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 31 + number);
    line_lane& from = high_writes ? t.accepter : t.proposer;
    line_lane& to = high_writes ? t.proposer : t.accepter;
    pair_line_end& out = high_writes ? *t.high.met(0).line : *t.low.met(1).line;
    pair_line_end& in = high_writes ? *t.low.met(1).line : *t.high.met(0).line;
    ASSERT_TRUE(out.has_turn());
    outgoing m{1, user_class, sizeof header, &header, nullptr, data.data(), bytes};
    ASSERT_TRUE(from.buffer_for(out, bytes));
    filling f = out.fill_buffer(m);
    f.fill(m, false);
    out.publish(out.write(m, number, f));
    struct {
      line_lane& at;
      pair_line_end& in;
      const std::vector<std::byte>& expected;
      std::uint32_t due_number;
      std::size_t bytes;
      bool same = false;
      bool operator()(slot& s, std::uint32_t, bool, bool) {
        same = s.payload_bytes == bytes && s.flags == slot_in_buffer &&
               std::memcmp(in.payload(s.payload_bytes), expected.data(), bytes) == 0;
        return true;
      }
      std::uint32_t due(std::uint32_t, std::uint8_t) const { return due_number; }
    } check{to, in, data, number, bytes};
    ASSERT_EQ(to.take_one(check), lane_state::taken);
    ASSERT_TRUE(check.same) << number;
    EXPECT_EQ(in.buffer().known_as().where, out.buffer().known_as().where);
    EXPECT_NE(in.buffer().known_as().owned, out.buffer().known_as().owned);
    EXPECT_TRUE(in.buffer().holds(bytes));
    EXPECT_TRUE(in.has_turn());
    const std::size_t now = t.p[0].arena->reserved_bytes() + t.p[1].arena->reserved_bytes();
    if (number == 0 || number == 501) reserved = now;
    ASSERT_EQ(now, reserved) << "one buffer, once it is long enough";
  }
}

TEST(line_lane, a_long_payload_takes_the_buffer_only_after_one_of_the_peer) {
  two_lines t;
  t.open();
  std::vector<std::byte> data(first_buffer_capacity);
  std::uint64_t header = 9;
  taker at_low, at_high;
  std::uint32_t numbers[2] = {0, 0};
  // The next message of either end, with that much payload; whether that went into the buffer.
  auto send = [&](bool high_writes, std::size_t bytes) {
    line_lane& from = high_writes ? t.accepter : t.proposer;
    line_lane& to = high_writes ? t.proposer : t.accepter;
    pair_line_end& out = high_writes ? *t.high.met(0).line : *t.low.met(1).line;
    pair_line_end& in = high_writes ? *t.low.met(1).line : *t.high.met(0).line;
    const std::uint32_t number = numbers[high_writes]++;
    const outgoing m{1, user_class, sizeof header, &header, nullptr, data.data(), bytes};
    filling f;
    if (bytes != 0 && from.may_fill(out, m, number)) {
      f = out.fill_buffer(m);
      f.fill(m, true);
    }
    out.publish(f ? out.write(m, number, f) : out.write(short_message(header), number));
    taker& take = high_writes ? at_low : at_high;
    struct {
      taker& inner;
      line_lane& at;
      pair_line_end& in;
      bool operator()(slot& s, std::uint32_t source, bool now, bool more) {
        EXPECT_TRUE((s.flags & slot_in_buffer) == 0 || in.payload(s.payload_bytes) != nullptr);
        return inner(s, source, now, more);
      }
      std::uint32_t due(std::uint32_t source, std::uint8_t kind) const { return inner.due(source, kind); }
    } read{take, to, in};
    EXPECT_EQ(to.take_one(read), lane_state::taken);
    return static_cast<bool>(f);
  };
  const std::size_t longer = pair_buffer::most_one_way + 1;
  send(true, 0);
  send(false, 0);
  EXPECT_TRUE(send(true, longer)) << "nobody has written there";
  send(false, 0);
  EXPECT_FALSE(send(true, longer)) << "only we have";
  EXPECT_TRUE(send(false, pair_buffer::most_one_way));
  EXPECT_FALSE(send(true, longer)) << "a short one does not count";
  EXPECT_TRUE(send(false, longer)) << "the peer has";
  EXPECT_TRUE(send(true, longer)) << "by turns";
  EXPECT_TRUE(send(false, longer)) << "by turns";
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(send(true, pair_buffer::most_one_way)) << "short enough";
    send(false, 0);
  }
}

TEST(line_lane, buffers_have_a_limit) {
  two_ends t;
  line_lane proposer(t.low, *t.p[0].memory, 2, 8, first_buffer_capacity + last_buffer_capacity - 1);
  line_lane without(t.high, *t.p[1].memory, 2, 8, first_buffer_capacity - 1);
  const auto where = proposer.make_for(1);
  ASSERT_TRUE(where);
  without.accept(0, {*where});
  pair_line_end& line = *t.low.met(1).line;
  EXPECT_TRUE(proposer.buffer_for(line, 1));
  EXPECT_TRUE(proposer.buffer_for(line, first_buffer_capacity)) << "it has one";
  EXPECT_FALSE(proposer.buffer_for(line, first_buffer_capacity + 1)) << "both are there for a moment";
  EXPECT_TRUE(line.buffer().holds(first_buffer_capacity)) << "what there is stays";
  EXPECT_FALSE(without.buffer_for(*t.high.met(0).line, 1));
}

struct two_rings : two_ends {
  ring_lane receiver{low, *p[0].memory, many, many, 16};
  ring_lane sender{high, *p[1].memory, many, many, 16};

  bool open() {
    const auto where = receiver.make_for(1);
    if (where) sender.accept(0, {*where});
    return high.met(0).ring != nullptr;
  }
  bool send(std::uint32_t number) {
    slot* s = high.met(0).ring->claim();
    if (s == nullptr) return false;
    std::uint64_t word = number;
    write_slot(*s, short_message(word), 1, number, 0);
    high.met(0).ring->publish();
    return true;
  }
};

TEST(ring_lane, full_pushes_back_and_room_comes_again) {
  two_rings t;
  ASSERT_TRUE(t.open());
  EXPECT_FALSE(t.receiver.make_for(1)) << "one for each sender";
  EXPECT_FALSE(t.receiver.make_for(0)) << "none for oneself";
  taker take;
  std::uint32_t sent = 0, source = 99;
  for (int lap = 0; lap < 50; ++lap) {
    while (t.send(sent)) ++sent;
    EXPECT_GE(sent - take.got.size(), ring_slots - ring_slots / 8) << "room is told of eight times a round";
    EXPECT_TRUE(t.receiver.at_hand());
    const std::uint32_t most = 1 + static_cast<std::uint32_t>(lap) % 64;
    EXPECT_EQ(t.receiver.take_some(most, take, &source), most);
    EXPECT_EQ(source, 1u);
  }
  while (t.receiver.take_one(take) == lane_state::taken) {
  }
  EXPECT_EQ(take.got.size(), sent);
  EXPECT_FALSE(t.receiver.at_hand());
}

TEST(ring_lane, what_is_not_due_stays) {
  two_rings t;
  ASSERT_TRUE(t.open());
  ASSERT_TRUE(t.send(7));
  taker take;
  EXPECT_EQ(t.receiver.take_one(take), lane_state::not_due);
  EXPECT_TRUE(t.receiver.not_due());
  take.next[{1, user_class}] = 7;
  EXPECT_EQ(t.receiver.take_one(take), lane_state::taken);
  EXPECT_FALSE(t.receiver.not_due());
}

TEST(ring_lane, who_refuses_is_not_asked_again) {
  two_rings t;
  ring_lane unwilling(t.high, *t.p[1].memory, many, 0, 16);
  const auto where = t.receiver.make_for(1);
  ASSERT_TRUE(where);
  unwilling.accept(0, {*where});
  EXPECT_EQ(t.high.met(0).ring, nullptr);
  taker take;
  EXPECT_EQ(t.receiver.take_one(take), lane_state::empty);
  EXPECT_TRUE(t.receiver.empty());
  EXPECT_FALSE(t.receiver.make_for(1));
  EXPECT_EQ(t.low.met(1).ring_from, nullptr);
}

TEST(ring_lane, is_wanted_once_after_so_many) {
  two_rings t;
  for (int i = 1; i < 16; ++i) EXPECT_FALSE(t.receiver.heard(1));
  EXPECT_TRUE(t.receiver.heard(1));
  EXPECT_FALSE(t.receiver.heard(1));
}

struct one_inbox : two_ends {
  inbox_lane lane{*p.job, *p[0].memory};
  inbox::producer out;
  front* mine;
  front* theirs;

  one_inbox() {
    mine = static_cast<front*>(p[0].arena->pointer(memory::front_of(0)));
    theirs = static_cast<front*>(p[1].arena->pointer(memory::front_of(1)));
    lane.open(*mine, 0);
    out = inbox::producer(&mine->inbox, slots_of(mine), mine->slots, 0);
  }
  void claim(std::uint32_t number) {
    ASSERT_NE(out.claim(theirs->intent), nullptr);
    std::uint64_t word = number;
    write_slot(out.claimed(), short_message(word), 1, number, 0);
  }
};

TEST(inbox_lane, nobody_sleeps_over_a_message) {
  one_inbox t;
  ASSERT_TRUE(t.lane.set_sleep_bit());
  EXPECT_EQ(t.lane.longest_sleep(), std::chrono::milliseconds(200));
  t.claim(0);
  EXPECT_TRUE(t.out.publish()) << "whoever claims sees the bit";
  EXPECT_TRUE(t.lane.arrived());
  EXPECT_FALSE(t.lane.set_sleep_bit());
  taker take;
  EXPECT_EQ(t.lane.take_one(take), lane_state::taken);
  EXPECT_FALSE(t.lane.arrived());
}

TEST(inbox_lane, sleeps_over_a_gap_are_short_and_its_dead_holder_is_voided) {
  one_inbox t;
  t.claim(0);  // and never publishes
  EXPECT_FALSE(t.lane.arrived());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(t.lane.set_sleep_bit());
    const auto nap = t.lane.longest_sleep();
    ASSERT_TRUE(nap);
    EXPECT_LT(*nap, std::chrono::milliseconds(20));
    EXPECT_TRUE(t.lane.gap());
  }
  EXPECT_EQ(t.lane.voided(), 0u) << "its holder lives";
  t.p.job->process(1).dead.store(1);
  for (int i = 0; i < 10 && t.lane.voided() == 0; ++i) {
    ASSERT_TRUE(t.lane.set_sleep_bit());
    (void)t.lane.longest_sleep();
  }
  EXPECT_EQ(t.lane.voided(), 1u);
}

TEST(attention, a_store_is_announced_with_a_ring_only_to_who_sleeps) {
  two_ends t;
  auto* mine = static_cast<front*>(t.p[0].arena->pointer(memory::front_of(0)));
  attention reader(true, false), sender(true, false);
  reader.set_own(mine);
  const std::uint32_t bell = reader.bell().load();
  sender.announce(*mine);
  EXPECT_EQ(sender.rings(), 0u);
  mine->inbox.tail.fetch_or(sleep_bit);
  sender.announce(*mine);
  EXPECT_EQ(sender.rings(), 1u);
  EXPECT_NE(reader.bell().load(), bell);
  EXPECT_EQ(mine->inbox.tail.load() & sleep_bit, 0u) << "once";
  sender.announce(*mine);
  EXPECT_EQ(sender.rings(), 1u);

  reader.came(15);
  EXPECT_EQ(mine->inbox.attention.load(), 0u);
  reader.came(1);
  EXPECT_EQ(mine->inbox.attention.load(), attends) << "after sixteen messages";
  reader.refuse(true);
  EXPECT_EQ(mine->inbox.attention.load(), attends | refuses);
  EXPECT_FALSE(attention::takes(*mine, user_class));
  EXPECT_TRUE(attention::takes(*mine, control_class));
  EXPECT_TRUE(reader.give_up()) << "what was stored a moment ago may not be here yet";
  EXPECT_EQ(mine->inbox.attention.load(), refuses);
  mine->inbox.tail.fetch_or(sleep_bit);
  reader.disarm();
  EXPECT_EQ(mine->inbox.tail.load() & sleep_bit, 0u);
}

// --- the router ---

struct a_job {
  processes p;
  std::vector<std::unique_ptr<mapped>> way;
  std::vector<taker> take;

  a_job(std::uint32_t n, std::uint32_t line_after, std::uint32_t ring_after) : p(n), take(n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      setup s{{.inbox_slots = 4, .cell_bytes_limit = 1 << 20}, *p.job, *p[i].memory};
      s.line_after = line_after;
      s.ring_after = ring_after;
      s.offer_handler = 42;
      way.push_back(std::move(*mapped::open(s)));
    }
  }
  void send(std::uint32_t from, std::uint32_t to, std::uint8_t handler = 1) {
    std::uint64_t word = handler;
    ASSERT_EQ(way[from]->send(to, short_message(word, handler)), send_result::sent);
  }
  // With offers of lines and rings taken up.
  void poll(std::uint32_t self) {
    struct {
      a_job& j;
      std::uint32_t self;
      bool operator()(slot& s, std::uint32_t source, bool fresh, bool queued) {
        if (s.handler == 42) j.way[self]->accept(source, s.data);
        return j.take[self](s, source, fresh, queued);
      }
      std::uint32_t due(std::uint32_t source, std::uint8_t kind) const {
        return j.take[self].due(source, kind);
      }
    } all{*this, self};
    while (way[self]->poll(all)) {
    }
  }
  std::uint32_t received(std::uint32_t self, std::uint32_t from) { return take[self].due(from, user_class); }
};

// Line, ring, inbox and queue hold parts of one stream: the taker asserts that they come in order.
TEST(router, one_stream_through_all_lanes) {
  a_job j(2, 2, 4);
  for (int i = 0; i < 4; ++i) {  // a line
    j.send(0, 1);
    j.poll(1);
    j.send(1, 0);
    j.poll(0);
  }
  std::uint32_t sent = 4;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < round; ++i, ++sent) j.send(0, 1);
    if (round % 3 == 0) j.poll(1);
    if (round % 5 == 0) {
      j.poll(1);
      j.send(1, 0);
      j.poll(0);
    }
  }
  for (int i = 0; i < 200; ++i, ++sent) j.send(0, 1);  // more than ring and inbox have
  j.poll(1);
  EXPECT_EQ(j.received(1, 0), sent);
  const figures f = j.way[0]->counts();
  EXPECT_GT(f.line_sent, 0u);
  EXPECT_GT(f.ring_sent, 0u);
  EXPECT_GT(f.queued_sent, 0u);
  EXPECT_GT(f.inline_sent, f.line_sent + f.ring_sent) << "the inbox";
}

TEST(router, nobody_sleeps_over_any_lane) {
  for (const bool line : {false, true})
    for (const bool ring : {false, true})
      for (const bool queue : {false, true}) {
        a_job j(2, line ? 1 : 1000, ring ? 2 : 1000);
        j.send(0, 1);
        j.poll(1);
        j.send(1, 0);
        j.poll(0);
        for (int i = 0; i < 4; ++i) {
          j.send(0, 1);
          if (i != 3) j.poll(1);
          j.poll(0);
        }
        if (queue)
          for (int i = 0; i < 300; ++i) j.send(0, 1);
        EXPECT_FALSE(j.way[1]->arm()) << line << ring << queue;
        j.way[1]->sleeper().disarm();
        j.poll(1);
        EXPECT_TRUE(j.way[1]->arm()) << line << ring << queue;
        j.way[1]->sleeper().disarm();
      }
}

}  // namespace
}  // namespace loadstone::transport
