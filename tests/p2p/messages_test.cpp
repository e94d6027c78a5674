// Messages between ranks that are threads of one process: sizes across all protocols, layouts, modes,
// wildcards, probes, cancelling, truncation, messages to oneself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "datatype/builder.hpp"
#include "p2p/error_class.hpp"
#include "p2p/limits.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

enum class way { usual, no_vm, tiny, one_mapping, poor, lossy, mixed, overlap, past_caches };

struct variant {
  way how;
  const char* name;
};
std::ostream& operator<<(std::ostream& o, const variant& v) {
  return o << v.name;
}

ranks_config config_of(way how) {
  ranks_config c;
  c.rank.endpoint.vm = how != way::no_vm && how != way::tiny;
  if (how == way::tiny) {
    c.rank.endpoint.inbox_slots = 2;
    c.rank.endpoint.cell_bytes_limit = 8192;
    c.rank.p2p.unexpected_limit = 2048;
    c.rank.p2p.eager_limit = 600;
    c.rank.p2p.pipeline_block = 700;
  }
  if (how == way::overlap || how == way::past_caches) c.rank.endpoint.overlap = 1;
  c.rank.endpoint.past_caches = how == way::past_caches;
  if (how == way::one_mapping) c.rank.mappings.max_entries = 1;
  if (how == way::poor || how == way::lossy)
    c.rank.endpoint.transport.rule = transport::choice::rule_kind::poor;
  if (how == way::mixed) c.rank.endpoint.transport.rule = transport::choice::rule_kind::mixed;
  if (how == way::lossy) {
    c.rank.endpoint.transport.integrity = true;
    c.rank.endpoint.transport.lost = 10'000;
  }
  return c;
}

class messages : public ::testing::TestWithParam<variant> {
 protected:
  ranks_config config() const { return config_of(GetParam().how); }
  /** In blocks of 700 bytes, a message of a megabyte has been through every state more than a thousand times. */
  bool says_nothing_new(std::size_t bytes) const { return GetParam().how == way::tiny && bytes > 1 << 20; }
};

const std::size_t sizes[] = {0,     1,     7,     79,    80,     81,      95,           96,
                             97,    511,   600,   601,   4095,   4096,    8193,         16383,
                             16385, 65535, 65536, 65537, 300000, 1 << 20, (9 << 20) + 3};

TEST_P(messages, every_size_in_every_mode_posted_before_or_after) {
  run_ranks(
      2,
      [this](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::size_t n : sizes) {
          if (says_nothing_new(n)) continue;
          for (send_mode mode :
               {send_mode::standard, send_mode::synchronous, send_mode::ready, send_mode::buffered}) {
            for (bool posted_first : {true, false}) {
              const auto sent = painted(n, n + static_cast<std::size_t>(mode));
              if (r.self == 0) {
                if (posted_first) meet(r, s);
                p2p::request* q = start_send(r, w, bytes_of(sent.data(), n), 1, 5, mode);
                if (!posted_first) {
                  if (mode == send_mode::synchronous) {
                    EXPECT_FALSE(q->complete.load());
                  }
                  meet(r, s);
                }
                EXPECT_EQ(finish(r, q).error, 0);
              } else {
                std::vector<std::byte> got(n + 8, std::byte{0xee});
                p2p::request* q = nullptr;
                if (posted_first) q = start_receive(r, w, bytes_of(got.data(), n), 0, 5);
                meet(r, s);
                if (!posted_first) q = start_receive(r, w, bytes_of(got.data(), n), 0, 5);
                const outcome o = finish(r, q);
                EXPECT_EQ(o.error, 0);
                EXPECT_EQ(o.source, 0);
                EXPECT_EQ(o.tag, 5);
                EXPECT_EQ(o.bytes, static_cast<std::int64_t>(n));
                EXPECT_TRUE(std::equal(sent.begin(), sent.end(), got.begin())) << n;
                for (std::size_t i = n; i < got.size(); ++i) ASSERT_EQ(got[i], std::byte{0xee});
              }
            }
          }
        }
        meet(r, s);
      },
      config());
}

