// Large messages that both ends wait for: through cells, both copying at once; and by other ways when only one
// waits.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstring>

#include "datatype/builder.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"
#include "p2p/record_store.hpp"

namespace loadstone::testing {
namespace {

constexpr std::size_t limit = 1 << 20;

ranks_config pipelined() {
  ranks_config c;
  c.job.cpus = 2;  // whatever there is
  c.rank.endpoint.overlap = 1;
  c.rank.p2p.pipeline_limit = limit;
  c.rank.p2p.pipeline_block = 64 * 1024;
  c.rank.p2p.pipeline_rules = {.settle = 0, .trial_every = 0, .cells_seem = 0};
  return c;
}

// By what copying costs, where cells seem so many times as dear.
ranks_config measuring(double cells_seem) {
  ranks_config c = pipelined();
  c.rank.p2p.pipeline_rules = {.settle = 0, .trial_every = 4, .cells_seem = cells_seem};
  return c;
}

// Messages up to one block leave at once.
ranks_config in_long_blocks() {
  ranks_config c = pipelined();
  c.rank.p2p.pipeline_block = 256 * 1024;
  return c;
}

std::uint64_t left_at_once(rank& r) {
  return with_gate(r, [](p2p::engine& e) { return e.counts().messages[p2p::engine::pipelined_at_once]; });
}
std::uint64_t passed_through_cells(rank& r) {
  const auto c = with_gate(r, [](p2p::engine& e) { return e.counts(); });
  return c.messages[p2p::engine::pipelined];
}

TEST(pipeline, messages_that_both_ends_wait_for) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::uint64_t through_cells = 0, seed = 0;
        // A block, blocks and a bit, more than the window, as much as there may be room for; the last goes another way.
        for (const std::size_t n :
             {std::size_t{65'537}, std::size_t{128 * 1024}, std::size_t{700'001}, limit - 5, limit + 1}) {
          for (const std::size_t room : {n, n / 3, n + 5}) {
            for (int late = 0; late < 2; ++late) {
              ++seed;
              if (r.self == 0) {
                const auto out = painted(n, seed);
                EXPECT_EQ(send(r, w, bytes_of(out.data(), n), 1, 1).error, 0);
              } else {
                std::vector<std::byte> in(n + 5, std::byte{0xee});
                p2p::outcome found;
                while (late != 0 && !with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 1, &found); }))
                  usleep(50);
                EXPECT_EQ(receive(r, w, bytes_of(in.data(), room), 0, 1).error,
                          room < n ? p2p::error_truncate : 0);
                auto expected = painted(n, seed);
                expected.resize(n + 5, std::byte{0xee});
                std::fill(expected.begin() + static_cast<std::ptrdiff_t>(std::min(room, n)), expected.end(),
                          std::byte{0xee});
                ASSERT_EQ(in, expected) << n << " bytes, room for " << room;
                if (n <= limit) {
                  EXPECT_EQ(passed_through_cells(r), ++through_cells) << n << " bytes, room for " << room;
                }
              }
            }
          }
        }
      },
      pipelined());
}

// Columns of a matrix on one side, on the other and on both.
TEST(pipeline, layouts) {
  run_processes(
      2,
      [](rank& r) {
        constexpr std::int64_t count = 50'000;
        p2p::scope w = world_of(2, r.self);
        auto made = datatype::builder::vector(count, 1, 2, int_type());
        ASSERT_TRUE(made.ok());
        const datatype::type* column = *made;
        ASSERT_TRUE(column->commit().ok());
        for (int shape = 0; shape < 4; ++shape) {
          const bool strided = (shape & (r.self == 0 ? 1 : 2)) != 0;
          std::vector<int> data(2 * count, -1);
          for (int i = 0; i < count && r.self == 0; ++i)
            data[static_cast<std::size_t>(strided ? 2 * i : i)] = i * 3 + shape;
          const p2p::buffer b =
              strided ? p2p::buffer{data.data(), 1, column} : p2p::buffer{data.data(), count, &int_type()};
          if (r.self == 0) {
            EXPECT_EQ(send(r, w, b, 1, 1).error, 0);
            continue;
          }
          EXPECT_EQ(receive(r, w, b, 0, 1).error, 0);
          for (int i = 0; i < count; ++i)
            ASSERT_EQ(data[static_cast<std::size_t>(strided ? 2 * i : i)], i * 3 + shape);
          for (int i = 0; i < count && strided; ++i) ASSERT_EQ(data[static_cast<std::size_t>(2 * i + 1)], -1);
          EXPECT_EQ(passed_through_cells(r), static_cast<std::uint64_t>(shape + 1));
        }
        column->release();
      },
      pipelined());
}

