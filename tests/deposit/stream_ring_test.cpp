// Rings for messages in a row: order with the inbox, sleepers, refusal, and senders that do not want one.
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "deposit/stream_check.hpp"

namespace loadstone::test {
namespace {

deposit::endpoint_config eager_for_rings() {
  deposit::endpoint_config config;
  config.ring_after = 2;
  return config;
}

// Everybody sends in a row to the last one, which says after each round that it has seen all of it.
struct gathering {
  node& n;
  std::vector<stream_check> from;
  std::uint64_t heard = 0, sent[2] = {};
  std::mt19937 random;

  explicit gathering(node& with) : n(with), from(with.size), random(seed() * 7919 + with.self) {
    for (auto& check : from) check.follows = n.endpoint.get();
    n.endpoint->set_handler(
        40,
        [](void* c, incoming& m, bool q) {
          return take<0>(static_cast<stream_check*>(c) + m.source(), m, q);
        },
        from.data(), deposit::reading::following);
    n.endpoint->set_handler(
        41,
        [](void* c, incoming& m, bool q) {
          return take<1>(static_cast<stream_check*>(c) + m.source(), m, q);
        },
        from.data(), deposit::reading::following);
    n.endpoint->set_handler(
        42,
        [](void* c, incoming&, bool) {
          ++*static_cast<std::uint64_t*>(c);
          return verdict::consumed;
        },
        &heard);
    n.barrier();
  }
  std::uint32_t last() const { return n.size - 1; }
  bool receives() const { return n.self == last(); }