TEST_P(messages, truncation_is_the_receivers_error_and_nothing_is_written_beyond) {
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::size_t n : sizes) {
          if (n == 0) continue;
          const std::size_t room = n / 2;
          const auto sent = painted(n, n);
          for (bool posted_first : {true, false}) {
            if (r.self == 0) {
              if (posted_first) meet(r, s);
              p2p::request* q = start_send(r, w, bytes_of(sent.data(), n), 1, 5);
              if (!posted_first) meet(r, s);
              EXPECT_EQ(finish(r, q).error, 0);
            } else {
              std::vector<std::byte> got(n, std::byte{0xee});
              p2p::request* q = nullptr;
              if (posted_first) q = start_receive(r, w, bytes_of(got.data(), room), 0, any_tag);
              meet(r, s);
              if (!posted_first) q = start_receive(r, w, bytes_of(got.data(), room), 0, any_tag);
              const outcome o = finish(r, q);
              EXPECT_EQ(o.error, p2p::error_truncate);
              EXPECT_EQ(o.bytes, static_cast<std::int64_t>(n));
              EXPECT_EQ(o.tag, 5);
              EXPECT_TRUE(
                  std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(room), sent.begin()));
              for (std::size_t i = room; i < n; ++i) ASSERT_EQ(got[i], std::byte{0xee});
            }
          }
        }
        meet(r, s);
      },
      config());
}

// Layouts on both sides: (block, stride) pairs; bytes move in packed order whatever the two are.
TEST_P(messages, layouts_on_both_sides) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::int64_t most = 1050000;  // a check of each byte takes ten times as long there
#else
  constexpr std::int64_t most = 4200000;
#endif
  const std::int64_t last = GetParam().how == way::tiny ? 420000 : most;
  struct layout {
    std::int64_t block, stride;
  };
  const layout layouts[] = {{0, 0}, {1, 3}, {8, 16}, {700, 1000}, {5000, 6000}};
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::int64_t total : {std::int64_t{840}, std::int64_t{21000}, std::int64_t{210000}, last}) {
          for (const layout& from : layouts) {
            for (const layout& to : layouts) {
              const layout& mine = r.self == 0 ? from : to;
              const std::int64_t per = mine.block == 0 ? total : mine.block;
              if (total % per != 0) continue;
              if (total % (from.block == 0 ? 1 : from.block) != 0 ||
                  total % (to.block == 0 ? 1 : to.block) != 0)
                continue;
              const std::int64_t count = total / per, stride = mine.block == 0 ? total : mine.stride;
              auto made = datatype::builder::hvector(count, per, stride, byte_type());
              ASSERT_TRUE(made.ok());
              ASSERT_TRUE((*made)->commit().ok());
              const std::size_t span = static_cast<std::size_t>((count - 1) * stride + per);
              std::vector<std::byte> memory(span + 1, std::byte{0xee});
              const auto content =
                  painted(static_cast<std::size_t>(total), static_cast<std::uint64_t>(total + from.block));
              const p2p::buffer b{memory.data(), 1, *made};
              if (r.self == 0) {
                for (std::int64_t k = 0; k < count; ++k)
                  std::memcpy(&memory[static_cast<std::size_t>(k * stride)],
                              &content[static_cast<std::size_t>(k * per)], static_cast<std::size_t>(per));
                EXPECT_EQ(send(r, w, b, 1, 7).error, 0);
              } else {
                const outcome o = receive(r, w, b, 0, 7);
                EXPECT_EQ(o.error, 0);
                EXPECT_EQ(o.bytes, total);
                bool good = memory[span] == std::byte{0xee};
                for (std::int64_t k = 0; k < count; ++k)
                  good = good && std::memcmp(&memory[static_cast<std::size_t>(k * stride)],
                                             &content[static_cast<std::size_t>(k * per)],
                                             static_cast<std::size_t>(per)) == 0;
                EXPECT_TRUE(good) << total << " bytes, blocks " << from.block << " to " << to.block;
                if (stride > per && count > 1) {
                  EXPECT_EQ(memory[static_cast<std::size_t>(per)], std::byte{0xee});
                }
              }
              (*made)->release();
            }
          }
        }
        meet(r, s);
      },
      config());
}

