// The bound on unexpected messages: senders keep theirs, the receiver finds them there, nobody waits for a
// slot.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>

#include "p2p/arrival.hpp"
#include "p2p/ranks.hpp"
#include "transport/ring_layout.hpp"

namespace loadstone::testing {
namespace {

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("RssAnon:", 0) == 0) return std::stoul(line.substr(8));
  }
  return 0;
}

// What one poll may bring beyond the limit: the slots of an inbox and of rings, and one message.
std::size_t slack(const ranks_config& c, std::uint32_t senders) {
  const std::size_t rings = std::min(senders, c.rank.endpoint.pair_lines);
  return (c.rank.endpoint.inbox_slots + rings * transport::ring_slots + 2) * sizeof(p2p::arrival);
}

// The test that decides (design §4): a million sends of tag 1, then one of tag 2, which is received first,
// while the sender computes: it does not call the library. The receiver's memory stays bounded.
void million(std::uint64_t count, const ranks_config& config) {
  auto* shared = shared_page::create(1);
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.self == 0) {
          for (std::uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(send(r, w, bytes_of(&i, sizeof i), 1, 1).error, 0);
          const std::uint64_t last = 4711;
          ASSERT_EQ(send(r, w, bytes_of(&last, sizeof last), 1, 2).error, 0);
          shared->words[0].store(1);
          volatile std::uint64_t computed = 0;
          while (shared->words[1].load() == 0) {
            for (int i = 0; i < 10000; ++i) computed = computed + 1;
            sched_yield();
          }
        } else {
          while (shared->words[0].load() == 0) {
            with_gate(r, [&](p2p::engine& e) { e.progress(); });
            sched_yield();
          }
          const std::size_t before = resident_kib();
          std::uint64_t got = 0;
          outcome o;
          while (!with_gate(r, [&](p2p::engine& e) { return e.probe(w, any_source, 2, &o); })) {
          }
          EXPECT_EQ(o.bytes, 8);
          ASSERT_EQ(receive(r, w, bytes_of(&got, sizeof got), 0, 2).error, 0);
          EXPECT_EQ(got, 4711u);
          for (std::uint64_t i = 0; i < count; ++i) {
            ASSERT_EQ(receive(r, w, bytes_of(&got, sizeof got), i % 3 == 0 ? any_source : 0,
                              i % 2 == 0 ? 1 : any_tag)
                          .error,
                      0);
            ASSERT_EQ(got, i);
          }
          EXPECT_LE(r.p2p->counts().unexpected_bytes_peak,
                    config.rank.p2p.unexpected_limit + slack(config, 1));
          EXPECT_LT(resident_kib(), before + 8 * 1024)
              << "memory of the receiver grows with what it has not received";
          EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, any_source, any_tag, &o); }));
          shared->words[1].store(1);
        }
      },
      config);
  munmap(shared, sizeof *shared);
}

TEST(flow, a_million_before_the_one_that_is_wanted) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 1 << 20;
  million(1000000, c);
}

TEST(flow, the_same_with_everything_tiny) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 4096;
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 4096;
  million(20000, c);
}

// The sender's memory does not hold what the receiver does not want yet, and what it wants comes after that:
// the receiver takes in more than its limit, and nobody waits for ever.
TEST(flow, a_sender_short_of_memory_before_the_one_that_is_wanted) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 4096;
  c.rank.endpoint.inbox_slots = 8;
  c.job.arena_limit = 3'000'000;
  constexpr std::uint64_t count = 60'000;
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::uint64_t got = 0;
        if (r.self == 0) {
          for (std::uint64_t i = 0; i < count; ++i)
            ASSERT_EQ(send(r, w, bytes_of(&i, sizeof i), 1, 1).error, 0);
          const std::uint64_t last = 4711;
          ASSERT_EQ(send(r, w, bytes_of(&last, sizeof last), 1, 2).error, 0);
          EXPECT_GT(r.endpoint->counts().queued_sent, count / 2);
        } else {
          ASSERT_EQ(receive(r, w, bytes_of(&got, sizeof got), 0, 2).error, 0);
          EXPECT_EQ(got, 4711u);
          EXPECT_GT(r.p2p->counts().unexpected_bytes_peak, 10 * c.rank.p2p.unexpected_limit);
          for (std::uint64_t i = 0; i < count; ++i) {
            ASSERT_EQ(receive(r, w, bytes_of(&got, sizeof got), 0, 1).error, 0);
            ASSERT_EQ(got, i);
          }
        }
      },
      c);
}

