// Random programs of sends, receives, probes and cancels over 2–8 ranks, against a sequential oracle of MPI's
// matching rules.
//
// Each round, every rank draws the same program from the seed: which messages everybody sends (destination,
// tag, size, mode) and which receives everybody posts (source or any, tag or any). Receives are made from the
// messages so that all of them match: a receive is a message's (destination, source, tag) with parts replaced
// by wildcards, and each rank posts them in an order of its own. Whether such a program ends depends on the
// wildcards, so the leftovers are swept up at the end by receives for anything.
//
// Each program has a communicator of its own, which may be freed as soon as all that was received here
// has come: cancelled messages, adverts, and envelopes behind their data come later.
//
// What is checked of every message received: contents, length, source, tag; that it fits the receive; that
// none comes twice; that no older message of the same sender that would have fitted is received by a later
// receive (non-overtaking, both ways).
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

struct planned_message {
  int from, to, tag, number;  // number: of its (sender, receiver), in order
  std::size_t bytes;
  send_mode mode;
  bool cancel;
};

constexpr std::size_t largest = 90000;

std::size_t draw_size(std::mt19937& random) {
  static const std::size_t edges[] = {4,   8,   64,   79,    80,    81,    96,    97,
                                      512, 600, 4096, 16384, 16385, 65535, 65536, 70000};
  if (random() % 3 == 0) return edges[random() % std::size(edges)];
  return 4 + (random() % 4 == 0 ? random() % (largest - 4) : random() % 200);
}

std::vector<planned_message> draw(std::uint64_t seed, int n, int count) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::map<std::pair<int, int>, int> numbers;
  std::vector<planned_message> all;
  for (int i = 0; i < count; ++i) {
    planned_message m;
    m.from = static_cast<int>(random() % static_cast<unsigned>(n));
    m.to = static_cast<int>(random() % static_cast<unsigned>(n));
    m.tag = static_cast<int>(random() % 3);
    m.bytes = draw_size(random);
    m.mode = random() % 4 == 0 ? send_mode::synchronous : send_mode::standard;
    m.cancel = random() % 12 == 0;
    m.number = numbers[{m.from, m.to}]++;
    all.push_back(m);
  }
  return all;
}

// Begins with the number, so that no message can be taken for another (a cancelled one, say).
std::vector<std::byte> contents(const planned_message& m) {
  auto v =
      painted(m.bytes, static_cast<std::uint64_t>((m.from * 7 + m.to) * 1000003 + m.number * 31 + m.tag));
  std::memcpy(v.data(), &m.number, sizeof m.number);
  return v;
}

// What a receive got: enough to check order afterwards.
struct received {
  int source, tag, number;    // of the message
  int want_source, want_tag;  // of the receive
  int post;                   // order of posting
};

// A buffer at the same place until nobody has it any more.
using memory_block = std::shared_ptr<std::byte[]>;

// One that others can map, or an ordinary one.
memory_block memory_of(rank& r, std::mt19937& random, std::size_t bytes) {
  if (random() % 3 == 0) {
    if (auto got = r.arena->allocate(bytes))
      return {static_cast<std::byte*>(*got), [&r](std::byte* block) { r.arena->release(block); }};
  }
  return memory_block(new std::byte[bytes]);
}

struct posted_receive {
  p2p::request* request;
  memory_block memory;
  int source, tag, order;
};