// Of messages out of an arena: by the receiver, or by both.
std::uint64_t mapped_copies(rank& r) {
  const auto c = r.p2p->counts();
  return c.messages[p2p::engine::direct] + c.messages[p2p::engine::direct_both] +
         c.messages[p2p::engine::push] + c.messages[p2p::engine::both_sides];
}

// Memory in an arena: copied once from direct_limit on, by both sides, or by the one that can map the other's buffer.
TEST_P(messages, lengths_in_arenas) {
  ranks_config c = config();
  c.rank.p2p.both_sides = 1;
  const p2p::limits l = p2p::limits_of(c.rank.p2p, {});
  const std::size_t direct_from = std::min(l.direct_limit, l.eager_limit) + 1;
  run_ranks(
      2,
      [direct_from](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::size_t n :
             {601, 16384, 16385, 32767, 40000, 65536, 65537, 500000, 1 << 20, (2 << 20) + 1}) {
          auto block = r.arena->allocate(n + 8);
          ASSERT_TRUE(block.ok());
          std::vector<std::byte> ordinary(n + 8);
          for (unsigned what = 0; what < 8; ++what) {
            const bool sender_arena = what & 1, receiver_arena = what & 2, posted_first = what & 4;
            auto* memory = (r.self == 0 ? sender_arena : receiver_arena) ? static_cast<std::byte*>(*block)
                                                                         : ordinary.data();
            const auto content = painted(n, n + what);
            if (r.self == 0) {
              std::copy(content.begin(), content.end(), memory);
              if (posted_first) meet(r, s);
              EXPECT_EQ(send(r, w, bytes_of(memory, n), 1, 1).error, 0);
            } else {
              std::fill(memory, memory + n + 8, std::byte{0xee});
              const auto before = mapped_copies(r);
              p2p::request* q = nullptr;
              if (posted_first) {
                q = start_receive(r, w, bytes_of(memory, n), 0, 1);
                meet(r, s);
              }
              const outcome o = q != nullptr ? finish(r, q) : receive(r, w, bytes_of(memory, n), 0, 1);
              EXPECT_EQ(o.error, 0);
              EXPECT_TRUE(std::equal(content.begin(), content.end(), memory)) << n << " " << what;
              for (std::size_t i = n; i < n + 8; ++i) EXPECT_EQ(memory[i], std::byte{0xee});
              const auto direct = mapped_copies(r) - before;
              // Its sender knows of a large receive that was posted first, and counts it.
              const bool known = posted_first && n > 65'536;
              if (!r.endpoint->route_to(0).mapped || (sender_arena && !known)) {
                const bool expected = r.endpoint->route_to(0).mapped && n >= direct_from;
                EXPECT_EQ(direct, expected ? 1 : 0) << n << " " << what;
              }
            }
            meet(r, s);
          }
          r.arena->release(*block);
        }
      },
      c);
}

