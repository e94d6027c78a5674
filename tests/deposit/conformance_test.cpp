// One suite for every transport: what holds here on all of them is what the layers above may rely on. Ranks
// are threads with views of their own, or forked processes; one rank alone is the way to itself.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "deposit/ranks.hpp"

namespace loadstone::test::conformance_test {
namespace {

using deposit::atomic_op;
using deposit::reached;
using transport_kind = transport::choice::rule_kind;

struct setting {
  const char* name;
  std::uint32_t ranks;
  transport_kind kind;
  bool processes;
  std::uint32_t slots;
  std::size_t cache;
  bool threads;
  // Of a million lines, with integrity. One of a hundred, that is, which leaves some work for every repair.
  std::uint32_t lost = 0;
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
  return out << s.name;
}

std::uint64_t seed() {
  static const std::uint64_t chosen = [] {
    const char* given = std::getenv("LOADSTONE_SEED");
    std::uint64_t s = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("LOADSTONE_SEED=%llu\n", static_cast<unsigned long long>(s));
    std::fflush(stdout);
    return s;
  }();
  return chosen;
}

class conformance : public ::testing::TestWithParam<setting> {
 protected:
  void run(const body& what, std::size_t cell_limit = 4u << 20) {
    const setting& s = GetParam();
    deposit::endpoint_config config;
    config.transport.rule = s.kind;
    config.inbox_slots = s.slots;
    config.threads = s.threads;
    config.cell_bytes_limit = cell_limit;
    config.transport.delay_seed = seed();
    config.transport.integrity = s.lost != 0;
    config.transport.lost = s.lost;
    config.first_position = 0 - std::uint64_t{4 * 37};  // wraps after 37 messages
    memory::mappings_config cache;
    cache.max_entries = s.cache;
    body under_gate = [&](node& n) {
      std::lock_guard hold(n.endpoint->gate());
      what(n);
    };
#ifdef __SANITIZE_THREAD__
    if (s.processes && s.ranks > 4) GTEST_SKIP() << "ThreadSanitizer sees the threads of one process";
#endif
    if (s.processes)
      run_processes(s.ranks, config, cache, under_gate);
    else
      run_threads(s.ranks, config, cache, under_gate);
  }
};

// Every rank's address, told by messages.
struct address_book {
  std::map<std::uint32_t, address> known;
  static verdict take(void* context, incoming& m, bool) {
    address a;
    std::memcpy(&a, m.payload(), sizeof a);
    static_cast<address_book*>(context)->known[m.source()] = a;
    return verdict::consumed;
  }
  void exchange(node& n, address mine) {
    n.endpoint->set_handler(50, take, this);
    n.barrier();
    for (std::uint32_t p = 0; p < n.size; ++p)
      n.endpoint->send_active(p, 50, traffic::control, nullptr, 0, &mine, sizeof mine);
    n.wait([&] { return known.size() == n.size; }, "addresses");
    n.barrier();
  }
};

std::byte* allocate(node& n, std::size_t bytes) {
  auto block = n.arena->allocate(bytes);
  EXPECT_TRUE(block);
  std::memset(*block, 0, bytes);
  return static_cast<std::byte*>(*block);
}

std::byte pattern(std::uint32_t from, std::uint32_t to, std::size_t i) {
  return static_cast<std::byte>(from * 31 + to * 7 + i * 13 + (i >> 8));
}

// --- deposits ---

TEST_P(conformance, put_then_message) {
  run([](node& n) {
    constexpr std::size_t area = 70'000;
    std::byte* mine = allocate(n, area * n.size);
    address_book book;
    std::uint32_t told = 0;
    struct context {
      node* n;
      std::byte* mine;
      std::uint32_t* told;
    } c{&n, mine, &told};
    // The message says how many bytes its sender has put before: all must be there.
    n.endpoint->set_handler(
        51,
        [](void* context_, incoming& m, bool) {
          auto& c = *static_cast<context*>(context_);
          std::uint64_t bytes;
          std::memcpy(&bytes, m.header(), 8);
          for (std::size_t i = 0; i < bytes; ++i) {
            if (c.mine[area * m.source() + i] != pattern(m.source(), c.n->self, i + bytes)) {
              ADD_FAILURE() << "byte " << i << " of " << bytes << " from " << m.source();
              break;
            }
          }
          ++*c.told;
          return verdict::consumed;
        },
        &c);
    book.exchange(n, n.arena->address_of(mine));
    std::uint32_t expected = 0;
    for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{63},
                              std::size_t{64}, std::size_t{65}, std::size_t{4097}, std::size_t{65'537}}) {
      for (std::uint32_t p = 0; p < n.size; ++p) {
        std::vector<std::byte> data(bytes);
        for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(n.self, p, i + bytes);
        address there = book.known[p];
        there.offset += area * n.self;
        ASSERT_TRUE(n.endpoint->deposits().put(there, data.data(), bytes).ok());
        ASSERT_TRUE(n.endpoint->deposits().fence(p).ok());
        std::uint64_t header = bytes;
        ASSERT_EQ(n.endpoint->send_active(p, 51, traffic::control, &header, 8, nullptr, 0), outcome::sent);
        std::vector<std::byte> back(bytes);
        ASSERT_TRUE(n.endpoint->deposits().get(back.data(), there, bytes).ok());
        ASSERT_EQ(back, data);
      }
      expected += n.size;
      ASSERT_TRUE(n.wait([&] { return told == expected; }, "all puts"));
      n.barrier();
    }
  });
}

TEST_P(conformance, strided_and_indexed) {
  const int rounds = GetParam().lost != 0 ? 15 : 60;
  run([rounds](node& n) {
    constexpr std::size_t area = 1 << 15;
    std::byte* mine = allocate(n, area * n.size);
    address_book book;
    book.exchange(n, n.arena->address_of(mine));
    std::mt19937_64 random(seed() + n.self);
    std::vector<std::byte> oracle(area), image(area), local(area), back(area);
    std::uint32_t peer = (n.self + 1) % n.size;
    address there = book.known[peer];
    there.offset += area * n.self;
    for (int round = 0; round < rounds; ++round) {
      for (auto& b : local) b = static_cast<std::byte>(random());
      // The same number of bytes, cut differently on both sides.
      static constexpr std::size_t blocks[] = {1, 2, 3, 4, 6, 8, 12, 24};
      std::size_t total = 24 * (random() % 20);
      deposit::one_sided::strided remote{}, here{};
      remote.block = blocks[random() % 8];
      here.block = blocks[random() % 8];
      remote.count = total / remote.block;
      here.count = total / here.block;
      remote.stride = static_cast<std::ptrdiff_t>(remote.block + random() % 20);
      here.stride = static_cast<std::ptrdiff_t>(here.block + random() % 20);
      auto at = [](const deposit::one_sided::strided& s, std::size_t i) {
        return static_cast<std::size_t>(s.stride) * (i / s.block) + i % s.block;
      };
      ASSERT_TRUE(n.endpoint->deposits().put_strided(there, remote, local.data(), here).ok());
      for (std::size_t i = 0; i < total; ++i) oracle[at(remote, i)] = local[at(here, i)];
      ASSERT_TRUE(n.endpoint->deposits().fence_all().ok());
      ASSERT_TRUE(n.endpoint->deposits().get(image.data(), there, area).ok());
      ASSERT_EQ(image, oracle);
      std::fill(back.begin(), back.end(), std::byte{0});
      ASSERT_TRUE(n.endpoint->deposits().get_strided(back.data(), here, there, remote).ok());
      for (std::size_t i = 0; i < total; ++i) ASSERT_EQ(back[at(here, i)], oracle[at(remote, i)]);

      std::vector<deposit::one_sided::block> list;
      for (std::size_t i = 0, end = random() % 10; i < end; ++i)
        list.push_back({i * 700 + random() % 100, random() % 1000 + i * 2000, random() % 600});
      ASSERT_TRUE(n.endpoint->deposits().put_indexed(there, local.data(), list).ok());
      for (auto& b : list)
        std::copy_n(local.begin() + static_cast<std::ptrdiff_t>(b.local_offset), b.bytes,
                    oracle.begin() + static_cast<std::ptrdiff_t>(b.remote_offset));
      ASSERT_TRUE(n.endpoint->deposits().fence(peer).ok());
      ASSERT_TRUE(n.endpoint->deposits().get(image.data(), there, area).ok());
      ASSERT_EQ(image, oracle);
      std::fill(back.begin(), back.end(), std::byte{0});
      ASSERT_TRUE(n.endpoint->deposits().get_indexed(back.data(), there, list).ok());
      for (auto& b : list)
        ASSERT_TRUE(std::equal(back.begin() + static_cast<std::ptrdiff_t>(b.local_offset),
                               back.begin() + static_cast<std::ptrdiff_t>(b.local_offset + b.bytes),
                               oracle.begin() + static_cast<std::ptrdiff_t>(b.remote_offset)));
    }
  });
}

TEST_P(conformance, atomics) {
  run([](node& n) {
    std::byte* mine = allocate(n, 256);
    address_book book;
    book.exchange(n, n.arena->address_of(mine));
    address word = book.known[0];  // all on rank 0's words
    auto at = [&](std::uint64_t offset) {
      address a = word;
      a.offset += offset;
      return a;
    };
    constexpr std::uint64_t rounds = 100;
    std::uint64_t last8 = 0, last4 = 0;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      auto old8 = n.endpoint->deposits().atomic(at(0), 8, atomic_op::fetch_add, 3);
      ASSERT_TRUE(old8);
      ASSERT_TRUE(i == 0 || *old8 > last8);
      last8 = *old8;
      auto old4 = n.endpoint->deposits().atomic(at(12), 4, atomic_op::fetch_add, 0xffffffff);  // − 1
      ASSERT_TRUE(old4);
      ASSERT_TRUE(i == 0 || static_cast<std::int32_t>(*old4) < static_cast<std::int32_t>(last4));
      last4 = *old4;
      // A lock-free addition by compare-and-swap.
      std::uint64_t seen = 0;
      for (;;) {
        auto old = n.endpoint->deposits().atomic(at(16), 8, atomic_op::compare_swap, seen + 1, seen);
        ASSERT_TRUE(old);
        if (*old == seen) break;
        seen = *old;
      }
    }
    ASSERT_TRUE(n.endpoint->deposits().atomic(at(24), 4, atomic_op::fetch_or, 1u << n.self));
    ASSERT_TRUE(n.endpoint->deposits().atomic(at(32), 8, atomic_op::fetch_xor, 1ull << n.self));
    n.barrier();
    ASSERT_TRUE(n.endpoint->deposits().atomic(at(24), 4, atomic_op::fetch_and, ~(2u << n.self)));
    n.barrier();
    auto read = [&](std::uint64_t offset, std::size_t width) {
      return *n.endpoint->deposits().atomic(at(offset), width, atomic_op::fetch_add, 0);
    };
    EXPECT_EQ(read(0, 8), 3 * rounds * n.size);
    EXPECT_EQ(read(8, 4), 0u);  // the neighbour of a 4-byte word stays as it was
    EXPECT_EQ(static_cast<std::int32_t>(read(12, 4)), -static_cast<std::int32_t>(rounds * n.size));
    EXPECT_EQ(read(16, 8), rounds * n.size);
    EXPECT_EQ(read(24, 4), 1u);
    EXPECT_EQ(read(32, 8), (1ull << n.size) - 1);
    n.barrier();
    if (n.self == 0) {
      EXPECT_EQ(*n.endpoint->deposits().atomic(at(40), 8, atomic_op::swap, 5), 0u);
      EXPECT_EQ(*n.endpoint->deposits().atomic(at(40), 8, atomic_op::swap, 6), 5u);
    }
    EXPECT_FALSE(n.endpoint->deposits().atomic(at(1), 8, atomic_op::fetch_add, 1));
    EXPECT_FALSE(n.endpoint->deposits().atomic(at(0), 2, atomic_op::fetch_add, 1));
    n.barrier();
  });
}

TEST_P(conformance, counters) {
  run([](node& n) {
    std::byte* mine = allocate(n, 4096);
    address_book book;
    book.exchange(n, n.arena->address_of(mine));
    for (std::uint64_t round = 1; round <= 50; ++round) {
      for (std::uint32_t p = 0; p < n.size; ++p) {
        address cell = book.known[p];
        cell.offset += 64 + 8 * n.self;
        std::uint64_t value = round * 1000 + n.self;
        ASSERT_TRUE(n.endpoint->deposits().put(cell, &value, 8).ok());
        ASSERT_TRUE(n.endpoint->deposits().fence(p).ok());
        ASSERT_TRUE(n.endpoint->deposits().signal(p, {book.known[p]}, 1).ok());
      }
      wait::reason why;
      ASSERT_TRUE(n.endpoint->deposits().wait_counter({book.known[n.self]}, round * n.size, why));
      for (std::uint32_t p = 0; p < n.size; ++p) {
        std::uint64_t value;
        std::memcpy(&value, mine + 64 + 8 * p, 8);
        ASSERT_EQ(value, round * 1000 + p);
      }
      n.barrier();
    }
  });
}

// Memory of a peer that is in nobody's arena: reached on ways that map where the system allows it,
// never on others.
TEST_P(conformance, user_memory_of_a_peer) {
  run([](node& n) {
    constexpr std::size_t area = 3000;
    std::vector<std::byte> mine(area * n.size);
    std::map<std::uint32_t, std::uint64_t> known;
    n.endpoint->set_handler(
        52,
        [](void* context, incoming& m, bool) {
          std::uint64_t at;
          std::memcpy(&at, m.payload(), sizeof at);
          (*static_cast<decltype(known)*>(context))[m.source()] = at;
          return verdict::consumed;
        },
        &known);
    n.barrier();
    const auto here = reinterpret_cast<std::uint64_t>(mine.data());
    for (std::uint32_t p = 0; p < n.size; ++p)
      n.endpoint->send_active(p, 52, traffic::control, nullptr, 0, &here, sizeof here);
    ASSERT_TRUE(n.wait([&] { return known.size() == n.size; }, "addresses"));
    deposit::user_memory& user = n.endpoint->user();
    for (std::uint32_t p = 0; p < n.size; ++p) {
      const std::uint64_t there = known[p] + area * n.self;
      std::vector<std::byte> data(area), back(area);
      for (std::size_t i = 0; i < area; ++i) data[i] = pattern(n.self, p, i);
      const bool reaches = user.reaches(p);
      if (p != n.self) {
        EXPECT_EQ(reaches, n.endpoint->route_to(p).mapped && memory::vm_access(*n.job, n.self).allowed(p));
      }
      const reached expected = reaches ? reached::done : reached::refused;
      ASSERT_EQ(user.put(p, there, data.data(), 1000), expected);
      // The rest in pieces that are cut differently at either end.
      iovec far[2] = {{reinterpret_cast<void*>(there + 1000), 1},
                      {reinterpret_cast<void*>(there + 1001), 1999}};
      iovec near[3] = {{&data[1000], 700}, {&data[1700], 0}, {&data[1700], 1300}};
      ASSERT_EQ(user.put(p, far, near), expected);
      ASSERT_EQ(user.get(p, back.data(), there, 7), expected);
      near[0].iov_base = &back[1000], near[2].iov_base = &back[1700];
      ASSERT_EQ(user.get(p, near, far), expected);
      if (!reaches) continue;
      ASSERT_TRUE(std::equal(back.begin(), back.begin() + 7, data.begin()));
      ASSERT_TRUE(std::equal(back.begin() + 1000, back.end(), data.begin() + 1000));
      EXPECT_EQ(user.get(p, back.data(), 16, 8), reached::bad_address);
      EXPECT_EQ(user.put(p, 16, back.data(), 8), reached::bad_address);
    }
    n.barrier();
    for (std::uint32_t p = 0; p < n.size; ++p) {
      if (!user.reaches(p)) continue;  // either way, or none
      for (std::size_t i = 0; i < area; ++i) ASSERT_EQ(mine[area * p + i], pattern(p, n.self, i));
    }
    n.barrier();
  });
}

// --- active messages ---

struct stream_check {
  node* n;
  std::vector<std::uint64_t> next_user, next_control;
  std::uint64_t received = 0;
  bool keep = false;
  std::vector<void*> kept;
  std::vector<std::vector<std::byte>> kept_copies;
  std::vector<const std::byte*> kept_payloads;
};

struct stream_header {
  std::uint64_t number;
  std::uint32_t from, bytes;
};

verdict take_stream(void* context, incoming& m, bool) {
  auto& c = *static_cast<stream_check*>(context);
  stream_header h;
  std::memcpy(&h, m.header(), sizeof h);
  EXPECT_EQ(h.from, m.source());
  EXPECT_EQ(h.bytes, m.payload_bytes());
  for (std::size_t i = 0; i < m.payload_bytes(); ++i) {
    if (m.payload()[i] != pattern(m.source(), c.n->self, i + h.number)) {
      ADD_FAILURE() << "byte " << i << " of " << h.bytes << ", message " << h.number << " from " << h.from;
      break;
    }
  }
  ++c.received;
  if (c.keep && m.can_keep()) {
    c.kept.push_back(m.token());
    c.kept_payloads.push_back(m.payload());
    c.kept_copies.emplace_back(m.payload(), m.payload() + m.payload_bytes());
    return verdict::kept;
  }
  return verdict::consumed;
}
verdict take_user(void* context, incoming& m, bool queued) {
  auto& c = *static_cast<stream_check*>(context);
  stream_header h;
  std::memcpy(&h, m.header(), sizeof h);
  EXPECT_EQ(h.number, c.next_user[m.source()]++) << "user stream of " << m.source();
  return take_stream(context, m, queued);
}
verdict take_control(void* context, incoming& m, bool queued) {
  auto& c = *static_cast<stream_check*>(context);
  EXPECT_FALSE(queued);
  stream_header h;
  std::memcpy(&h, m.header(), sizeof h);
  EXPECT_EQ(h.number, c.next_control[m.source()]++) << "control stream of " << m.source();
  return take_stream(context, m, queued);
}

void all_pairs(node& n, int messages, bool keep) {
  stream_check c{&n, std::vector<std::uint64_t>(n.size), std::vector<std::uint64_t>(n.size), 0, keep, {}, {},
                 {}};
  n.endpoint->set_handler(41, take_user, &c);
  n.endpoint->set_handler(42, take_control, &c);
  n.barrier();
  std::mt19937_64 random(seed() + n.self);
  std::vector<std::uint64_t> user(n.size), control(n.size);
  std::vector<std::byte> data(65'536 - sizeof(stream_header));
  static constexpr std::size_t sizes[] = {
      0, 1, 8, 31, 80, 81, 511, 512, 4000, 20'000, 65'536 - sizeof(stream_header)};
  auto give_back = [&] {
    for (std::size_t i = 0; i < c.kept.size(); ++i) {
      EXPECT_TRUE(std::equal(c.kept_copies[i].begin(), c.kept_copies[i].end(), c.kept_payloads[i]));
      n.endpoint->payloads().release(c.kept[i]);
    }
    c.kept.clear();
    c.kept_copies.clear();
    c.kept_payloads.clear();
  };
  for (int i = 0; i < messages; ++i) {
    for (std::uint32_t p = 0; p < n.size; ++p) {
      bool is_user = random() % 2 != 0;
      std::size_t bytes = sizes[random() % (i % 8 == 0 ? 11 : 6)];
      auto& number = (is_user ? user : control)[p];
      stream_header h{number, n.self, static_cast<std::uint32_t>(bytes)};
      for (std::size_t k = 0; k < bytes; ++k) data[k] = pattern(n.self, p, k + number);
      outcome sent;
      while ((sent = n.endpoint->send_active(p, is_user ? 41 : 42, is_user ? traffic::user : traffic::control,
                                             &h, sizeof h, data.data(), bytes)) == outcome::again) {
        ASSERT_GT(bytes + sizeof h, deposit::max_inline);
        give_back();
        n.endpoint->poll();
      }
      ASSERT_EQ(sent, outcome::sent);
      ++number;
    }
    if (random() % 4 == 0) n.endpoint->poll();
    if (random() % 16 == 0) give_back();
  }
  // How many to expect is the senders' knowledge: each sends as many to everybody.
  n.wait(
      [&] {
        give_back();
        return c.received == static_cast<std::uint64_t>(messages) * n.size;
      },
      "all messages");
  give_back();
  EXPECT_EQ(c.received, static_cast<std::uint64_t>(messages) * n.size);
  n.barrier();
}

TEST_P(conformance, all_pairs_in_order) {
  run([](node& n) { all_pairs(n, n.size > 7 ? 60 : 200, false); });
}

TEST_P(conformance, kept_payload_and_few_cells) {
  run([](node& n) { all_pairs(n, n.size > 7 ? 40 : 120, true); }, 160 * 1024);
}

// A handler may send: a message bounces until it is used up.
TEST_P(conformance, sending_from_handlers) {
  run([](node& n) {
    struct bouncer {
      node* n;
      std::uint32_t ended = 0;
    } b{&n};
    n.endpoint->set_handler(
        43,
        [](void* context, incoming& m, bool) {
          auto& b = *static_cast<bouncer*>(context);
          std::uint32_t left[2];
          std::memcpy(left, m.payload(), sizeof left);
          if (left[0] == 0) {
            ++b.ended;
            return verdict::consumed;
          }
          --left[0];
          std::uint32_t to = left[0] == 0 ? left[1] : (b.n->self + left[0]) % b.n->size;
          EXPECT_EQ(b.n->endpoint->send_active(to, 43, traffic::control, nullptr, 0, left, sizeof left),
                    outcome::sent);
          return verdict::consumed;
        },
        &b);
    n.barrier();
    constexpr std::uint32_t balls = 20;
    for (std::uint32_t i = 0; i < balls; ++i) {
      std::uint32_t left[2] = {50 + i, n.self};
      n.endpoint->send_active((n.self + i) % n.size, 43, traffic::control, nullptr, 0, left, sizeof left);
    }
    ASSERT_TRUE(n.wait([&] { return b.ended == balls; }, "balls"));
    n.barrier();
  });
}

// Many messages of one tag that nobody wants yet, then one of another, wanted first, while the sender does
// not help.
TEST_P(conformance, refused_messages_are_found) {
  run([](node& n) {
    constexpr std::uint32_t first_tag = 3000;
    struct receiver {
      node* n;
      std::uint32_t wanted = 0, taken = 0, next = 0;
      std::uint64_t offered = 0;
    } r{&n};
    n.endpoint->set_handler(
        44,
        [](void* context, incoming& m, bool queued) {
          auto& r = *static_cast<receiver*>(context);
          std::uint32_t tag, number;
          std::memcpy(&tag, m.payload(), 4);
          std::memcpy(&number, m.payload() + 4, 4);
          ++r.offered;
          if (!queued || tag == r.wanted) {
            if (queued && r.taken != 0) return verdict::left;  // one at a time
            EXPECT_TRUE(queued) << "a message came past the refusal";
            if (tag == 1) {
              EXPECT_EQ(number, r.next++);
            }
            ++r.taken;
            r.n->endpoint->stop_search();
            return verdict::consumed;
          }
          return verdict::left;
        },
        &r);
    n.endpoint->refuse_user_traffic(true);
    n.barrier();
    std::uint32_t peer = (n.self + 1) % n.size, from = (n.self + n.size - 1) % n.size;
    for (std::uint32_t i = 0; i < first_tag; ++i) {
      std::uint32_t body[2] = {1, i};
      ASSERT_EQ(n.endpoint->send_active(peer, 44, traffic::user, nullptr, 0, body, 8), outcome::sent);
    }
    std::uint32_t body[2] = {2, 0};
    ASSERT_EQ(n.endpoint->send_active(peer, 44, traffic::user, nullptr, 0, body, 8), outcome::sent);
    n.barrier();  // control traffic passes
    auto take = [&](std::uint32_t tag) {
      r.wanted = tag;
      r.taken = 0;
      ASSERT_TRUE(n.wait(
          [&] {
            if (r.taken == 0) n.endpoint->search_queues(from);
            return r.taken != 0;
          },
          "tag"));
      r.wanted = 0;
    };
    take(2);
    for (std::uint32_t i = 0; i < first_tag; ++i) take(1);
    EXPECT_EQ(r.next, first_tag);
    EXPECT_LT(r.offered, 6u * first_tag) << "taking one message must not look at all";
    n.barrier();
    EXPECT_GE(n.endpoint->counts().queued_sent, first_tag);
    n.endpoint->refuse_user_traffic(false);
    n.barrier();
  });
}

TEST_P(conformance, deferred_work) {
  run([](node& n) {
    struct work {
      node* n;
      int done = 0;
    } w{&n};
    n.endpoint->set_handler(
        45,
        [](void* context, incoming&, bool) {
          auto& w = *static_cast<work*>(context);
          w.n->endpoint->defer(
              [](void* c) {
                auto& w = *static_cast<work*>(c);
                w.n->endpoint->poll();  // allowed here
                ++w.done;
              },
              context);
          return verdict::consumed;
        },
        &w);
    n.barrier();
    for (std::uint32_t p = 0; p < n.size; ++p)
      n.endpoint->send_active(p, 45, traffic::control, nullptr, 0, nullptr, 0);
    ASSERT_TRUE(n.wait([&] { return w.done == static_cast<int>(n.size); }, "work"));
    n.barrier();
  });
}

// A handler hands work to the service thread, which blocks there while this rank goes on; in order, and all
// of it before the endpoint closes.
TEST_P(conformance, threads) {
  if (!GetParam().threads) GTEST_SKIP() << "one thread per endpoint here";
  run([](node& n) {
    constexpr int rounds = 200;
    struct box {
      std::uint32_t arrived[2] = {0, 0};
    } b;
    n.endpoint->set_handler(
        46,
        [](void* context, incoming& m, bool) {
          ++static_cast<box*>(context)->arrived[static_cast<int>(*m.payload())];
          return verdict::consumed;
        },
        &b);
    n.barrier();
    n.endpoint->gate().unlock();
    auto talk = [&](int t) {
      for (int i = 1; i <= rounds; ++i) {
        std::lock_guard hold(n.endpoint->gate());
        std::byte to{static_cast<unsigned char>(t)};
        for (std::uint32_t p = 0; p < n.size; ++p)
          n.endpoint->send_active(p, 46, traffic::user, nullptr, 0, &to, 1);
        bool ok = n.wait([&, i] { return b.arrived[t] >= static_cast<std::uint32_t>(i) * n.size; }, "thread");
        EXPECT_TRUE(ok);
      }
    };
    std::thread other(talk, 1);
    talk(0);
    other.join();
    n.endpoint->gate().lock();
    n.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(
    transports, conformance,
    ::testing::Values(setting{"self", 1, transport_kind::mapped, false, 256, SIZE_MAX, false},
                      setting{"self_small", 1, transport_kind::mapped, false, 2, 1, true},
                      setting{"mapped_2", 2, transport_kind::mapped, true, 256, SIZE_MAX, false},
                      setting{"mapped_3_threads", 3, transport_kind::mapped, false, 256, SIZE_MAX, true},
                      setting{"mapped_7_small", 7, transport_kind::mapped, false, 2, 1, false},
                      setting{"mapped_7_processes_small", 7, transport_kind::mapped, true, 2, 1, true},
                      setting{"mapped_16_small", 16, transport_kind::mapped, true, 2, 1, false},
                      setting{"poor_2", 2, transport_kind::poor, true, 16, SIZE_MAX, false},
                      setting{"poor_3_threads", 3, transport_kind::poor, false, 4, 1, true},
                      setting{"poor_7_small", 7, transport_kind::poor, true, 2, 1, false},
                      setting{"poor_16_small", 16, transport_kind::poor, true, 2, 1, false},
                      setting{"mixed_3_threads", 3, transport_kind::mixed, false, 4, 1, true},
                      setting{"mixed_4", 4, transport_kind::mixed, true, 256, SIZE_MAX, false},
                      setting{"mixed_7_small", 7, transport_kind::mixed, true, 2, 1, false},
                      setting{"mixed_lossy_5", 5, transport_kind::mixed, true, 16, 1, false, 10'000},
                      setting{"lossy_2", 2, transport_kind::poor, true, 16, SIZE_MAX, false, 10'000},
                      setting{"lossy_3_threads", 3, transport_kind::poor, false, 4, 1, true, 10'000},
                      setting{"lossy_4_small", 4, transport_kind::poor, true, 2, 1, false, 10'000}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace loadstone::test::conformance_test