void program(rank& r, p2p::scope& w, p2p::scope& meeting, std::uint64_t seed, int count) {
  const int n = static_cast<int>(w.peers.size()), me = static_cast<int>(r.self);
  const auto all = draw(seed, n, count);
  std::mt19937 random(static_cast<unsigned>(seed * 16 + r.self));
  std::vector<const planned_message*> to_send, to_receive;
  for (const auto& m : all) {
    if (m.from == me) to_send.push_back(&m);
    if (m.to == me) to_receive.push_back(&m);
  }
  std::shuffle(to_receive.begin(), to_receive.end(), random);

  struct sent {
    p2p::request* request;
    memory_block memory;
    const planned_message* plan;
  };
  std::vector<sent> sends;
  std::vector<posted_receive> open;
  std::vector<received> got;
  std::map<std::pair<int, int>, std::vector<bool>> seen;  // (source, number) → received
  int order = 0;

  const auto note = [&](const outcome& o, const memory_block& memory, int want_source, int want_tag,
                        int post) {
    ASSERT_EQ(o.error, 0);
    ASSERT_TRUE(want_source == any_source || want_source == o.source);
    ASSERT_TRUE(want_tag == any_tag || want_tag == o.tag);
    // Which message is it? The oldest from that source with that tag and length that has not come yet and
    // whose contents agree.
    for (const auto& m : all) {
      if (m.from != o.source || m.to != me || m.tag != o.tag || static_cast<std::int64_t>(m.bytes) != o.bytes)
        continue;
      auto& flags = seen[{m.from, 0}];
      if (flags.size() <= static_cast<std::size_t>(m.number))
        flags.resize(static_cast<std::size_t>(m.number) + 1);
      if (flags[static_cast<std::size_t>(m.number)]) continue;
      const auto expected = contents(m);
      if (!std::equal(expected.begin(), expected.end(), memory.get())) continue;
      flags[static_cast<std::size_t>(m.number)] = true;
      got.push_back({m.from, m.tag, m.number, want_source, want_tag, post});
      return;
    }
    FAIL() << "a message that was not sent: from " << o.source << " tag " << o.tag << " bytes " << o.bytes;
  };
  const auto reap = [&](bool wait) {
    for (std::size_t i = 0; i < open.size();) {
      if (!wait && !open[i].request->complete.load()) {
        ++i;
        continue;
      }
      const outcome o = finish(r, open[i].request);
      if (!o.cancelled) note(o, open[i].memory, open[i].source, open[i].tag, open[i].order);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
  };

  std::size_t s = 0, t = 0;
  while (s < to_send.size() || t < to_receive.size()) {
    const unsigned dice = random() % 10;
    if (dice < 4 && s < to_send.size()) {
      const planned_message* m = to_send[s++];
      const auto content = contents(*m);
      sends.push_back({nullptr, memory_of(r, random, m->bytes), m});
      std::copy(content.begin(), content.end(), sends.back().memory.get());
      sends.back().request =
          start_send(r, w, bytes_of(sends.back().memory.get(), m->bytes), m->to, m->tag, m->mode);
      if (m->cancel) with_gate(r, [&](p2p::engine& e) { e.cancel(sends.back().request); });
    } else if (dice < 8 && t < to_receive.size()) {
      const planned_message* m = to_receive[t++];
      open.push_back({nullptr, memory_of(r, random, largest), random() % 4 == 0 ? any_source : m->from,
                      random() % 4 == 0 ? any_tag : m->tag, order++});
      open.back().request = start_receive(r, w, bytes_of(open.back().memory.get(), largest),
                                          open.back().source, open.back().tag);
      if (random() % 15 == 0) with_gate(r, [&](p2p::engine& e) { e.cancel(open.back().request); });
    } else if (dice == 8) {
      // A matched probe, and with luck its receive.
      const int source =
          random() % 2 == 0 ? any_source : static_cast<int>(random() % static_cast<unsigned>(n));
      const int tag = random() % 2 == 0 ? any_tag : static_cast<int>(random() % 3);
      outcome found;
      if (random() % 2 == 0) {
        with_gate(r, [&](p2p::engine& e) { e.probe(w, source, tag, &found); });
      } else if (auto* m = with_gate(r, [&](p2p::engine& e) { return e.match(w, source, tag, &found); })) {
        const auto bytes = static_cast<std::size_t>(found.bytes);
        const memory_block memory = memory_of(r, random, bytes);
        const int post = order++;
        p2p::request* q =
            with_gate(r, [&](p2p::engine& e) { return e.receive(m, bytes_of(memory.get(), bytes)); });
        const outcome o = finish(r, q);
        ASSERT_EQ(o.source, found.source);
        ASSERT_EQ(o.tag, found.tag);
        ASSERT_EQ(o.bytes, found.bytes);
        note(o, memory, source, tag, post);
      }
    } else {
      with_gate(r, [&](p2p::engine& e) { e.progress(); });
      reap(false);
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  // Everybody tells everybody how many messages were really sent; what has not been received yet is swept up.
  std::vector<int> sent_to(static_cast<std::size_t>(n)), expected(static_cast<std::size_t>(n));
  std::vector<p2p::request*> told;
  const auto have = [&] { return static_cast<int>(got.size()); };
  // Sends complete only when received; so sweeping and completing go together. Receives still open are
  // cancelled first.
  for (auto& o : open) with_gate(r, [&](p2p::engine& e) { e.cancel(o.request); });
  reap(true);
  bool announced = false;
  int total = -1;
  std::vector<p2p::request*> counts;
  while (true) {
    bool all_done = true;
    for (auto& x : sends) all_done = all_done && x.request->complete.load();
    if (all_done && !announced) {
      announced = true;
      for (auto& x : sends) {
        const outcome o = finish(r, x.request);
        EXPECT_EQ(o.error, 0);
        if (!o.cancelled) ++sent_to[static_cast<std::size_t>(x.plan->to)];
      }
      sends.clear();
      for (int p = 0; p < n; ++p) {
        told.push_back(
            start_send(r, meeting, bytes_of(&sent_to[static_cast<std::size_t>(p)], sizeof(int)), p, 1));
        counts.push_back(
            start_receive(r, meeting, bytes_of(&expected[static_cast<std::size_t>(p)], sizeof(int)), p, 1));
      }
    }
    if (announced && total < 0) {
      bool known = true;
      for (auto* c : counts) known = known && c->complete.load();
      if (known) {
        total = 0;
        for (auto* c : counts) finish(r, c);
        for (auto* c : told) finish(r, c);
        for (int e : expected) total += e;
      }
    }
    if (total >= 0 && have() == total) break;
    // Matched: what is only seen may yet be cancelled by its sender.
    outcome found;
    if (auto* m = with_gate(r, [&](p2p::engine& e) { return e.match(w, any_source, any_tag, &found); })) {
      const memory_block memory = memory_of(r, random, largest);
      p2p::request* q =
          with_gate(r, [&](p2p::engine& e) { return e.receive(m, bytes_of(memory.get(), largest)); });
      note(finish(r, q), memory, any_source, any_tag, order++);
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(total < 0 || have() <= total);
  }
  const bool freed_at_once = seed % 2 == 0;  // everywhere, or the others would wait
  if (freed_at_once) {
    EXPECT_EQ(w.users, 0u);
    with_gate(r, [&](p2p::engine& e) { e.detach(w); });
  } else {
    meet(r, meeting);
    outcome found;
    EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, any_source, any_tag, &found); }));
    if (random() % 2 == 0) with_gate(r, [&](p2p::engine& e) { e.detach(w); });
  }
  // Non-overtaking: of two messages of one sender, both fitting the earlier of two receives, the older goes
  // to it.
  for (const received& a : got) {
    for (const received& b : got) {
      if (a.source != b.source || a.number > b.number || a.post <= b.post)
        continue;  // a is older, its receive later
      const bool fits = (b.want_source == any_source || b.want_source == a.source) &&
                        (b.want_tag == any_tag || b.want_tag == a.tag);
      EXPECT_FALSE(fits) << "message " << b.number << " of rank " << b.source << " overtook " << a.number;
    }
  }
  EXPECT_EQ(w.users, 0u);
  with_gate(r, [&](p2p::engine& e) { e.detach(w); });
}