TEST_P(messages, buffers_in_arenas) {
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const std::size_t n = (5 << 20) + 64;
        auto tiny = datatype::builder::hvector(static_cast<std::int64_t>(n / 8), 8, 16, byte_type());
        auto coarse =
            datatype::builder::hvector(static_cast<std::int64_t>(n / 4096), 4096, 5000, byte_type());
        ASSERT_TRUE((*tiny)->commit().ok() && (*coarse)->commit().ok());
        for (int sender_arena : {0, 1}) {
          for (int receiver_arena : {0, 1}) {
            for (int layout : {0, 1, 2}) {
              const std::size_t span = layout == 0 ? n : 2 * n;
              const std::size_t packed = layout == 2 ? n / 4096 * 4096 : n;
              const auto content = painted(packed, 3);
              const bool mine_in_arena = r.self == 0 ? sender_arena : receiver_arena;
              const std::size_t needed = r.self == 0 ? span : packed;
              std::vector<std::byte> ordinary;
              std::byte* memory;
              void* block = nullptr;
              if (mine_in_arena) {
                auto got = r.arena->allocate(needed + 1);
                ASSERT_TRUE(got.ok());
                block = *got;
                memory = static_cast<std::byte*>(block) + 1;  // an odd address: only its region is asked for
              } else {
                ordinary.resize(needed);
                memory = ordinary.data();
              }
              if (r.self == 0) {
                const datatype::type* t = layout == 0 ? &byte_type() : layout == 1 ? *tiny : *coarse;
                const p2p::buffer b{memory, layout == 0 ? static_cast<std::int64_t>(n) : 1, t};
                if (layout == 0)
                  std::copy(content.begin(), content.end(), memory);
                else
                  datatype::unpack(memory, 1, *t, 0, static_cast<std::int64_t>(packed), content.data());
                EXPECT_EQ(send(r, w, b, 1, 1).error, 0);
              } else {
                std::fill(memory, memory + packed, std::byte{0});
                const auto before = mapped_copies(r);
                EXPECT_EQ(receive(r, w, bytes_of(memory, packed), 0, 1).error, 0);
                EXPECT_TRUE(std::equal(content.begin(), content.end(), memory))
                    << sender_arena << receiver_arena << layout;
                if (r.endpoint->route_to(0).mapped && sender_arena && layout != 1) {
                  EXPECT_EQ(mapped_copies(r), before + 1);
                }
                if (r.endpoint->route_to(0).mapped && receiver_arena && layout == 1) {
                  EXPECT_EQ(mapped_copies(r), before + 1) << "the sender can pack into our arena";
                }
              }
              meet(r, s);
              if (block != nullptr) r.arena->release(block);
            }
          }
        }
        (*tiny)->release();
        (*coarse)->release();
      },
      config());
}

TEST_P(messages, order_holds_across_protocols) {
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::mt19937 random(7);
        constexpr int count = 300;
        std::vector<std::size_t> n(count);
        for (auto& x : n) x = sizes[random() % 18];
        if (r.self == 0) {
          std::vector<std::vector<std::byte>> data;
          std::vector<p2p::request*> q;
          for (int i = 0; i < count; ++i) {
            data.push_back(painted(n[i], static_cast<std::uint64_t>(i)));
            q.push_back(start_send(r, w, bytes_of(data.back().data(), n[i]), 1, 3,
                                   i % 5 == 0 ? send_mode::synchronous : send_mode::standard));
          }
          for (auto* x : q) EXPECT_EQ(finish(r, x).error, 0);
        } else {
          for (int i = 0; i < count; ++i) {
            std::vector<std::byte> got(70000 * 5);
            const outcome o = receive(r, w, bytes_of(got.data(), got.size()), i % 3 == 0 ? any_source : 0,
                                      i % 2 == 0 ? any_tag : 3);
            ASSERT_EQ(o.bytes, static_cast<std::int64_t>(n[i])) << i;
            const auto expected = painted(n[i], static_cast<std::uint64_t>(i));
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin())) << i;
          }
        }
      },
      config());
}

