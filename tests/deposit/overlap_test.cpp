// Payloads that are read while they are written: how far the reader may go, cells that are kept or given back
// before all is there, and a sender that dies over it.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

#include "deposit/ranks.hpp"

namespace loadstone::test::overlap_test {
namespace {

constexpr std::size_t bytes = 40'000;

std::byte value(std::uint64_t message, std::size_t at) {
  return static_cast<std::byte>(message * 37 + at * 3 + (at >> 9));
}

deposit::endpoint_config overlapping(std::uint32_t yes = 1) {
  deposit::endpoint_config config;
  config.overlap = yes;
  return config;
}

// A sender whose second part waits until the receiver has read the first: it comes only if they overlap.
struct slow_source {
  std::atomic<bool>* seen;
  std::uint64_t message;
  bool overlapped = false;
  static void fill(void* c, std::size_t from, std::byte* to, std::size_t n) {
    auto& s = *static_cast<slow_source*>(c);
    if (from != 0) {
      s.overlapped = true;
      while (!s.seen->load()) usleep(10);
    }
    for (std::size_t i = 0; i < n; ++i) to[i] = value(s.message, from + i);
  }
};

TEST(overlap, the_receiver_reads_what_is_there_while_the_sender_writes_the_rest) {
  std::atomic<bool> seen{false};
  run_threads(2, overlapping(), {}, [&](node& n) {
    struct sink {
      node* n;
      std::atomic<bool>* seen;
      bool done = false;
    } sink{&n, &seen};
    n.endpoint->set_handler(
        40,
        [](void* c, incoming& m, bool) {
          auto& s = *static_cast<struct sink*>(c);
          const std::size_t first = s.n->endpoint->payloads().arrived(m.token(), 1);
          EXPECT_GE(first, 1u);
          EXPECT_LT(first, bytes) << "the sender cannot have gone further";
          for (std::size_t i = 0; i < first; ++i) EXPECT_EQ(m.payload()[i], value(7, i));
          s.seen->store(true);
          EXPECT_EQ(s.n->endpoint->payloads().arrived(m.token(), bytes), bytes);
          for (std::size_t i = 0; i < bytes; ++i) EXPECT_EQ(m.payload()[i], value(7, i)) << i;
          s.done = true;
          return verdict::consumed;
        },
        &sink, deposit::reading::following);
    n.barrier();
    if (n.self == 0) {
      slow_source source{&seen, 7};
      EXPECT_EQ(n.endpoint->send_active(1, 40, traffic::user, nullptr, 0, slow_source::fill, &source, bytes),
                outcome::sent);
      EXPECT_TRUE(source.overlapped);
    } else {
      EXPECT_TRUE(n.wait([&] { return sink.done; }));
    }
    n.barrier();
  });
}

struct stream {
  node* n;
  std::uint64_t received = 0;
  std::vector<std::pair<void*, std::uint64_t>> kept;
  std::vector<const std::byte*> payloads;
};

void check(node& n, void* token, const std::byte* payload, std::uint64_t number, std::size_t length) {
  for (std::size_t at = 0; at < length;) {
    const std::size_t there = n.endpoint->payloads().arrived(token, token == nullptr ? length : at + 1);
    ASSERT_GT(there, at);
    for (; at < there; ++at) ASSERT_EQ(payload[at], value(number, at)) << "message " << number;
  }
}

std::size_t length_of(std::uint64_t number) {
  constexpr std::size_t lengths[] = {0,    60,   2048,   4095,   4096,   4097,   8191,  8192,
                                     8193, 9000, 16'384, 32'769, 65'535, 65'536, 12'345};
  return lengths[number % std::size(lengths)];
}

// Some are read at once, some are kept, some are given back unread: then the sender still writes into a cell
// that has come back.
verdict take(void* c, incoming& m, bool) {
  auto& s = *static_cast<stream*>(c);
  std::uint64_t number;
  std::memcpy(&number, m.header(), 8);
  EXPECT_EQ(number, s.received);
  EXPECT_EQ(m.payload_bytes(), length_of(number));
  ++s.received;
  switch (number % 7) {
    case 2:
      return verdict::consumed;
    case 4:
      if (!m.can_keep()) break;
      s.kept.emplace_back(m.token(), number);
      s.payloads.push_back(m.payload());
      return verdict::kept;
    default:
      break;
  }
  check(*s.n, m.token(), m.payload(), number, m.payload_bytes());
  return verdict::consumed;
}

void many(node& n) {
  stream in{&n, 0, {}, {}};
  n.endpoint->set_handler(40, take, &in, deposit::reading::following);
  n.barrier();
  const std::uint32_t to = (n.self + 1) % n.size;
  std::vector<std::byte> data(65'536);
  constexpr std::uint64_t messages = 600;
  auto release = [&](std::size_t most) {
    while (in.kept.size() > most) {
      check(n, in.kept.back().first, in.payloads.back(), in.kept.back().second,
            length_of(in.kept.back().second));
      n.endpoint->payloads().release(in.kept.back().first);
      in.kept.pop_back();
      in.payloads.pop_back();
    }
  };
  for (std::uint64_t i = 0; i < messages; ++i) {
    const std::size_t length = length_of(i);
    for (std::size_t k = 0; k < length; ++k) data[k] = value(i, k);
    while (n.endpoint->send_active(to, 40, traffic::user, &i, 8, data.data(), length) == outcome::again) {
      n.endpoint->poll();
      release(0);
    }
    if (i % 5 == 0) n.endpoint->poll();
    release(6);
  }
  EXPECT_TRUE(n.wait([&] {
    release(0);
    return in.received == messages;
  }));
  n.barrier();
}

TEST(overlap, streams_keep_order_and_contents) {
  for (std::uint32_t size : {2u, 3u, 7u}) run_processes(size, overlapping(), {}, many);
}

TEST(overlap, streams_with_a_tiny_inbox_and_few_cells) {
  auto config = overlapping();
  config.inbox_slots = 2;
  config.cell_bytes_limit = 160 * 1024;
  run_processes(3, config, {}, many);
}

TEST(overlap, streams_past_the_caches) {
  auto config = overlapping();
  config.past_caches = true;
  run_processes(3, config, {}, many);
}

TEST(overlap, streams_through_pair_lines) {
  auto config = overlapping();
  config.line_after = 1;
  run_threads(2, config, {}, many);
}

TEST(overlap, can_be_switched_off) {
  run_threads(2, overlapping(0), {}, [](node& n) {
    bool done = false;
    n.endpoint->set_handler(
        40,
        [](void* c, incoming&, bool) {
          *static_cast<bool*>(c) = true;
          return verdict::consumed;
        },
        &done, deposit::reading::following);
    n.barrier();
    if (n.self == 0) {
      std::atomic<bool> seen{true};
      slow_source source{&seen, 1};
      EXPECT_EQ(n.endpoint->send_active(1, 40, traffic::user, nullptr, 0, slow_source::fill, &source, bytes),
                outcome::sent);
      EXPECT_FALSE(source.overlapped);
    } else {
      EXPECT_TRUE(n.wait([&] { return done; }));
    }
    n.barrier();
  });
}

// The sender dies between two parts: the receiver is told, and goes on.
TEST(overlap, of_a_sender_that_dies_ends) {
  memory::job_config job;
  job.world_size = 2;
  auto made = memory::job::create(job);
  ASSERT_TRUE(made.ok());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto n = node::open(std::move(*(*made)->second_view()), 0, overlapping(), {});
    n->endpoint->set_handler(40, take, nullptr, deposit::reading::following);
    (void)n->endpoint->send_active(
        1, 40, traffic::user, nullptr, 0,
        [](void*, std::size_t from, std::byte* to, std::size_t length) {
          if (from != 0) raise(SIGKILL);
          std::memset(to, 9, length);
        },
        nullptr, bytes);
    _exit(1);
  }
  auto n = node::open(std::move(*(*made)->second_view()), 1, overlapping(), {});
  struct sink {
    node* n;
    std::size_t first = 0, rest = 1;
    bool done = false;
  } sink{n.get()};
  n->endpoint->set_handler(
      40,
      [](void* c, incoming& m, bool) {
        auto& s = *static_cast<struct sink*>(c);
        s.first = s.n->endpoint->payloads().arrived(m.token(), 1);
        s.rest = s.n->endpoint->payloads().arrived(m.token(), m.payload_bytes());
        s.done = true;
        return verdict::consumed;
      },
      &sink, deposit::reading::following);
  std::thread undertaker([&] {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  });
  EXPECT_TRUE(n->wait([&] { return sink.done; }));
  undertaker.join();
  EXPECT_GT(sink.first, 0u);
  EXPECT_EQ(sink.rest, 0u);
}

}  // namespace
}  // namespace loadstone::test::overlap_test