// All of a sender's memory lies in its queue for 1, who waits for 2, who waits for what the sender needs memory for.
TEST(flow, a_sender_whose_memory_is_elsewhere) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 4096;
  c.rank.endpoint.inbox_slots = 4;
  c.rank.p2p.eager_limit = 8192;
  c.job.arena_limit = 3'000'000;
  constexpr int many = 100;
  const auto large = painted(500'000, 1);
  for (const bool by_offers : {false, true}) {
    run_processes(
        3,
        [&](rank& r) {
          p2p::scope w = world_of(3, r.self);
          std::uint64_t word = 0;
          const auto bytes_of_word = [&] { return bytes_of(&word, sizeof word); };
          if (r.self == 0) {
            for (;; ++word) {
              ASSERT_LT(word, 100'000u);
              ASSERT_EQ(send(r, w, bytes_of_word(), 1, 1).error, 0);
              if (auto left = r.arena->allocate(4096); left.ok())
                r.arena->release(*left);
              else
                break;
            }
            const std::uint64_t sent = word + 1;
            for (int i = 0; i < many; ++i) {
              ASSERT_EQ(by_offers ? send(r, w, bytes_of(large.data(), large.size()), 2, i).error
                                  : send(r, w, bytes_of_word(), 2, i).error,
                        0);
            }
            EXPECT_GT(r.endpoint->counts().queued_sent, 1000u);
            ASSERT_EQ(send(r, w, bytes_of(&sent, sizeof sent), 1, 2).error, 0);
          } else if (r.self == 2) {
            std::vector<std::byte> in(large.size());
            for (int i = by_offers ? 0 : many - 1; i < many; ++i)
              ASSERT_EQ(receive(r, w, bytes_of(in.data(), in.size()), 0, i).error, 0);
            if (by_offers) {
              EXPECT_EQ(in, large);
            }
            for (int i = 0; i < many - 1 && !by_offers; ++i)
              ASSERT_EQ(receive(r, w, bytes_of_word(), 0, i).error, 0);
            ASSERT_EQ(send(r, w, bytes_of_word(), 1, 3).error, 0);
          } else {
            std::uint64_t sent = 0;
            ASSERT_EQ(receive(r, w, bytes_of_word(), 2, 3).error, 0);
            ASSERT_EQ(receive(r, w, bytes_of(&sent, sizeof sent), 0, 2).error, 0);
            for (std::uint64_t i = 0; i < sent; ++i) {
              ASSERT_EQ(receive(r, w, bytes_of_word(), 0, 1).error, 0);
              ASSERT_EQ(word, i);
            }
          }
        },
        c);
  }
}

TEST(flow, messages_of_a_million_are_found_by_matched_probe) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 8192;
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        constexpr std::uint64_t count = 5000;
        if (r.self == 0) {
          for (std::uint64_t i = 0; i < count; ++i)
            send(r, w, bytes_of(&i, sizeof i), 1, static_cast<int>(i % 50));
          meet(r, s);
        } else {
          // From behind: each look finds a message that stands behind those left.
          std::vector<std::uint64_t> next(50);
          for (std::uint64_t i = 0; i < count; ++i) {
            const int tag = static_cast<int>(49 - i % 50);
            outcome o;
            p2p::matched_message* m = nullptr;
            while (m == nullptr)
              m = with_gate(r,
                            [&](p2p::engine& e) { return e.match(w, i % 2 == 0 ? 0 : any_source, tag, &o); });
            std::uint64_t got = 0;
            p2p::request* q =
                with_gate(r, [&](p2p::engine& e) { return e.receive(m, bytes_of(&got, sizeof got)); });
            EXPECT_EQ(finish(r, q).error, 0);
            ASSERT_EQ(got, next[static_cast<std::size_t>(tag)]++ * 50 + static_cast<std::uint64_t>(tag));
          }
          meet(r, s);
        }
      },
      c);
}