TEST_P(messages, probe_and_matched_probe_with_wildcards) {
  run_ranks(
      3,
      [](rank& r) {
        p2p::scope w = world_of(3, r.self), s = world_of(3, r.self, 0x200);
        for (std::size_t n : sizes) {
          const auto sent = painted(n, r.self);
          if (r.self != 0) {
            p2p::request* q = start_send(r, w, bytes_of(sent.data(), n), 0, static_cast<int>(10 + r.self));
            p2p::request* q2 = start_send(r, w, bytes_of(sent.data(), n), 0, static_cast<int>(20 + r.self),
                                          send_mode::synchronous);
            meet(r, s);
            EXPECT_EQ(finish(r, q).error, 0);
            EXPECT_EQ(finish(r, q2).error, 0);
            meet(r, s);
            continue;
          }
          meet(r, s);
          outcome o;
          const auto probe = [&](int source, int tag) {
            return with_gate(r, [&](p2p::engine& e) { return e.probe(w, source, tag, &o); });
          };
          const auto match = [&](int source, int tag) {
            return with_gate(r, [&](p2p::engine& e) { return e.match(w, source, tag, &o); });
          };
          while (!probe(2, any_tag)) {
          }
          EXPECT_EQ(o.source, 2);
          EXPECT_EQ(o.tag, 12);
          EXPECT_EQ(o.bytes, static_cast<std::int64_t>(n));
          EXPECT_FALSE(probe(2, 11));
          EXPECT_EQ(match(1, 12), nullptr);
          while (!probe(any_source, 21)) {
          }
          EXPECT_EQ(o.source, 1);
          for (int k = 0; k < 4; ++k) {
            p2p::matched_message* m = nullptr;
            // 12 before 22 and 11 before 21 for those who look at one sender only
            const int source = k < 2 ? 2 : any_source;
            while ((m = match(source, any_tag)) == nullptr) {
            }
            EXPECT_EQ(o.source, k < 2 ? 2 : 1);
            EXPECT_EQ(o.tag, (k % 2 == 0 ? 10 : 20) + o.source);
            outcome again;
            EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, o.source, o.tag, &again); }));
            std::vector<std::byte> got(n);
            p2p::request* q =
                with_gate(r, [&](p2p::engine& e) { return e.receive(m, bytes_of(got.data(), n)); });
            const outcome done = finish(r, q);
            EXPECT_EQ(done.error, 0);
            EXPECT_EQ(done.source, o.source);
            EXPECT_EQ(done.bytes, static_cast<std::int64_t>(n));
            EXPECT_EQ(got, painted(n, static_cast<std::uint64_t>(o.source)));
          }
          EXPECT_FALSE(probe(any_source, any_tag));
          meet(r, s);
        }
      },
      config());
}

TEST_P(messages, a_cancelled_operation_tells_the_truth) {
  if (GetParam().how == way::poor || GetParam().how == way::lossy || GetParam().how == way::mixed)
    GTEST_SKIP() << "where records cannot be mapped, sends are never cancelled";
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const auto cancel = [&](p2p::request* q) { with_gate(r, [&](p2p::engine& e) { e.cancel(q); }); };
        // Receives.
        {
          std::byte b{};
          p2p::request* q = start_receive(r, w, bytes_of(&b, 1), any_source, 99);
          cancel(q);
          EXPECT_TRUE(finish(r, q).cancelled);
        }
        meet(r, s);
        // Sends: whatever cancel answers, the receiver's view agrees.
        for (std::size_t n : {std::size_t{0}, std::size_t{10}, std::size_t{5000}, std::size_t{100000}}) {
          for (int round = 0; round < 40; ++round) {
            auto data = painted(n, 5);
            if (r.self == 0) {
              p2p::request* q = start_send(r, w, bytes_of(data.data(), n), 1, 1, send_mode::synchronous);
              if (round % 4 == 2) meet(r, s);
              cancel(q);
              const outcome o = finish(r, q);
              std::uint8_t told = o.cancelled ? 1 : 0;
              if (round % 4 == 0 && r.endpoint->route_to(1).mapped) {
                EXPECT_EQ(told, 1) << "nobody received it";
              }
              send(r, w, bytes_of(&told, 1), 1, 2);
              if (round % 4 == 0) meet(r, s);
              std::uint8_t last = 7;
              if (o.cancelled) send(r, w, bytes_of(&last, 1), 1, 1);
            } else {
              if (round % 4 == 0) meet(r, s);
              std::vector<std::byte> got(n + 1);
              p2p::request* q = start_receive(r, w, bytes_of(got.data(), got.size()), 0, 1);
              if (round % 4 == 2) meet(r, s);
              std::uint8_t told = 2;
              receive(r, w, bytes_of(&told, 1), 0, 2);
              const outcome o = finish(r, q);
              // A cancelled message is never received: the last one comes instead.
              EXPECT_EQ(o.bytes, told == 1 ? 1 : static_cast<std::int64_t>(n)) << n << " round " << round;
            }
          }
        }
        meet(r, s);
      },
      config());
}