// As a program does that computes and tests now and then.
std::int32_t test_until_complete(rank& r, p2p::request* q) {
  return with_gate(r, [&](p2p::engine& e) {
    while (!q->complete.load(std::memory_order_relaxed)) e.progress();  // relaxed: under the gate
    const std::int32_t error = q->result.error;
    e.free(q);
    return error;
  });
}

// One that goes on, and perhaps computes, would keep the other waiting for its cells.
TEST(pipeline, not_when_one_end_goes_on) {
  run_processes(
      2,
      [](rank& r) {
        if (!r.endpoint->user().reaches(1 - r.self)) return;  // then everything goes through cells
        p2p::scope w = world_of(2, r.self);
        constexpr std::size_t n = 300'000;
        for (int waits = 0; waits < 2; ++waits) {
          auto data = painted(n, 7);
          if (r.self == 0) {
            EXPECT_EQ(waits == 0 ? send(r, w, bytes_of(data.data(), n), 1, 1).error
                                 : test_until_complete(r, start_send(r, w, bytes_of(data.data(), n), 1, 1)),
                      0);
          } else {
            std::fill(data.begin(), data.end(), std::byte{});
            EXPECT_EQ(waits == 0 ? test_until_complete(r, start_receive(r, w, bytes_of(data.data(), n), 0, 1))
                                 : receive(r, w, bytes_of(data.data(), n), 0, 1).error,
                      0);
            EXPECT_EQ(data, painted(n, 7));
            EXPECT_EQ(passed_through_cells(r), 0u);
          }
        }
      },
      pipelined());
}

std::uint64_t cells_sent(rank& r) {
  return with_gate(r, [&](p2p::engine&) { return r.endpoint->counts().cells_sent; });
}

// Its sender is to fill an advert alone: it begins although the receiver waits, too.
TEST(pipeline, an_advert_that_is_filled_alone) {
  auto config = pipelined();
  config.rank.p2p.both_sides = 0;
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 1 << 20;
        for (int i = 0; i < 20; ++i) {
          auto data = painted(n, 7);
          p2p::request* q = nullptr;
          if (r.self == 1) {
            std::fill(data.begin(), data.end(), std::byte{});
            q = start_receive(r, w, bytes_of(data.data(), n), 0, 1);
          }
          meet(r, apart);  // the advert is there
          EXPECT_EQ(r.self == 0 ? send(r, w, bytes_of(data.data(), n), 1, 1).error : finish(r, q).error, 0);
          EXPECT_EQ(data, painted(n, 7));
        }
      },
      config);
}