// Fifteen senders flood one receiver, which takes tags in an order of its own; sizes cross the protocols.
void flood(std::uint32_t senders, int each, const ranks_config& config) {
  run_processes(
      senders + 1,
      [&](rank& r) {
        const std::uint32_t n = senders + 1;
        p2p::scope w = world_of(n, r.self), s = world_of(n, r.self, 0x200);
        constexpr int tags = 5;
        if (r.self != 0) {
          std::mt19937 random(r.self);
          // Larger ones may wait for their receive: nobody promised to buffer them.
          std::vector<std::pair<p2p::request*, std::unique_ptr<std::vector<std::uint32_t>>>> waiting;
          for (int i = 0; i < each; ++i) {
            const std::size_t words = random() % 50 == 0 ? 1 + random() % 7000 : 1 + random() % 18;
            auto data = std::make_unique<std::vector<std::uint32_t>>(words, static_cast<std::uint32_t>(i));
            p2p::request* q = start_send(r, w, bytes_of(data->data(), words * 4), 0, i % tags);
            if (q->complete.load()) {
              EXPECT_EQ(finish(r, q).error, 0);
            } else {
              waiting.emplace_back(q, std::move(data));
            }
          }
          for (auto& [q, data] : waiting) ASSERT_EQ(finish(r, q).error, 0);
        } else {
          std::vector<std::vector<int>> next(n, std::vector<int>(tags));
          std::vector<std::uint32_t> got(8000);
          for (int tag = tags - 1; tag >= 0; --tag) {
            for (int i = 0; i < each / tags * static_cast<int>(senders); ++i) {
              const outcome o = receive(r, w, bytes_of(got.data(), got.size() * 4), any_source, tag);
              ASSERT_EQ(o.error, 0);
              int& expected = next[static_cast<std::size_t>(o.source)][static_cast<std::size_t>(tag)];
              ASSERT_EQ(got[0], static_cast<std::uint32_t>(expected * tags + tag));
              ASSERT_EQ(got[static_cast<std::size_t>(o.bytes) / 4 - 1], got[0]);
              ++expected;
            }
          }
          EXPECT_LE(r.p2p->counts().unexpected_bytes_peak,
                    config.rank.p2p.unexpected_limit + slack(config, senders));
          outcome o;
          EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, any_source, any_tag, &o); }));
        }
        meet(r, s);
      },
      config);
}

TEST(flow, fifteen_senders_flood_one_receiver) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 64 * 1024;
  flood(15, 2000, c);
}

TEST(flow, fifteen_senders_flood_one_receiver_with_everything_tiny) {
  ranks_config c;
  c.rank.p2p.unexpected_limit = 1024;
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 8192;
  c.rank.mappings.max_entries = 1;
  flood(15, 200, c);
}

// Cells used up by messages nobody receives: eager sends become rendezvous, small ones still complete, and a
// pipelined transfer goes on without a cell.
TEST(flow, cells_used_up_by_others_do_not_stop_a_transfer) {
  ranks_config c;
  c.rank.endpoint.vm = false;
  c.rank.endpoint.cell_bytes_limit = 16384;
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const std::size_t n = 4000;
        constexpr int count = 20;
        if (r.self == 0) {
          std::vector<std::vector<std::byte>> data;
          std::vector<p2p::request*> q;
          for (int i = 0; i < count; ++i) {
            data.push_back(painted(n, static_cast<std::uint64_t>(i)));
            q.push_back(start_send(r, w, bytes_of(data.back().data(), n), 1, 1));
          }
          EXPECT_FALSE(q.back()->complete.load()) << "this one must have found no cell";
          const auto attempts = [&] {
            return with_gate(r, [](p2p::engine& e) { return e.counts().no_cell; });
          };
          const std::uint64_t before = attempts();
          const auto one_more = painted(n, 98);
          EXPECT_EQ(send(r, w, bytes_of(one_more.data(), n), 1, 3).error, 0);
          EXPECT_EQ(attempts(), before + 1) << "it is decided once that a message goes otherwise";
          const auto large = painted(30000, 99);
          EXPECT_EQ(send(r, w, bytes_of(large.data(), large.size()), 1, 2).error, 0);
          meet(r, s);
          for (auto* x : q) EXPECT_EQ(finish(r, x).error, 0);
        } else {
          std::vector<std::byte> got(30000);
          EXPECT_EQ(receive(r, w, bytes_of(got.data(), n), 0, 3).error, 0);
          EXPECT_EQ(receive(r, w, bytes_of(got.data(), got.size()), 0, 2).error, 0);
          EXPECT_EQ(got, painted(30000, 99));
          meet(r, s);
          for (int i = 0; i < count; ++i) {
            EXPECT_EQ(receive(r, w, bytes_of(got.data(), n), 0, 1).error, 0);
            const auto expected = painted(n, static_cast<std::uint64_t>(i));
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin()));
          }
        }
        meet(r, s);
      },
      c);
}

}  // namespace
}  // namespace loadstone::testing