TEST_P(messages, to_oneself_in_every_mode) {
  run_ranks(1, [](rank& r) {
    p2p::scope w = world_of(1, 0);
    for (std::size_t n : sizes) {
      for (send_mode mode : {send_mode::standard, send_mode::synchronous, send_mode::ready}) {
        const auto sent = painted(n, n);
        std::vector<std::byte> got(n);
        p2p::request* a = start_receive(r, w, bytes_of(got.data(), n), any_source, 4);
        EXPECT_EQ(send(r, w, bytes_of(sent.data(), n), 0, 4, mode).error, 0);
        EXPECT_EQ(finish(r, a).bytes, static_cast<std::int64_t>(n));
        EXPECT_EQ(got, sent);
        got.assign(n, std::byte{0});
        a = start_send(r, w, bytes_of(sent.data(), n), 0, 4, mode);
        if (mode == send_mode::synchronous || n > p2p::limits_of({}, {}).eager_limit) {
          EXPECT_FALSE(a->complete.load());
        }
        outcome found;
        EXPECT_TRUE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, any_tag, &found); }));
        EXPECT_EQ(found.bytes, static_cast<std::int64_t>(n));
        EXPECT_EQ(receive(r, w, bytes_of(got.data(), n), 0, any_tag).error, 0);
        EXPECT_EQ(finish(r, a).error, 0);
        EXPECT_EQ(got, sent);
        // Cancelled before it is received; and not after a matched probe took it.
        a = start_send(r, w, bytes_of(sent.data(), n), 0, 4, send_mode::synchronous);
        with_gate(r, [&](p2p::engine& e) { e.cancel(a); });
        EXPECT_TRUE(finish(r, a).cancelled);
        a = start_send(r, w, bytes_of(sent.data(), n), 0, 4, send_mode::synchronous);
        p2p::matched_message* m = with_gate(r, [&](p2p::engine& e) { return e.match(w, 0, 4, &found); });
        ASSERT_NE(m, nullptr);
        with_gate(r, [&](p2p::engine& e) { e.cancel(a); });
        p2p::request* b =
            with_gate(r, [&](p2p::engine& e) { return e.receive(m, bytes_of(got.data(), n / 2)); });
        EXPECT_EQ(finish(r, b).error, n > 0 ? p2p::error_truncate : 0);
        EXPECT_FALSE(finish(r, a).cancelled);
      }
    }
  });
}

TEST_P(messages, for_a_communicator_not_yet_known_and_after_it_is_gone) {
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        for (std::uint64_t context = 0x1000; context < 0x1010; ++context) {
          p2p::scope other = world_of(2, r.self, context);
          other.peers = {1, 0};  // ranks the other way round
          other.rank = r.self == 0 ? 1 : 0;
          int value = 41;
          if (r.self == 0) {
            send(r, other, {&value, 1, &int_type()}, 0, 0);
            send(r, other, {&value, 1, &int_type()}, 0, 77);  // never received
            send(r, w, bytes_of(nullptr, 0), 1, 0);
            receive(r, w, bytes_of(nullptr, 0), 1, 0);
          } else {
            receive(r, w, bytes_of(nullptr, 0), 0, 0);
            int got = 0;
            const outcome o = receive(r, other, {&got, 1, &int_type()}, any_source, any_tag);
            EXPECT_EQ(o.source, 1);
            EXPECT_EQ(got, 41);
            EXPECT_EQ(other.users, 0u);
            send(r, w, bytes_of(nullptr, 0), 0, 0);
          }
          with_gate(r, [&](p2p::engine& e) { e.detach(other); });
        }
        EXPECT_LE(r.p2p->counts().unexpected_length, 1u);
      },
      config());
}

TEST_P(messages, freed_requests_complete_by_themselves) {
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const std::size_t n = 100000;
        const auto data = painted(n, 1);
        std::vector<std::byte> got(n);
        if (r.self == 0) {
          with_gate(r, [&](p2p::engine& e) {
            e.free(e.send(w, bytes_of(data.data(), n), 1, 0, send_mode::standard));
          });
          meet(r, s);
        } else {
          with_gate(r, [&](p2p::engine& e) { e.free(e.receive(w, bytes_of(got.data(), n), 0, 0)); });
          meet(r, s);
        }
        while (w.users != 0) with_gate(r, [&](p2p::engine& e) { e.progress(); });
        if (r.self == 1) {
          EXPECT_EQ(got, data);
        }
        meet(r, s);
      },
      config());
}