// A transfer that nobody has begun, whatever had been arranged for it: the receive is known to its sender, or
// the message has been offered to it, or the receive came later and has asked for help.
TEST(pipeline, when_both_ends_have_begun_to_wait) {
  run_processes(
      2,
      [page = shared_page::create(1)](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 300'000;
        meet(r, apart);
        std::uint32_t turn = 0, seed = 0;
        // The two act by turns, and nobody polls while the other one acts.
        const auto next = [&](std::uint32_t who, auto&& act) {
          if (r.self == who) {
            while (page->words[0].load() != turn) continue;
            act();
            page->words[0].store(turn + 1);
          }
          ++turn;
        };
        enum arrangement { advertised, offered, asked_for_help };
        for (const arrangement how : {advertised, offered, asked_for_help})
          for (const std::uint32_t waits_first : {0u, 1u}) {
            auto data = painted(n, ++seed);
            if (r.self == 1) std::fill(data.begin(), data.end(), std::byte{});
            const auto b = bytes_of(data.data(), n);
            p2p::request* q = nullptr;
            const auto progress = [&] { with_gate(r, [](p2p::engine& e) { e.progress(); }); };
            const auto sends = [&] { q = start_send(r, w, b, 1, 1); };
            const auto receives = [&] {
              q = start_receive(r, w, b, how == advertised ? 0 : p2p::any_source, 1);
            };
            const auto wait_begins = [&] { with_gate(r, [&](p2p::engine& e) { e.wait_begins(*q); }); };
            const std::uint64_t before = cells_sent(r);
            if (how != asked_for_help) next(1, receives);
            next(0, [&] { progress(), sends(); });
            if (how == asked_for_help) next(1, [&] { progress(), receives(); });
            next(waits_first, wait_begins);
            next(1 - waits_first, wait_begins);
            // However long that takes: the receiver will see to it.
            next(0, [&] {
              for (int i = 0; i < 100; ++i) progress(), usleep(50);
            });
            next(1, [&] { progress(), progress(); });
            next(0, [] {});
            EXPECT_EQ(finish(r, q).error, 0);
            EXPECT_EQ(data, painted(n, seed));
            if (r.self == 0) {
              EXPECT_EQ(cells_sent(r) - before, 5u) << "arrangement " << how << ", first " << waits_first;
            }
          }
        const auto c = with_gate(r, [](p2p::engine& e) { return e.counts(); });
        EXPECT_EQ(c.helped_bytes, 0u);
        EXPECT_EQ(c.messages[p2p::engine::both_sides], 0u);
        EXPECT_EQ(c.messages[p2p::engine::pipelined], r.self == 1 ? 4u : 0u);
        EXPECT_EQ(c.messages[p2p::engine::advert], r.self == 0 ? 2u : 0u);
      },
      pipelined());
}

// A receive that was made known keeps its place before a later one, whichever of them is waited for first.
TEST(pipeline, the_order_of_receives_that_begin_to_wait) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 300'000;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
          const auto first = painted(n, 2 * seed), second = painted(n, 2 * seed + 1);
          std::vector<std::byte> a(n), b(n);
          p2p::request *one = nullptr, *two = nullptr;
          if (r.self == 1) {
            one = start_receive(r, w, bytes_of(a.data(), n), 0, 1);
            two = start_receive(r, w, bytes_of(b.data(), n), 0, 1);
            with_gate(r, [&](p2p::engine& e) { e.wait_begins(seed % 2 == 0 ? *one : *two); });
          }
          meet(r, apart);
          if (r.self == 0) {
            one = start_send(r, w, bytes_of(first.data(), n), 1, 1);
            two = start_send(r, w, bytes_of(second.data(), n), 1, 1);
          }
          EXPECT_EQ(finish(r, seed % 2 == 0 ? one : two).error, 0);
          EXPECT_EQ(finish(r, seed % 2 == 0 ? two : one).error, 0);
          if (r.self == 1) {
            EXPECT_EQ(a, first);
            EXPECT_EQ(b, second);
          }
        }
      },
      pipelined());
}