// When everything has come, nothing is known any more of communicators that are gone.
void nothing_is_left(rank& r, p2p::scope& meeting) {
  const std::size_t n = meeting.peers.size();
  std::vector<p2p::request*> all;
  for (std::size_t p = 0; p < n; ++p) {
    all.push_back(start_receive(r, meeting, bytes_of(nullptr, 0), static_cast<int>(p), 2));
    all.push_back(start_send(r, meeting, bytes_of(nullptr, 0), static_cast<int>(p), 2));
  }
  for (p2p::request* q : all) finish(r, q);  // user messages before these have come
  const auto remembered = [&] { return with_gate(r, [](p2p::engine& e) { return e.counts().remembered; }); };
  // Bounds a defect only: adverts go another way.
  for (int patience = 20'000; remembered() > n && patience > 0; --patience) {
    with_gate(r, [](p2p::engine& e) { e.progress(); });
    usleep(500);
  }
  EXPECT_LE(remembered(), n) << "beside the channels of the meeting";
  const std::size_t unread = r.p2p->counts().left_with_senders + r.p2p->counts().unexpected_length;
  EXPECT_LT(unread, n) << "beside those of the next meeting";
  meet(r, meeting);
}

std::uint64_t first_seed() {
  if (const char* text = std::getenv("LOADSTONE_TEST_SEED")) return std::strtoull(text, nullptr, 10);
  return std::random_device{}();
}

