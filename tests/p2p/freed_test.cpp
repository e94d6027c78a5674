// Communicators that are freed when all that was asked of them is complete, and what comes for them
// even then: envelopes behind their data, cancelled messages, adverts. Which of them is behind is
// set by refusing user messages and by the order of polls, or of calls.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "deposit/handler_ids.hpp"
#include "p2p/matching/closed_contexts.hpp"
#include "p2p/ranks.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::testing::freed_test {
namespace {

constexpr std::size_t large = 200'000;

// Steps that two ranks take by turns, without the library.
struct turns {
  std::atomic<std::uint64_t> now{0};
  void await(std::uint64_t step) {
    while (now.load(std::memory_order_acquire) != step) usleep(50);
  }
  void next() { now.fetch_add(1, std::memory_order_release); }
};

void poll(rank& r, int times = 4) {
  for (int i = 0; i < times; ++i) with_gate(r, [](p2p::engine& e) { e.progress(); });
}
void refuse(rank& r, bool yes) {
  const std::lock_guard guard(r.endpoint->gate());
  r.endpoint->refuse_user_traffic(yes);
}
std::size_t remembered(rank& r) {
  const auto c = with_gate(r, [](p2p::engine& e) { return e.counts(); });
  return c.remembered + c.left_with_senders;
}
void free_scope(rank& r, p2p::scope& s) {
  EXPECT_EQ(s.users, 0u);
  with_gate(r, [&](p2p::engine& e) { e.detach(s); });
}

ranks_config alone(bool both_sides) {
  ranks_config c;
  c.rank.p2p.both_sides = both_sides ? 1 : 0;
  return c;
}

// Every kind of user message, of any number, through the inbox and out of a queue: written here as
// a peer would.
TEST(freed, no_kind_of_message_is_received_when_its_communicator_is_gone) {
  struct kind {
    deposit::handler_id handler;
    std::size_t header_bytes, payload_bytes;
  };
  constexpr kind kinds[] = {
      {deposit::handler_p2p_eager, sizeof(p2p::envelope), 10},
      {deposit::handler_p2p_eager, sizeof(p2p::envelope), 20'000},
      {deposit::handler_p2p_eager, sizeof(p2p::answered_envelope), 10},
      {deposit::handler_p2p_eager, sizeof(p2p::answered_envelope), 20'000},
      {deposit::handler_p2p_rendezvous, sizeof(p2p::answered_envelope), sizeof(p2p::offer)},
      {deposit::handler_p2p_taken, sizeof(p2p::answered_envelope), sizeof(p2p::taken_body)},
  };
  for (const bool poor : {false, true}) {
    turns turn;
    ranks_config c;
    if (poor) c.rank.endpoint.transport.rule = transport::choice::rule_kind::poor;
    run_ranks(
        2,
        [&](rank& r) {
          p2p::scope w = world_of(2, r.self);
          std::uint64_t context = 0x1000;
          const std::vector<std::byte> nothing(20'000);
          meet(r, w);
          poll(r);
          void* record = nullptr;
          memory::local_address ours{};
          if (r.self == 0) {
            record = *r.arena->allocate(sizeof(p2p::rendezvous_record), 128);
            new (record) p2p::rendezvous_record{};
            ours = memory::local_address::of(r.arena->address_of(record));
          }
          std::uint64_t step = 0;
          for (const bool queued : {false, true}) {
            for (const kind& k : kinds) {
              for (const std::uint32_t first : {0u, 1u, 7u}) {
                context += 8;
                if (r.self == 0) {
                  turn.await(step + 1);
                  for (std::uint32_t i = first; i < first + 3; ++i) {
                    std::byte header[deposit::max_header]{};
                    p2p::answered_envelope whole{p2p::envelope::of(context, i, 5), ours, 1, 0};
                    std::memcpy(header, &whole, k.header_bytes);
                    const std::lock_guard guard(r.endpoint->gate());
                    ASSERT_EQ(r.endpoint->send_active(1, k.handler, deposit::traffic::user, header,
                                                      k.header_bytes, nothing.data(), k.payload_bytes),
                              deposit::outcome::sent);
                  }
                  turn.next();
                } else {
                  p2p::scope gone = world_of(2, r.self, context);
                  free_scope(r, gone);
                  refuse(r, queued);
                  const std::size_t known = remembered(r);
                  const std::uint64_t received = r.endpoint->counts().received;
                  turn.next();
                  turn.await(step + 2);
                  while (r.endpoint->counts().received < received + 3) poll(r);
                  EXPECT_EQ(remembered(r), known) << "handler " << int{k.handler} << " number " << first;
                  EXPECT_EQ(r.p2p->counts().unexpected_length, 0u);
                  refuse(r, false);
                }
                step += 2;
              }
            }
          }
          meet(r, w);
          if (record != nullptr) r.arena->release(record);
        },
        c);
  }
}

// The sender has filled an advertised receive and says so; its envelope stands in its queue
// meanwhile.
void envelope_behind_its_data(int before, int filled) {
  turns turn;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), other = world_of(2, r.self, 0x1000);
        const auto data = painted(large, 3);
        meet(r, w);
        poll(r);
        if (r.self == 0) {
          for (int i = 0; i < before; ++i) send(r, other, bytes_of(data.data(), 10), 1, 1);
          turn.next();
          turn.await(2);
          poll(r);  // the adverts
          for (int i = 0; i < filled; ++i)
            EXPECT_EQ(send(r, other, bytes_of(data.data(), large), 1, i).error, 0);
          EXPECT_GE(r.endpoint->counts().queued_sent, static_cast<std::uint64_t>(filled));
          free_scope(r, other);
          turn.next();
        } else {
          std::vector<std::byte> small(10);
          std::vector<std::vector<std::byte>> got(static_cast<std::size_t>(filled),
                                                  std::vector<std::byte>(large));
          turn.await(1);
          for (int i = 0; i < before; ++i) receive(r, other, bytes_of(small.data(), 10), 0, 1);
          const std::size_t known = remembered(r) - (before != 0 ? 1 : 0);
          std::vector<p2p::request*> open;
          for (int i = 0; i < filled; ++i)
            open.push_back(
                start_receive(r, other, bytes_of(got[static_cast<std::size_t>(i)].data(), large), 0, i));
          poll(r);
          refuse(r, true);
          turn.next();
          turn.await(3);
          // A wait looks at the inbox first, one message at a time, and ends when it is satisfied.
          for (p2p::request* q : open) EXPECT_EQ(finish(r, q).error, 0);
          for (const auto& g : got) EXPECT_EQ(g, data);
          free_scope(r, other);
          refuse(r, false);
          poll(r);
          EXPECT_EQ(remembered(r), known) << "of a communicator that is gone";
          EXPECT_EQ(r.p2p->counts().unexpected_length, 0u);
        }
        meet(r, w);
      },
      alone(false));
}

TEST(freed, the_first_envelope_comes_when_its_communicator_is_gone) {
  envelope_behind_its_data(0, 1);
}

TEST(freed, an_envelope_comes_when_its_communicator_is_gone) {
  envelope_behind_its_data(3, 1);
}

// A message was cancelled that stands in its sender's queue, and a later one was taken from there
// before it.
TEST(freed, cancelled_messages_come_when_their_communicator_is_gone) {
  for (const bool first : {true, false}) {
    turns turn;
    ranks_config c = alone(false);
    c.rank.p2p.unexpected_limit = 1;
    run_ranks(
        2,
        [&](rank& r) {
          p2p::scope w = world_of(2, r.self), other = world_of(2, r.self, 0x1000),
                     full = world_of(2, r.self, 0x2000);
          const auto data = painted(100, 3);
          std::vector<std::byte> got(100);
          meet(r, w);
          poll(r);
          if (r.self == 0) {
            if (!first) send(r, other, bytes_of(data.data(), 100), 1, 1);
            send(r, full, bytes_of(data.data(), 100), 1, 1);  // what makes the receiver refuse
            turn.next();
            turn.await(2);
            p2p::request* gone =
                start_send(r, other, bytes_of(data.data(), 100), 1, 7, send_mode::synchronous);
            send(r, other, bytes_of(data.data(), 100), 1, 1);
            turn.next();
            turn.await(4);
            p2p::request* another =
                start_send(r, other, bytes_of(data.data(), 100), 1, 7, send_mode::synchronous);
            for (p2p::request* q : {gone, another}) {
              with_gate(r, [&](p2p::engine& e) { e.cancel(q); });
              EXPECT_TRUE(finish(r, q).cancelled);
            }
            free_scope(r, other);
            turn.next();
          } else {
            turn.await(1);
            poll(r);
            if (!first) receive(r, other, bytes_of(got.data(), 100), 0, 1);
            EXPECT_EQ(r.p2p->counts().unexpected_length, 1u);
            turn.next();
            turn.await(3);
            poll(r);  // both are left there
            EXPECT_EQ(receive(r, other, bytes_of(got.data(), 100), 0, 1).error, 0);
            EXPECT_EQ(got, data);
            turn.next();
            turn.await(5);
            free_scope(r, other);
            poll(r);
            receive(r, full, bytes_of(got.data(), 100), 0, 1);
            poll(r);  // there is room for both now
            EXPECT_EQ(r.p2p->counts().unexpected_length, 0u);
          }
          free_scope(r, full);
          meet(r, w);
          poll(r);
          EXPECT_EQ(remembered(r), 1u);
        },
        c);
  }
}

// The message of an advertised receive went another way, and the advert comes when the sender has
// done with the communicator; or the receive was cancelled.
TEST(freed, an_advert_comes_when_its_communicator_is_gone) {
  for (const bool cancelled : {false, true}) {
    turns turn;
    run_ranks(
        2,
        [&](rank& r) {
          p2p::scope w = world_of(2, r.self), other = world_of(2, r.self, 0x1000);
          const auto data = painted(10, 3);
          std::vector<std::byte> got(large);
          meet(r, w);
          poll(r);
          if (r.self == 0) {
            if (!cancelled) send(r, other, bytes_of(data.data(), 10), 1, 1);
            turn.next();
            turn.await(2);  // the advert is here, and has not been looked at
            const std::size_t known = remembered(r);
            free_scope(r, other);
            poll(r);
            EXPECT_EQ(remembered(r), known);
            turn.next();
          } else {
            turn.await(1);
            p2p::request* q = start_receive(r, other, bytes_of(got.data(), large), 0, 1);
            turn.next();
            turn.await(3);
            if (cancelled) with_gate(r, [&](p2p::engine& e) { e.cancel(q); });
            EXPECT_EQ(finish(r, q).cancelled, cancelled);
            free_scope(r, other);
          }
          meet(r, w);
        },
        alone(false));
  }
}

// An advert for a communicator that is not known yet is kept: the sender may not pass it over.
TEST(freed, an_advert_comes_before_its_communicator) {
  turns turn;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), other = world_of(2, r.self, 0x1000);
        const auto a = painted(large, 3), b = painted(large, 4);
        std::vector<std::byte> first(large), second(large);
        meet(r, w);
        if (r.self == 0) {
          turn.await(1);
          poll(r);
          turn.next();
          turn.await(3);
          poll(r);
          EXPECT_EQ(send(r, other, bytes_of(a.data(), large), 1, 1).error, 0);
          EXPECT_EQ(send(r, other, bytes_of(b.data(), large), 1, 1).error, 0);
        } else {
          p2p::request* x = start_receive(r, other, bytes_of(first.data(), large), 0, 1);
          turn.next();
          turn.await(2);
          p2p::request* y = start_receive(r, other, bytes_of(second.data(), large), 0, 1);
          turn.next();
          EXPECT_EQ(finish(r, x).error, 0);
          EXPECT_EQ(finish(r, y).error, 0);
          EXPECT_EQ(first, a);
          EXPECT_EQ(second, b);
        }
        meet(r, w);
        free_scope(r, other);
      },
      alone(false));
}