// One long one of one sender comes at a time; as soon as it is through, the next is asked for. A short one waits for none.
TEST(pipeline, one_long_one_at_a_time) {
  run_processes(
      2,
      [page = shared_page::create(1)](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t messages = 5, n[messages] = {300'000, 300'000, 300'000, 300'000, 100'000};
        meet(r, apart);
        std::vector<std::byte> data[messages];
        p2p::request* requests[messages];
        for (std::size_t i = 0; i < messages; ++i) {
          data[i] = painted(n[i], i);
          if (r.self == 0) continue;
          std::fill(data[i].begin(), data[i].end(), std::byte{});
          requests[i] =
              start_receive(r, w, bytes_of(data[i].data(), n[i]), p2p::any_source, static_cast<int>(i));
          with_gate(r, [&](p2p::engine& e) { e.wait_begins(*requests[i]); });
        }
        const auto counts = [&] { return with_gate(r, [&](p2p::engine&) { return r.endpoint->counts(); }); };
        if (r.self == 0) {
          for (std::size_t i = 0; i < messages; ++i) {
            requests[i] = start_send(r, w, bytes_of(data[i].data(), n[i]), 1, static_cast<int>(i));
            with_gate(r, [&](p2p::engine& e) { e.wait_begins(*requests[i]); });
          }
          page->words[0].store(1);
          while (page->words[0].load() != 2) usleep(50);
          const std::uint64_t before = counts().received;
          with_gate(r, [](p2p::engine& e) { e.progress(); });
          EXPECT_EQ(counts().received - before, 2u) << "that ask for blocks";
        } else {
          while (page->words[0].load() != 1) usleep(50);
          for (int i = 0; i < 10; ++i) with_gate(r, [](p2p::engine& e) { e.progress(); });
          page->words[0].store(2);
        }
        for (std::size_t i = 0; i < messages; ++i) {
          EXPECT_EQ(finish(r, requests[i]).error, 0);
          EXPECT_EQ(data[i], painted(n[i], i));
        }
        EXPECT_EQ(passed_through_cells(r), r.self == 1 ? messages : 0u);
      },
      pipelined());
}

// Six each way at once, each end waiting for all of its own.
TEST(pipeline, an_exchange_of_several) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        constexpr int messages = 6;
        const int peer = 1 - static_cast<int>(r.self);
        std::vector<std::byte> out[messages], in[messages];
        for (std::uint64_t step = 0; step < 20; ++step) {
          p2p::request* requests[2 * messages];
          const std::size_t n = 70'001 + step * 43'000;
          for (int i = 0; i < messages; ++i) {
            out[i] = painted(n, (step * messages + static_cast<std::uint64_t>(i)) * 2 + r.self);
            in[i].assign(n, std::byte{0});
            requests[i] = start_receive(r, w, bytes_of(in[i].data(), n), peer, i);
          }
          for (int i = 0; i < messages; ++i)
            requests[messages + i] = start_send(r, w, bytes_of(out[i].data(), n), peer, i);
          with_gate(r, [&](p2p::engine& e) {
            for (p2p::request* q : requests)
              if (!q->complete.load(std::memory_order_relaxed)) e.wait_begins(*q);  // relaxed: under the gate
          });
          for (p2p::request* q : requests) EXPECT_EQ(finish(r, q).error, 0);
          for (int i = 0; i < messages; ++i)
            ASSERT_EQ(in[i], painted(n, (step * messages + static_cast<std::uint64_t>(i)) * 2 + 1 - r.self))
                << n << " bytes, step " << step;
        }
        EXPECT_FALSE(with_gate(r, [](p2p::engine& e) { return e.some_are_open(); }));
      },
      pipelined());
}

// Each to the other by turns; returns how many of what came to this process came through cells.
std::uint64_t by_turns(rank& r, p2p::scope& w, int turns, std::size_t least = 300'001,
                       std::size_t more = 4'099) {
  for (int i = 0; i < 2 * turns; ++i) {
    const std::size_t n = least + static_cast<std::size_t>(i) * more;
    auto data = painted(n, static_cast<std::uint64_t>(i));
    if (i % 2 == static_cast<int>(r.self)) {
      EXPECT_EQ(send(r, w, bytes_of(data.data(), n), 1 - static_cast<int>(r.self), 1).error, 0);
    } else {
      std::vector<std::byte> in(n);
      EXPECT_EQ(receive(r, w, bytes_of(in.data(), n), 1 - static_cast<int>(r.self), 1).error, 0);
      EXPECT_EQ(in, data) << "message " << i;
    }
  }
  return passed_through_cells(r);
}

TEST(pipeline, quick_cells_are_taken_and_the_kernel_is_tried) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.endpoint->user().reaches(1 - r.self)) {
          const std::uint64_t through_cells = by_turns(r, w, 80);
          EXPECT_LT(through_cells, 80u);
          EXPECT_GT(through_cells, 50u);
        }
      },
      measuring(1e-3));
}

// They have to be measured first, at each length.
TEST(pipeline, dear_cells_are_tried_only) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.endpoint->user().reaches(1 - r.self)) {
          EXPECT_LT(by_turns(r, w, 80), 40u);
        }
      },
      measuring(1e6));
}