  void send(int kind, std::size_t bytes) {
    const std::uint64_t number = sent[kind]++;
    const std::string text(bytes, static_cast<char>(number));
    outcome said;
    while ((said = n.endpoint->send_active(last(), static_cast<std::uint8_t>(40 + kind),
                                           kind == 0 ? traffic::control : traffic::user, &number, 8,
                                           text.data(), bytes)) == outcome::again)
      n.endpoint->poll();
    ASSERT_EQ(said, outcome::sent);
  }
  void some() {
    constexpr std::size_t sizes[] = {0, 1, 8, 24, 40, 88, 89, 1000, 2049, 5000};
    send(static_cast<int>(random() % 2), random() % 8 == 0 ? sizes[random() % std::size(sizes)] : 8);
  }
  void finish_round(std::uint64_t round, std::uint64_t of_each) {
    if (!receives()) {
      ASSERT_TRUE(n.wait([&] { return heard > round; }));
      return;
    }
    ASSERT_TRUE(n.wait([&] {
      for (std::uint32_t s = 0; s < last(); ++s)
        if (from[s].received < (round + 1) * of_each) return false;
      return true;
    }));
    for (std::uint32_t s = 0; s < last(); ++s) {
      ASSERT_TRUE(from[s].good) << "seed " << seed() << ", round " << round << ", of " << s;
      (void)n.endpoint->send_active(s, 42, traffic::control, nullptr, 0, nullptr, 0);
    }
  }
  void rounds(std::uint64_t most, std::uint64_t of_each) {
    for (std::uint64_t round = 0; round < most; ++round) {
      for (std::uint64_t i = 0; !receives() && i < of_each; ++i) some();
      finish_round(round, of_each);
    }
  }
  std::uint64_t by_ring() const { return n.endpoint->counts().ring_sent; }
};

void gather(node& n, std::uint64_t rounds, std::uint64_t of_each, std::uint64_t least) {
  gathering g(n);
  g.rounds(rounds, of_each);
  if (!g.receives()) {
    EXPECT_GE(g.by_ring(), least);
  }
  n.barrier();
}

TEST(stream_ring, order_of_many) {
  run_processes(2, eager_for_rings(), {}, [](node& n) { gather(n, 200, 700, 20'000); });
  run_processes(4, eager_for_rings(), {}, [](node& n) { gather(n, 60, 300, 2000); });
}

TEST(stream_ring, order_with_a_tiny_inbox) {
  auto config = eager_for_rings();
  config.inbox_slots = 2;
  run_processes(3, config, {}, [](node& n) { gather(n, 60, 500, 1000); });
}

// Who sleeps at every wait never attends: each store is fenced and announced.
TEST(stream_ring, order_among_sleepers) {
  auto config = eager_for_rings();
  config.waiting = wait::mode::block;
  run_processes(2, config, {}, [](node& n) { gather(n, 1000, 40, 10'000); });
  run_processes(5, config, {}, [](node& n) { gather(n, 100, 40, 1000); });
}

// One message after a pause, in which the receiver, which attended, has gone to sleep: it comes at once all
// the same. (A sleep that nobody ends takes 0.2 s.)
TEST(stream_ring, a_sleeper_is_woken) {
  run_processes(2, eager_for_rings(), {}, [](node& n) {
    gathering g(n);
    constexpr std::uint64_t rounds = 60, in_a_row = 30;
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (!g.receives()) {
        for (std::uint64_t i = 0; i < in_a_row; ++i) g.send(1, 8);
        std::this_thread::sleep_for(std::chrono::milliseconds(round % 2 == 0 ? 2 : 0));
        g.send(1, 8);
      }
      g.finish_round(round, in_a_row + 1);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    if (!g.receives()) {
      EXPECT_GT(g.by_ring(), rounds);
    }
    n.barrier();
  });
}

// What a receiver refuses goes into a queue of its sender's, and the ring is there for control messages.
TEST(stream_ring, refusal) {
  run_processes(2, eager_for_rings(), {}, [](node& n) {
    gathering g(n);
    g.rounds(4, 50);
    const std::uint64_t before = 4 * 50, few = 1000;
    if (g.receives()) n.endpoint->refuse_user_traffic(true);
    n.barrier();
    if (!g.receives()) {
      const std::uint64_t by_ring = g.by_ring();
      for (std::uint64_t i = 0; i < few; ++i) g.send(1, 8), g.send(0, 8);
      EXPECT_GT(g.by_ring(), by_ring);
      EXPECT_LE(g.by_ring(), by_ring + few);
      EXPECT_GE(n.endpoint->counts().queued_sent, few);
    }
    n.barrier();  // who refuses takes in from the queue all the same, and would be through before the sender is
    if (g.receives()) n.endpoint->refuse_user_traffic(false);
    g.finish_round(0, 2 * few + before);
    n.barrier();
  });
}

// The receiver never sends anything to most of those that it hears. Each goes on until it has had time to take
// up its ring, and says at the end how much it has sent.
TEST(stream_ring, one_way) {
  run_processes(4, {}, {}, [](node& n) {
    std::vector<std::uint64_t> totals(n.size);
    n.endpoint->set_handler(
        43,
        [](void* c, incoming& m, bool) {
          std::memcpy(static_cast<std::uint64_t*>(c) + m.source(), m.header(), 8);
          return verdict::consumed;
        },
        totals.data());
    gathering g(n);
    constexpr std::uint64_t rounds = 200, in_a_row = 50;
    if (!g.receives()) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      std::uint64_t round = 0;
      for (; round < rounds || (g.by_ring() <= 100 && std::chrono::steady_clock::now() < end); ++round) {
        for (std::uint64_t i = 0; i < in_a_row; ++i) g.send(1, 8);
        n.endpoint->poll();
        if (round % 50 == 0 || round >= rounds) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      const std::uint64_t total = round * in_a_row;
      (void)n.endpoint->send_active(g.last(), 43, traffic::control, &total, 8, nullptr, 0);
      EXPECT_GT(g.by_ring(), 100u);
    } else {
      ASSERT_TRUE(n.wait([&] {
        for (std::uint32_t s = 0; s < g.last(); ++s)
          if (totals[s] == 0 || g.from[s].received != totals[s]) return false;
        return true;
      }));
      for (const stream_check& check : g.from) EXPECT_TRUE(check.good);
    }
    n.barrier();
  });
}

// One ring each, and two who send to everybody: somebody refuses.
TEST(stream_ring, refused) {
  auto config = eager_for_rings();
  config.pair_lines = 1;
  run_processes(3, config, {}, [](node& n) {
    std::vector<stream_check> from(n.size);
    n.endpoint->set_handler(
        40,
        [](void* c, incoming& m, bool q) {
          return take<0>(static_cast<stream_check*>(c) + m.source(), m, q);
        },
        from.data());
    n.barrier();
    constexpr std::uint64_t in_a_row = 200;
    for (std::uint64_t round = 0; round < 20; ++round) {
      for (std::uint32_t to = 0; to < n.size; ++to) {
        for (std::uint64_t i = 0; to != n.self && i < in_a_row; ++i) {
          const std::uint64_t number = round * in_a_row + i;
          ASSERT_EQ(n.endpoint->send_active(to, 40, traffic::control, &number, 8, nullptr, 0), outcome::sent);
        }
      }
      ASSERT_TRUE(n.wait([&] {
        for (std::uint32_t s = 0; s < n.size; ++s)
          if (s != n.self && from[s].received < (round + 1) * in_a_row) return false;
        return true;
      }));
    }
    for (const stream_check& check : from) EXPECT_TRUE(check.good);
    EXPECT_LE(n.endpoint->counts().ring_sent, 20 * in_a_row);
    n.barrier();
  });
}

// A cache of mappings that leaves none to stay with a ring.
TEST(stream_ring, few_mappings) {
  memory::mappings_config cache;
  cache.max_entries = 4;
  run_processes(3, eager_for_rings(), cache, [](node& n) {
    gathering g(n);
    g.rounds(20, 100);
    EXPECT_EQ(g.by_ring(), 0u);
    n.barrier();
  });
}

}  // namespace
}  // namespace loadstone::test
