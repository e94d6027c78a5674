// Pair lines in front of the inbox: both ways together keep the order of every stream, wake sleepers, and are
// used.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>

#include "deposit/stream_check.hpp"

namespace loadstone::test::pair_line_test {
namespace {

// Bursts in both directions; in some rounds one side answers, in others both talk at once. Every node pairs
// with every other one.
void bursts(node& n, int rounds) {
  std::vector<stream_check> from(n.size);
  for (auto& check : from) check.follows = n.endpoint.get();
  std::vector<std::uint64_t> sent(n.size * 2), expected(n.size);
  n.endpoint->set_handler(
      40,
      [](void* c, incoming& m, bool q) { return take<0>(static_cast<stream_check*>(c) + m.source(), m, q); },
      from.data(), deposit::reading::following);
  n.endpoint->set_handler(
      41,
      [](void* c, incoming& m, bool q) { return take<1>(static_cast<stream_check*>(c) + m.source(), m, q); },
      from.data(), deposit::reading::following);
  n.barrier();
  for (std::uint32_t a = 0; a < n.size; ++a) {
    for (std::uint32_t b = a + 1; b < n.size; ++b) {
      if (n.self != a && n.self != b) continue;
      std::mt19937 random(seed() + a * 100 + b);  // the same on both sides
      std::mt19937 own(seed() + n.self * 7919);
      std::uint32_t peer = n.self == a ? b : a;
      for (int round = 0; round < rounds; ++round) {
        auto length = [&] { return random() % 16 == 0 ? random() % 700 : random() % 3; };
        std::uint64_t of_a = length(), of_b = length();
        std::uint64_t mine = n.self == a ? of_a : of_b, theirs = n.self == a ? of_b : of_a;
        bool b_answers = random() % 4 != 0;
        auto receive = [&] {
          expected[peer] += theirs;
          ASSERT_TRUE(n.wait([&] { return from[peer].received >= expected[peer]; }));
        };
        if (b_answers && n.self == b) receive();
        for (std::uint64_t i = 0; i < mine; ++i) {
          constexpr std::size_t sizes[] = {0, 1, 8, 40, 48, 49, 88, 89, 1000, 2048, 2049, 4500, 8192, 8193};
          std::size_t bytes = own() % 32 == 0 ? own() % (256 * 1024 + 1) : sizes[own() % std::size(sizes)];
          int kind = static_cast<int>(own() % 2);
          std::uint64_t number = sent[peer * 2 + static_cast<std::uint32_t>(kind)]++;
          std::string text(bytes, static_cast<char>(number));
          while (n.endpoint->send_active(peer, static_cast<std::uint8_t>(40 + kind),
                                         kind == 0 ? traffic::control : traffic::user, &number, 8,
                                         text.data(), bytes) == outcome::again)
            n.endpoint->poll();
        }
        if (!(b_answers && n.self == b)) receive();
        ASSERT_TRUE(from[peer].good) << "seed " << seed() << ", round " << round;
      }
      EXPECT_GT(n.endpoint->counts().line_sent, 0u);
    }
  }
  n.barrier();
}

// ThreadSanitizer sees what the threads of one process do; between processes a few bursts tell as much.
#ifdef __SANITIZE_THREAD__
constexpr int shorter = 10;
#else
constexpr int shorter = 1;
#endif

deposit::endpoint_config eager_for_lines() {
  deposit::endpoint_config config;
  config.line_after = 1;
  return config;
}

TEST(pair_line, order_between_processes) {
  run_processes(2, eager_for_lines(), {}, [](node& n) { bursts(n, 4000 / shorter); });
}

TEST(pair_line, order_with_a_tiny_inbox) {
  auto config = eager_for_lines();
  config.inbox_slots = 2;
  run_processes(2, config, {}, [](node& n) { bursts(n, 1500 / shorter); });
}

TEST(pair_line, order_among_sleepers) {
  auto config = eager_for_lines();
  config.waiting = wait::mode::block;
  run_processes(2, config, {}, [](node& n) { bursts(n, 1500 / shorter); });
  run_processes(5, config, {}, [](node& n) { bursts(n, 150 / shorter); });
}

TEST(pair_line, order_between_threads) {
  run_threads(3, eager_for_lines(), {}, [](node& n) { bursts(n, 500); });
}

// A handler that answers before it reads: its sender has the next payload ready, and must not get the buffer for it.
struct early_answers {
  node* n;
  std::uint64_t received = 0, answered = 0, returned = 0;
  bool good = true;
};

verdict answer_then_read(void* context, incoming& m, bool) {
  auto& e = *static_cast<early_answers*>(context);
  std::uint64_t number;
  std::memcpy(&number, m.header(), 8);
  (void)e.n->endpoint->send_active(m.source(), 41, traffic::control, &number, 8, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::microseconds(500));
  for (std::size_t i = 0; i < m.payload_bytes(); ++i)
    e.good = e.good && m.payload()[i] == static_cast<std::byte>(number);
  ++e.received;
  return verdict::consumed;
}

TEST(pair_line, a_payload_stays_while_its_handler_answers) {
  run_processes(2, eager_for_lines(), {}, [](node& n) {
    early_answers e{&n};
    n.endpoint->set_handler(40, answer_then_read, &e);
    n.endpoint->set_handler(
        41,
        [](void* c, incoming&, bool) {
          return ++static_cast<early_answers*>(c)->answered, verdict::consumed;
        },
        &e);
    n.endpoint->set_handler(
        42,
        [](void* c, incoming&, bool) {
          return ++static_cast<early_answers*>(c)->returned, verdict::consumed;
        },
        &e);
    n.barrier();
    const std::uint32_t peer = 1 - n.self;
    for (std::uint64_t i = 0; i < 60; ++i) {
      if (n.self == 0) {
        for (std::uint64_t number : {2 * i, 2 * i + 1}) {
          const std::string text(1000, static_cast<char>(number));
          ASSERT_EQ(n.endpoint->send_active(peer, 40, traffic::user, &number, 8, text.data(), text.size()),
                    outcome::sent);
          ASSERT_TRUE(n.wait([&] { return e.answered > number; }));
        }
        ASSERT_TRUE(n.wait([&] { return e.returned > i; }));
      } else {
        ASSERT_TRUE(n.wait([&] { return e.received == 2 * i + 2; }));
        ASSERT_EQ(n.endpoint->send_active(peer, 42, traffic::user, &i, 8, nullptr, 0), outcome::sent);
      }
    }
    EXPECT_TRUE(e.good);
    EXPECT_GT(n.endpoint->counts().line_sent, 0u);
    n.barrier();
  });
}

// By turns, with payload that needs longer and longer buffers, now on this side, now on that.
void long_turns(node& n, std::uint64_t rounds, std::size_t longest) {
  stream_check from;
  from.follows = n.endpoint.get();
  n.endpoint->set_handler(
      40, [](void* c, incoming& m, bool q) { return take<0>(static_cast<stream_check*>(c), m, q); }, &from,
      deposit::reading::following);
  n.barrier();
  std::mt19937 random(seed());  // the same on both sides
  std::string text(256 * 1024 + 5000, ' ');
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (std::uint32_t side = 0; side < 2; ++side) {
      const std::size_t most = std::min<std::size_t>(longest, 3000 + i * 2000);
      const std::size_t bytes = i % 16 == 15 ? most : random() % most, shift = random() % 5000;
      if (side != n.self) {
        ASSERT_TRUE(n.wait([&] { return from.received == i + 1; }));
        continue;
      }
      std::memset(text.data() + shift, static_cast<int>(i), bytes);
      outcome sent;
      while ((sent = n.endpoint->send_active(1 - n.self, 40, traffic::user, &i, 8, text.data() + shift,
                                             bytes)) == outcome::again)
        n.endpoint->poll();
      ASSERT_EQ(sent, outcome::sent);
    }
    ASSERT_TRUE(from.good) << i;
  }
}

TEST(pair_line, one_buffer_for_both_directions) {
  run_processes(2, eager_for_lines(), {}, [](node& n) {
    long_turns(n, 300, 256 * 1024);
    EXPECT_LT(n.endpoint->counts().cells_sent, 20u);
    n.barrier();
  });
}

// Where there is memory for a short one only, what is longer passes to and fro in cells: each is read
// in one process and written again there.
TEST(pair_line, cells_pass_to_and_fro) {
  auto config = eager_for_lines();
  config.cell_bytes_limit = 500 << 10;
  run_processes(2, config, {}, [](node& n) {
    long_turns(n, 300, 120 * 1024);
    EXPECT_GT(n.endpoint->counts().cells_passed, 150u);
    n.barrier();
  });
}

// Where there is memory for no buffer all go through cells.
TEST(pair_line, buffers_have_a_limit) {
  auto config = eager_for_lines();
  config.cell_bytes_limit = 100 << 10;
  run_processes(2, config, {}, [](node& n) {
    long_turns(n, 200, 60'000);
    EXPECT_GT(n.endpoint->counts().cells_sent, 20u);
    EXPECT_GT(n.endpoint->counts().line_sent, 50u);
    n.barrier();
  });
}

// Payload of more than 2 KiB lies in the buffer only where each message has its turn: two in a row take cells, both.
TEST(pair_line, longer_payload_by_turns_only) {
  run_processes(2, eager_for_lines(), {}, [](node& n) {
    stream_check from;
    n.endpoint->set_handler(
        40, [](void* c, incoming& m, bool q) { return take<0>(static_cast<stream_check*>(c), m, q); }, &from);
    n.barrier();
    const std::uint32_t peer = 1 - n.self;
    constexpr std::uint64_t rounds = 60;
    std::uint64_t sent = 0;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const std::uint64_t in_a_row = n.self == 0 ? 2 : 1, theirs = n.self == 0 ? 1 : 2;
      const auto receive = [&] { ASSERT_TRUE(n.wait([&] { return from.received == theirs * (i + 1); })); };
      if (n.self == 1) receive();
      for (std::uint64_t k = 0; k < in_a_row; ++k, ++sent) {
        const std::string text(5000, static_cast<char>(sent));
        ASSERT_EQ(n.endpoint->send_active(peer, 40, traffic::user, &sent, 8, text.data(), text.size()),
                  outcome::sent);
      }
      if (n.self == 0) receive();
    }
    EXPECT_TRUE(from.good);
    const auto& counts = n.endpoint->counts();
    EXPECT_GT(counts.line_sent, rounds / 2);
    if (n.self == 0) {
      EXPECT_EQ(counts.cells_sent, 2 * rounds);
    } else {
      EXPECT_LT(counts.cells_sent, rounds / 2);
    }
    n.barrier();
  });
}

TEST(pair_line, refused) {
  auto config = eager_for_lines();
  config.pair_lines = 1;
  // One line each, and two partners each: somebody has to refuse, and those pairs go on through their
  // inboxes.
  run_processes(3, config, {}, [](node& n) {
    stream_check from[3];
    n.endpoint->set_handler(
        40,
        [](void* c, incoming& m, bool q) {
          return take<0>(static_cast<stream_check*>(c) + m.source(), m, q);
        },
        from);
    n.barrier();
    std::uint64_t rounds = 200;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      for (std::uint32_t peer = 0; peer < 3; ++peer) {
        if (peer == n.self) continue;
        char text[8];
        std::memset(text, static_cast<int>(i), sizeof text);
        n.endpoint->send_active(peer, 40, traffic::control, &i, 8, text, sizeof text);
      }
      ASSERT_TRUE(n.wait([&] {
        for (std::uint32_t peer = 0; peer < 3; ++peer)
          if (peer != n.self && from[peer].received <= i) return false;
        return true;
      }));
    }
    for (auto& check : from) EXPECT_TRUE(check.good);
    n.barrier();
  });
}

}  // namespace
}  // namespace loadstone::test::pair_line_test