TEST(pipeline, both_directions_at_once) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        const int peer = 1 - static_cast<int>(r.self);
        for (std::uint64_t i = 0; i < 50; ++i) {
          const std::size_t n = 65'537 + i * 19'000;
          const auto out = painted(n, 2 * i + r.self);
          std::vector<std::byte> in(n);
          with_gate(r, [&](p2p::engine& e) {
            p2p::request* got = e.receive(w, bytes_of(in.data(), n), peer, 1, true);
            p2p::request* sent = e.send(w, bytes_of(out.data(), n), peer, 1, p2p::send_mode::standard, true);
            for (p2p::request* q : {got, sent}) {
              EXPECT_TRUE(e.wait(*q, {}));
              EXPECT_EQ(q->result.error, 0);
              e.free(q);
            }
          });
          ASSERT_EQ(in, painted(n, 2 * i + 1 - r.self));
        }
        EXPECT_EQ(passed_through_cells(r), 50u);
        EXPECT_GT(r.endpoint->counts().cells_passed, 50u) << "blocks lie in cells that go to and fro";
      },
      pipelined());
}

// What fits one block has no answer: its sender may go on, whether its receiver waits or comes later.
TEST(pipeline, one_block_needs_no_answer) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        const int peer = 1 - static_cast<int>(r.self);
        std::uint64_t sent = 0;
        for (int i = 0; i < 240; ++i) {
          const std::size_t sizes[] = {65'537, 100'000, 131'072, 262'143, 262'144, 262'145};
          const std::size_t n = sizes[static_cast<std::size_t>(i / 2) % std::size(sizes)];
          const auto data = painted(n, static_cast<std::uint64_t>(i));
          if (i % 2 == static_cast<int>(r.self)) {
            EXPECT_EQ(send(r, w, bytes_of(data.data(), n), peer, 1).error, 0);
            EXPECT_EQ(left_at_once(r), n <= 256 * 1024 ? ++sent : sent) << n;
            continue;
          }
          std::vector<std::byte> in(n + 1, std::byte{0xee});
          const std::size_t room = i % 7 == 0 ? n / 3 : n;
          p2p::outcome found;
          while (i % 5 == 0 && !with_gate(r, [&](p2p::engine& e) { return e.probe(w, peer, 1, &found); }))
            usleep(50);
          const p2p::outcome o =
              i % 3 == 0 ? finish(r, start_receive(r, w, bytes_of(in.data(), room), p2p::any_source, 1))
                         : receive(r, w, bytes_of(in.data(), room), peer, 1);
          EXPECT_EQ(o.error, room < n ? p2p::error_truncate : 0);
          ASSERT_EQ(std::memcmp(in.data(), data.data(), room), 0) << "message " << i;
          ASSERT_EQ(in[room], std::byte{0xee});
        }
        EXPECT_GT(r.endpoint->counts().line_sent, 60u);
      },
      in_long_blocks());
}

// But into a receive that has been told of it does not leave so, though nothing has been polled since.
TEST(pipeline, a_block_that_a_computing_receiver_waits_for) {
  run_processes(
      2,
      [page = shared_page::create(1)](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 256 * 1024;
        meet(r, apart);
        const auto data = painted(n, 5);
        const auto await = [&](std::uint64_t what) {
          while (page->words[0].load() != what) usleep(50);
        };
        if (r.self == 0) {
          await(1);
          EXPECT_EQ(send(r, w, bytes_of(data.data(), n), 1, 1).error, 0);
          EXPECT_EQ(left_at_once(r), 0u);
          page->words[0].store(2);
        } else {
          std::vector<std::byte> in(n);
          p2p::request* q = start_receive(r, w, bytes_of(in.data(), n), 0, 1);
          page->words[0].store(1);
          await(2);
          EXPECT_EQ(in, data) << "before it has polled";
          EXPECT_EQ(finish(r, q).error, 0);
        }
      },
      in_long_blocks());
}