// A callback may start the next operation, at whatever moment it runs.
TEST_P(messages, completions_start_further_messages) {
  struct chain {
    rank* r;
    p2p::scope* w;
    std::vector<std::byte> data;
    int left;
    bool sender;
    std::atomic<bool> done{false};
    static void next(p2p::request& q, void* context) {
      auto* c = static_cast<chain*>(context);
      c->r->p2p->free(&q);
      c->step();
    }
    void step() {
      if (left-- == 0) {
        done = true;
        return;
      }
      const std::size_t n = data.size() >> (left % 12);
      p2p::request* q = sender ? r->p2p->send(*w, bytes_of(data.data(), n), 1, 0, send_mode::standard)
                               : r->p2p->receive(*w, bytes_of(data.data(), n), 0, 0);
      if (q->complete.load()) {
        r->p2p->free(q);
        return step();
      }
      q->context = this;
      q->on_complete = next;
    }
  };
  run_ranks(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        chain c{&r, &w, std::vector<std::byte>(200000), 600, r.self == 0};
        with_gate(r, [&](p2p::engine& e) {
          c.step();
          EXPECT_TRUE(e.wait_until([&] { return c.done.load(); }, {}));
        });
      },
      config());
}

INSTANTIATE_TEST_SUITE_P(variants, messages,
                         ::testing::Values(variant{way::usual, "usual"}, variant{way::no_vm, "no_vm"},
                                           variant{way::tiny, "tiny"},
                                           variant{way::one_mapping, "one_mapping"},
                                           variant{way::poor, "poor"}, variant{way::lossy, "lossy"},
                                           variant{way::mixed, "mixed"}, variant{way::overlap, "overlap"},
                                           variant{way::past_caches, "past_caches"}),
                         [](const auto& info) { return info.param.name; });

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need more themselves

// Threads of programs may have small stacks: what a copy by the kernel needs does not lie there.
struct of_thread {
  rank& r;
  p2p::scope w;
  std::int64_t block;
};
void* receive_strided(void* argument) {
  auto& a = *static_cast<of_thread*>(argument);
  const std::int64_t total = 1 << 20, count = total / a.block;
  auto made = datatype::builder::hvector(count, a.block, a.block + 1, byte_type());
  EXPECT_TRUE(made.ok() && (*made)->commit().ok());
  std::vector<std::byte> memory(static_cast<std::size_t>(count * (a.block + 1)));
  const outcome o = receive(a.r, a.w, {memory.data(), 1, *made}, 0, 1);
  EXPECT_EQ(o.error, 0);
  const auto content = painted(static_cast<std::size_t>(total), 5);
  bool good = true;
  for (std::int64_t i = 0; i < total; ++i)
    good = good && memory[static_cast<std::size_t>(i / a.block * (a.block + 1) + i % a.block)] ==
                       content[static_cast<std::size_t>(i)];
  EXPECT_TRUE(good) << "blocks of " << a.block;
  (*made)->release();
  return nullptr;
}

TEST(messages, large_ones_on_a_small_stack) {
  ranks_config c;
  c.rank.p2p.both_sides = 0;
  c.rank.p2p.pipeline_limit = 0;
  run_processes(
      2,
      [](rank& r) {
        of_thread a{r, world_of(2, r.self), 0};
        const auto data = painted(1 << 20, 5);
        for (std::int64_t block : {64, 512, 1 << 20}) {  // copied and unpacked, by lists, and in one
          a.block = block;
          if (r.self == 0) {
            EXPECT_EQ(send(r, a.w, bytes_of(data.data(), data.size()), 1, 1).error, 0);
            continue;
          }
          pthread_attr_t small;
          pthread_attr_init(&small);
          ASSERT_EQ(pthread_attr_setstacksize(&small, 40 * 1024), 0);
          pthread_t thread;
          ASSERT_EQ(pthread_create(&thread, &small, receive_strided, &a), 0);
          pthread_join(thread, nullptr);
          pthread_attr_destroy(&small);
        }
      },
      c);
}

#endif

}  // namespace
}  // namespace loadstone::testing