void run_processes_of_all(std::uint32_t n, const body& what, ranks_config config) {
  run_processes(n, what, config);
}

void programs(ranks_config config, int rounds, bool processes = false) {
  const std::uint64_t first = first_seed();
  std::printf("seed %llu (LOADSTONE_TEST_SEED)\n", static_cast<unsigned long long>(first));
  for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    SCOPED_TRACE("seed " + std::to_string(seed));
    constexpr std::uint32_t sizes[] = {2, 3, 4, 8};
    const std::uint32_t n = sizes[seed % std::size(sizes)];
    const auto run = processes ? run_processes_of_all : run_ranks;
    run(
        n,
        [&](rank& r) {
          p2p::scope meeting = world_of(n, r.self, 0x200);
          for (std::uint64_t k = 0; k < 4; ++k) {
            p2p::scope w = world_of(n, r.self, 0x1000 + k * 8);
            program(r, w, meeting, seed * 4 + k, 60);
            if (::testing::Test::HasFatalFailure()) return;
          }
          nothing_is_left(r, meeting);
        },
        config);
  }
}

TEST(random_programs, usual_limits) {
  programs({}, 12);
}

TEST(random_programs, everything_tiny) {
  ranks_config c;
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 8192;
  c.rank.p2p.unexpected_limit = 1500;
  c.rank.p2p.eager_limit = 600;
  c.rank.p2p.pipeline_block = 500;
  programs(c, 12);
}

TEST(random_programs, without_process_vm_and_one_mapping) {
  ranks_config c;
  c.rank.endpoint.vm = false;
  c.rank.mappings.max_entries = 1;
  c.rank.p2p.unexpected_limit = 1500;
  programs(c, 8);
}

TEST(random_programs, poor_transport) {
  ranks_config c;
  c.rank.endpoint.transport.rule = transport::choice::rule_kind::poor;
  c.rank.p2p.unexpected_limit = 3000;
  programs(c, 8);
}

// Of the peers of each process, some are mapped, and some are not.
TEST(random_programs, mixed_transports) {
  ranks_config c;
  c.rank.endpoint.transport.rule = transport::choice::rule_kind::mixed;
  c.rank.p2p.unexpected_limit = 3000;
  programs(c, 8);
}

TEST(random_programs, integrity) {
  ranks_config c;
  c.rank.endpoint.transport.rule = transport::choice::rule_kind::poor;
  c.rank.endpoint.transport.integrity = true;
  c.rank.endpoint.transport.lost = 1000;
  c.rank.p2p.unexpected_limit = 3000;
  programs(c, 4);
}

#ifndef __SANITIZE_THREAD__
TEST(random_programs, processes) {
  programs({}, 8, true);
}

TEST(random_programs, processes_that_copy_on_both_sides) {
  ranks_config c;
  c.rank.p2p.both_sides = 1;
  c.rank.endpoint.overlap = 1;
  c.rank.p2p.unexpected_limit = 3000;
  programs(c, 8, true);
}
#endif

TEST(random_programs, with_a_gate_for_threads) {
  ranks_config c;
  c.rank.threads = true;
  c.rank.endpoint.overlap = 1;
  c.rank.p2p.unexpected_limit = 3000;
  programs(c, 8);
}

}  // namespace
}  // namespace loadstone::testing