// More of them than there are cells: the others wait for their receiver.
TEST(pipeline, blocks_that_nobody_receives_yet) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 200'000;
        constexpr std::uint64_t many = 30;
        std::byte word[8] = {};
        if (r.self == 0) {
          for (std::uint64_t i = 0; i < many; ++i) {
            const auto data = painted(n, i);
            EXPECT_EQ(send(r, w, bytes_of(data.data(), n), 1, 1).error, 0);
            if (i == 4) {
              EXPECT_EQ(send(r, apart, bytes_of(word, 8), 1, 1).error, 0);
            }
          }
          EXPECT_LT(left_at_once(r), many);
          return;
        }
        EXPECT_EQ(receive(r, apart, bytes_of(word, 8), 0, 1).error, 0);
        const auto& sleeps = r.job->process(0).sleeps;
        const std::uint64_t before = sleeps.load();
        while (sleeps.load() == before) usleep(100);  // until it sleeps, or once more: it has no cell left
        for (std::uint64_t i = 0; i < many; ++i) {
          std::vector<std::byte> in(n);
          EXPECT_EQ(receive(r, w, bytes_of(in.data(), n), 0, 1).error, 0);
          ASSERT_EQ(in, painted(n, i)) << i;
        }
      },
      in_long_blocks());
}

// A ring that is being made takes longer than one end gives the other.
ranks_config without_rings(ranks_config c) {
  c.rank.endpoint.ring_after = 1u << 30;
  return c;
}

// No block leaves before its receiver asks, who does that if it waits.
TEST(pipeline, blocks_are_for_who_waits) {
  run_processes(
      2,
      [](rank& r) {
        if (!r.endpoint->user().reaches(1 - r.self)) return;  // then everything goes through cells
        p2p::scope w = world_of(2, r.self), apart = world_of(2, r.self, 0x200);
        constexpr std::size_t n = 300'000;
        enum habit { waits, goes_on, waits_later, has_less_room, comes_late };
        std::byte word[8] = {};
        for (const habit how :
             {waits, goes_on, goes_on, waits, has_less_room, goes_on, comes_late, waits_later, goes_on}) {
          auto data = painted(n, 11 + how);
          if (r.self == 0) {
            EXPECT_EQ(receive(r, apart, bytes_of(word, 8), 1, 1).error, 0);
            const std::uint64_t before = cells_sent(r);
            EXPECT_EQ(send(r, w, bytes_of(data.data(), n), 1, 1).error, 0);
            static const std::uint64_t expected[] = {5, 0, 0, 5, 1, 0, 5, 5, 0};
            static int i = 0;
            const std::uint64_t sent = cells_sent(r) - before;
            // Who begins to wait too late for its sender gets all by the kernel.
            if (how != waits_later || sent != 0) {
              EXPECT_EQ(sent, expected[i]) << "message " << i;
            }
            ++i;
            continue;
          }
          const std::size_t room = how == has_less_room ? 50'000 : n;
          std::vector<std::byte> in(n);
          p2p::request* q = nullptr;
          // From anybody: such a receive is not advertised.
          if (how == goes_on || how == waits_later)
            q = start_receive(r, w, bytes_of(in.data(), n), p2p::any_source, 1);
          EXPECT_EQ(send(r, apart, bytes_of(word, 8), 0, 1).error, 0);
          p2p::outcome found;
          while (how == waits_later &&
                 with_gate(r, [](p2p::engine& e) { return e.counts().posted_length; }) != 0)
            with_gate(r, [](p2p::engine& e) { e.progress(); });
          while (how == comes_late && !with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 1, &found); }))
            usleep(50);
          EXPECT_EQ(how == goes_on       ? test_until_complete(r, q)
                    : how == waits_later ? finish(r, q).error
                                         : receive(r, w, bytes_of(in.data(), room), 0, 1).error,
                    room < n ? p2p::error_truncate : 0);
          data.resize(room);
          data.resize(n);
          EXPECT_EQ(in, data);
        }
        if (r.self == 1) {
          EXPECT_GE(passed_through_cells(r), 4u);
        }
      },
      without_rings(pipelined()));
}