// Against a plain set. What is forgotten is old.
TEST(closed_contexts, like_a_plain_set) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  p2p::closed_contexts closed;
  std::set<std::uint64_t> oracle;
  const auto draw = [&] { return (std::uint64_t{random() % 3} << 32 | random() % 300) << 3 | random() % 3; };
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t context = draw();
    closed.add(context);
    oracle.insert(context);
    for (int k = 0; k < 20; ++k) {
      const std::uint64_t asked = draw();
      ASSERT_EQ(closed.contains(asked), oracle.count(asked) == 1) << std::hex << asked;
    }
    ASSERT_FALSE(closed.contains(draw() | 7));
  }
  EXPECT_FALSE(closed.contains(~std::uint64_t{0}));
}

TEST(closed_contexts, bounded) {
  p2p::closed_contexts closed(100);
  for (std::uint64_t i = 0; i < 100'000; ++i) closed.add(i << 3 | 1);  // in a row: one run
  EXPECT_EQ(closed.runs(), 1u);
  EXPECT_TRUE(closed.contains(12345 << 3 | 1));
  for (std::uint64_t i = 200'000; i < 300'000; i += 2) {
    closed.add(i << 3 | 1);
    EXPECT_TRUE(closed.contains(i << 3 | 1));
    EXPECT_TRUE(closed.contains((i - std::min<std::uint64_t>(i - 200'000, 100)) << 3 | 1));
    EXPECT_FALSE(closed.contains((i + 1) << 3 | 1));
  }
  EXPECT_LE(closed.runs(), 201u);
}

}  // namespace
}  // namespace loadstone::testing::freed_test
