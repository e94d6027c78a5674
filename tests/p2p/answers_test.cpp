// Two ranks that answer each other with blocking calls: messages that are received without a request
// (engine::receive_now()) keep their places among all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

constexpr int rounds = 60;  // a pair line is there after the first few

// What is to be received is mostly there then, on a busy machine too.
void linger() {
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

struct pair_of_ranks {
  rank& r;
  p2p::scope& w;
  const int peer;

  void say(int value, int tag) { send(r, w, bytes_of(&value, sizeof value), peer, tag); }
  int hear(int tag, int source) {
    int value = -1;
    linger();
    const outcome o = receive(r, w, bytes_of(&value, sizeof value), source, tag);
    EXPECT_EQ(o.error, 0);
    EXPECT_EQ(o.source, peer);
    EXPECT_EQ(o.bytes, static_cast<std::int64_t>(sizeof value));
    return value;
  }
  int hear(int tag) { return hear(tag, peer); }
};

// `asks` sends and `answers` receives what has been sent, in each round; then the other way round.
template <class Asks, class Answers>
void by_turns(Asks&& asks, Answers&& answers) {
  run_processes(2, [&](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    pair_of_ranks me{r, w, 1 - static_cast<int>(r.self)};
    for (int i = 0; i < rounds; ++i) {
      for (std::uint32_t turn = 0; turn < 2; ++turn) {
        if (turn == r.self)
          asks(me, i);
        else
          answers(me, i);
      }
    }
    EXPECT_EQ(w.users, 0u);
    EXPECT_GT(r.endpoint->counts().line_sent, 0u);
    meet(r, s);
  });
}

// Counts messages whose senders are through with them, in all processes: the next one is there for certain.
struct said_count {
  std::atomic<std::uint64_t>& said = shared_page::create(1)->words[0];
  void add() const { ++said; }
  void wait_for(int count) const {
    while (said < static_cast<std::uint64_t>(count)) std::this_thread::yield();
  }
};

TEST(answers, arrive_without_a_request) {
  run_processes(2, [all = said_count()](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    pair_of_ranks me{r, w, 1 - static_cast<int>(r.self)};
    int without = 0;
    for (int i = 0; i < 2 * rounds; ++i) {
      if (i % 2 == static_cast<int>(r.self)) {
        me.say(i, 3);
        all.add();
        continue;
      }
      all.wait_for(i + 1);
      int value = -1;
      outcome o;
      const bool now = with_gate(r, [&](p2p::engine& e) {
        return e.receive_now(w, bytes_of(&value, sizeof value), me.peer, i % 4 < 2 ? 3 : any_tag, &o);
      });
      if (!now) value = me.hear(3);
      if (now) {
        EXPECT_EQ(o.tag, 3);
        EXPECT_EQ(o.bytes, static_cast<std::int64_t>(sizeof value));
      }
      without += now ? 1 : 0;
      EXPECT_EQ(value, i);
    }
    EXPECT_GT(without, 0);
    meet(r, s);
  });
}

// Messages that nobody had asked for when they came: each call takes the oldest that it may, and leaves those alone that
// do not fit.
TEST(answers, that_have_come_before_need_no_request) {
  run_processes(2, [](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    pair_of_ranks me{r, w, 1 - static_cast<int>(r.self)};
    const auto many = painted(1000, 1);  // stays in its cell
    if (r.self == 0) {
      for (int i = 0; i < 4; ++i) me.say(i, 5 + i % 2);
      send(r, w, bytes_of(many.data(), many.size()), 1, 7);
    } else {
      while (r.p2p->counts().unexpected_length < 5) with_gate(r, [](p2p::engine& e) { e.progress(); });
      int value = -1;
      const auto now = [&](const p2p::buffer& to, int source, int tag, outcome* o) {
        return with_gate(r, [&](p2p::engine& e) { return e.receive_now(w, to, source, tag, o); });
      };
      outcome o;
      const struct {
        int source, tag, value, from_tag;
      } wanted[] = {{0, 6, 1, 6}, {any_source, 5, 0, 5}, {0, any_tag, 2, 5}, {any_source, any_tag, 3, 6}};
      for (const auto& of : wanted) {
        ASSERT_TRUE(now(bytes_of(&value, sizeof value), of.source, of.tag, &o));
        EXPECT_EQ(value, of.value);
        EXPECT_EQ(o.source, 0);
        EXPECT_EQ(o.tag, of.from_tag);
        EXPECT_EQ(o.bytes, static_cast<std::int64_t>(sizeof value));
        EXPECT_EQ(o.error, 0);
      }
      std::vector<std::byte> got(many.size());
      EXPECT_FALSE(now(bytes_of(got.data(), many.size() - 1), 0, 7, &o));
      EXPECT_EQ(r.p2p->counts().unexpected_length, 1u);
      ASSERT_TRUE(now(bytes_of(got.data(), got.size()), 0, 7, &o));
      EXPECT_EQ(std::memcmp(got.data(), many.data(), got.size()), 0);
      EXPECT_EQ(r.p2p->counts().unexpected_length, 0u);
      EXPECT_EQ(r.p2p->counts().unexpected_bytes, 0u);
      EXPECT_EQ(w.users, 0u);
    }
    meet(r, s);
  });
}

TEST(answers, go_to_the_receive_that_was_posted_first) {
  for (int source : {0, any_source}) {
    by_turns(
        [&](pair_of_ranks& me, int i) {
          me.hear(9);  // the receive is posted
          me.say(i, 5);
          me.say(i + 1, 5);
        },
        [&](pair_of_ranks& me, int i) {
          int first = -1;
          p2p::request* q = start_receive(me.r, me.w, bytes_of(&first, sizeof first),
                                          source == any_source ? any_source : me.peer, any_tag);
          me.say(0, 9);
          EXPECT_EQ(me.hear(5), i + 1);
          EXPECT_EQ(finish(me.r, q).error, 0);
          EXPECT_EQ(first, i);
        });
  }
}

TEST(answers, pass_receives_that_do_not_match) {
  by_turns(
      [](pair_of_ranks& me, int i) {
        me.hear(9);
        me.say(i, 5);
        me.say(i + 1, 6);
      },
      [](pair_of_ranks& me, int i) {
        int later = -1;
        p2p::request* q = start_receive(me.r, me.w, bytes_of(&later, sizeof later), me.peer, 6);
        me.say(0, 9);
        EXPECT_EQ(me.hear(5), i);
        EXPECT_EQ(finish(me.r, q).error, 0);
        EXPECT_EQ(later, i + 1);
      });
}

TEST(answers, come_after_unexpected_ones) {
  by_turns(
      [](pair_of_ranks& me, int i) {
        me.say(i, 1);
        me.say(i + 1, 2);
        me.hear(9);
        me.say(i + 2, 1);
        me.hear(9);
        me.say(i + 3, 1);
      },
      [](pair_of_ranks& me, int i) {
        EXPECT_EQ(me.hear(2), i + 1);
        me.say(0, 9);
        EXPECT_EQ(me.hear(1), i);
        me.say(0, 9);
        EXPECT_EQ(me.hear(any_tag), i + 2);
        EXPECT_EQ(me.hear(any_tag, any_source), i + 3);
      });
}

// Both communicators are at the same number of messages.
TEST(answers, of_another_communicator_wait_for_their_receive) {
  run_processes(2, [](rank& r) {
    p2p::scope w = world_of(2, r.self), v = world_of(2, r.self, 0x300), s = world_of(2, r.self, 0x200);
    const int peer = 1 - static_cast<int>(r.self);
    pair_of_ranks in_w{r, w, peer}, in_v{r, v, peer};
    for (int i = 0; i < rounds; ++i) {
      for (std::uint32_t turn = 0; turn < 2; ++turn) {
        if (turn == r.self) {
          in_w.hear(5);  // the turn is ours
          in_v.say(i, 5);
          in_w.say(i + 1, 5);
          in_v.hear(5);
        } else {
          in_w.say(0, 5);
          EXPECT_EQ(in_w.hear(5), i + 1);
          EXPECT_EQ(in_v.hear(any_tag), i);
          in_v.say(0, 5);
        }
      }
    }
    meet(r, s);
  });
}

TEST(answers, too_long_or_empty) {
  by_turns(
      [](pair_of_ranks& me, int i) {
        const auto data = painted(80, static_cast<std::uint64_t>(i));
        for (std::size_t n : {33, 80, 0, 1}) {
          send(me.r, me.w, bytes_of(data.data(), n), me.peer, 5);
          me.hear(9);
        }
      },
      [](pair_of_ranks& me, int i) {
        const auto data = painted(80, static_cast<std::uint64_t>(i));
        for (std::size_t n : {33, 80, 0, 1}) {
          std::vector<std::byte> got(34);
          linger();
          const outcome o = receive(me.r, me.w, bytes_of(got.data(), 33), me.peer, 5);
          EXPECT_EQ(o.error, n > 33 ? p2p::error_truncate : 0);
          EXPECT_EQ(o.tag, 5);
          if (n <= 33) {
            EXPECT_EQ(o.bytes, static_cast<std::int64_t>(n));
          }
          EXPECT_EQ(std::memcmp(got.data(), data.data(), std::min<std::size_t>(n, 33)), 0);
          EXPECT_EQ(got[33], std::byte{0});
          me.say(0, 9);
        }
      });
}

// Payload in the buffer of a pair: what is received while it is written, what is posted before, and what nobody has
// asked for yet.
TEST(answers, long_ones_arrive_whole) {
  run_processes(2, [all = said_count()](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    pair_of_ranks me{r, w, 1 - static_cast<int>(r.self)};
    constexpr std::size_t sizes[] = {2048, 2049, 4095, 4096, 8192, 8193, 30'000, 65'536};
    int without = 0;
    for (int i = 0; i < 700; ++i) {
      const std::size_t n = sizes[static_cast<std::size_t>(i / 2) % std::size(sizes)];
      const auto data = painted(n, static_cast<std::uint64_t>(i));
      if (i % 2 == static_cast<int>(r.self)) {
        send(r, w, bytes_of(data.data(), n), me.peer, 3);
        all.add();
        continue;
      }
      std::vector<std::byte> got(n + 1);
      const auto room = bytes_of(got.data(), n);
      outcome o;
      switch (i / 16 % 4) {
        case 0: {  // when it is there, or perhaps before
          if (i / 64 % 2 == 0) all.wait_for(i + 1);
          const bool now =
              with_gate(r, [&](p2p::engine& e) { return e.receive_now(w, room, me.peer, 3, &o); });
          if (!now) o = receive(r, w, room, me.peer, 3);
          without += now && n > 2048 ? 1 : 0;
          break;
        }
        case 1:  // by a request
          o = finish(r, start_receive(r, w, room, any_source, any_tag));
          break;
        case 2:  // found unexpected
          linger();
          with_gate(r, [&](p2p::engine& e) { e.progress(); });
          o = receive(r, w, room, me.peer, 3);
          break;
        default: {  // too long for its receive
          o = receive(r, w, bytes_of(got.data(), n - 1), me.peer, 3);
          EXPECT_EQ(o.error, p2p::error_truncate);
          EXPECT_EQ(got[n - 1], std::byte{0});
          EXPECT_EQ(std::memcmp(got.data(), data.data(), n - 1), 0);
          continue;
        }
      }
      ASSERT_EQ(o.error, 0);
      ASSERT_EQ(o.bytes, static_cast<std::int64_t>(n));
      ASSERT_EQ(std::memcmp(got.data(), data.data(), n), 0) << n;
      ASSERT_EQ(got[n], std::byte{0});
    }
    EXPECT_GT(without, 0);
    EXPECT_GT(r.endpoint->counts().line_sent, 300u);
    meet(r, s);
  });
}

}  // namespace
}  // namespace loadstone::testing