// A receiver that comes late finds in the record a message of somebody else: its sender is not kept for that.
TEST(pipeline, who_comes_late_keeps_nobody) {
  struct {
    std::atomic<std::uint64_t> at{0};
    std::uint32_t generation = 0;
    std::atomic<bool> seen{false};
  } shared;
  run_ranks(2, [&](rank& r) {
    p2p::scope s = world_of(2, r.self, 0x200);
    meet(r, s);
    p2p::record_store records(*r.endpoint, *r.arena);
    if (r.self == 0) {
      p2p::message_request m;
      ASSERT_TRUE(records.take(&m));
      records.give(&m);
      ASSERT_TRUE(records.take(&m));
      p2p::record_store::wish(&m, p2p::pipeline_for_now);
      shared.generation = m.own.generation;
      shared.at = records.address_of(&m).bits;
      while (!shared.seen) usleep(10);
      EXPECT_FALSE(p2p::record_store::goes_away(&m));
      EXPECT_EQ(p2p::record_store::wish_of(&m), p2p::pipeline_all);
      records.give(&m);
    } else {
      while (shared.at == 0) usleep(10);
      const memory::local_address at{shared.at};
      EXPECT_FALSE(records.keep_there(0, at, shared.generation - 1));
      EXPECT_EQ(records.wish_of(0, at), p2p::pipeline_for_now);
      EXPECT_TRUE(records.keep_there(0, at, shared.generation));
      shared.seen = true;
    }
  });
}

// A send of `n` bytes of which only a part of the first block can be read: its process dies over it; with a page, it says
// so in word 0, and waits until word 1 is set, for a minute at most, after which it sets word 2.
void die_over(rank& r, p2p::scope& w, std::size_t n, shared_page* said = nullptr) {
  constexpr std::size_t readable = 16 * 1024;
  void* source = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(source, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<std::byte*>(source) + readable, n - readable, PROT_NONE), 0);
  static shared_page* page;
  page = said;
  signal(SIGSEGV, [](int) {
    if (page != nullptr) {
      page->words[0].store(1);
      int patience = 600'000;
      while (page->words[1].load() == 0 && --patience > 0) usleep(100);
      page->words[2].store(patience == 0 ? 1 : 0);
    }
    kill(getpid(), SIGKILL);
  });
  send(r, w, bytes_of(source, n), 1, 1);
}

// In the first message, and in a later one, whose first block comes with the offer.
class a_sender_that_dies : public ::testing::TestWithParam<int> {};

TEST_P(a_sender_that_dies, over_a_block) {
  run_processes(
      2,
      [page = shared_page::create(1)](rank& r) {
        constexpr std::size_t n = 300 * 1024;
        p2p::scope w = world_of(2, r.self);
        by_turns(r, w, GetParam());
        const std::uint64_t before = passed_through_cells(r);
        if (r.self == 0) {
          while (page->words[0].load() == 0) usleep(100);
          die_over(r, w, n);
        } else {
          std::vector<std::byte> in(n);
          // Posted first, as of one who waits: for an offer of the dead that was unexpected only mpiexec ends the wait.
          p2p::request* q =
              with_gate(r, [&](p2p::engine& e) { return e.receive(w, bytes_of(in.data(), n), 0, 1, true); });
          page->words[0].store(1);
          EXPECT_EQ(finish(r, q).error, p2p::error_peer_aborted);
          EXPECT_EQ(passed_through_cells(r), before + 1);
          EXPECT_EQ(w.users, 0u);
        }
      },
      pipelined(), 0);
}

// It is taken for dead in the midst of a block, and goes on: what still comes of that message is for a request that is no
// more.
TEST(pipeline, a_sender_that_is_taken_for_dead_and_lives) {
  static shared_page* page;
  static std::atomic<std::uint32_t>* dead;
  static std::byte* source;
  constexpr std::size_t n = 300 * 1024, readable = 16 * 1024;
  page = shared_page::create(1);
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self);
        dead = &r.job->process(0).dead;
        if (r.self == 0) {
          void* made = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          ASSERT_NE(made, MAP_FAILED);
          source = static_cast<std::byte*>(made);
          ASSERT_EQ(mprotect(source + readable, n - readable, PROT_NONE), 0);
          signal(SIGSEGV, [](int) {
            dead->store(1);  // as somebody thinks
            for (int patience = 600'000; page->words[1].load() == 0 && --patience > 0;) usleep(100);
            mprotect(source, n, PROT_READ | PROT_WRITE);
          });
          while (page->words[0].load() == 0) usleep(100);
          with_gate(r, [&](p2p::engine& e) {
            p2p::request* q = e.send(w, bytes_of(source, n), 1, 1, p2p::send_mode::standard, true);
            EXPECT_FALSE(e.wait(*q, {})) << "nobody takes it";
          });
        } else {
          std::vector<std::byte> in(n), next(n);
          p2p::request* q =
              with_gate(r, [&](p2p::engine& e) { return e.receive(w, bytes_of(in.data(), n), 0, 1, true); });
          page->words[0].store(1);
          EXPECT_EQ(finish(r, q).error, p2p::error_peer_aborted);
          // The object of the request that is no more belongs to this one now.
          q = start_receive(r, w, bytes_of(next.data(), n), 0, 2);
          const std::uint64_t before = r.endpoint->counts().received;
          page->words[1].store(1);
          for (int patience = 600'000; r.endpoint->counts().received == before && --patience > 0;) {
            with_gate(r, [](p2p::engine& e) { e.progress(); });
            usleep(100);
          }
          EXPECT_GT(r.endpoint->counts().received, before) << "a block has come";
          EXPECT_FALSE(q->complete.load());
          EXPECT_EQ(next, std::vector<std::byte>(n));
          r.job->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::stopping));
        }
      },
      pipelined());
}

// The same over a message that needs no answer, when it goes by turns; its receiver waits for it or, by a request for
// whatever comes, finds it.
TEST(pipeline, a_sender_that_dies_over_what_goes_by_turns) {
  // In the buffer of the pair, and in a cell that they pass to and fro.
  for (const std::size_t n : {std::size_t{30'000}, std::size_t{200 * 1024}}) {
    for (const bool by_request : {false, true}) {
      run_processes(
          2,
          [&](rank& r) {
            p2p::scope w = world_of(2, r.self);
            by_turns(r, w, 12, n - 2'400, 100);
            if (r.self == 0) {
              die_over(r, w, n);
            } else {
              std::vector<std::byte> in(n);
              const auto room = bytes_of(in.data(), n);
              EXPECT_EQ((by_request ? finish(r, start_receive(r, w, room, p2p::any_source, 1))
                                    : receive(r, w, room, 0, 1))
                            .error,
                        p2p::error_peer_aborted);
              EXPECT_GT(r.endpoint->counts().line_sent, 0u);
              EXPECT_EQ(w.users, 0u);
            }
          },
          in_long_blocks(), 0);
    }
  }
}

// Nobody has asked for it yet: who stops in the midst of it keeps nobody, and who dies over it only whoever asks.
TEST(pipeline, a_sender_that_dies_over_what_is_unexpected) {
  run_processes(
      2,
      [page = shared_page::create(1)](rank& r) {
        constexpr std::size_t n = 30'000;
        p2p::scope w = world_of(2, r.self);
        by_turns(r, w, 12, n - 2'400, 100);  // the last ones in the buffer of the pair
        if (r.self == 0) {
          die_over(r, w, n, page);
        } else {
          while (page->words[0].load() == 0) usleep(100);
          p2p::outcome found;
          for (int i = 0; i < 20; ++i)
            EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 1, &found); }));
          EXPECT_EQ(page->words[2].load(), 0u) << "somebody has waited for the rest";
          page->words[1].store(1);
          std::vector<std::byte> in(n);
          EXPECT_EQ(receive(r, w, bytes_of(in.data(), n), 0, 1).error, p2p::error_peer_aborted);
          EXPECT_EQ(w.users, 0u);
        }
      },
      in_long_blocks(), 0);
}

INSTANTIATE_TEST_SUITE_P(pipeline, a_sender_that_dies, ::testing::Values(0, 2));

}  // namespace
}  // namespace loadstone::testing
