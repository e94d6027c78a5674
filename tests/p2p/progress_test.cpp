// The progress thread: what needs this process goes on while the program computes, which here means that it
// looks at words in shared memory and calls nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "datatype/builder.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing::progress_test {
namespace {

using progress = deposit::endpoint_config::progress_kind;

constexpr std::size_t large = (4 << 20) + 3;

ranks_config with_progress(progress kind = progress::on) {
  ranks_config c;
  c.rank.endpoint.progress = kind;
  return c;
}

[[maybe_unused]] std::size_t threads_here() {
  std::size_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    n += entry.exists() ? 1 : 0;
  return n;
}

// Waits without the library. A defect is a failure and no hang.
template <class Condition>
::testing::AssertionResult comes_true(Condition&& holds) {
  for (int patience = 100'000; patience > 0; --patience) {
    if (holds()) return ::testing::AssertionSuccess();
    usleep(100);
  }
  return ::testing::AssertionFailure() << "not within ten seconds";
}
auto is(std::atomic<std::uint64_t>& word, std::uint64_t value) {
  return [&word, value] { return word.load(std::memory_order_acquire) == value; };
}
auto complete(p2p::request* q) {
  return [q] { return q->complete.load(std::memory_order_acquire); };
}

// What the receiver posts when it goes away, or the sender.
struct away {
  bool vm;
  bool sender, receiver;
};

void message_while_away(const away& who) {
  ranks_config config = with_progress();
  config.rank.endpoint.vm = who.vm;
  shared_page* page = shared_page::create(2);
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        std::uint64_t round = 0;
        for (const send_mode mode : {send_mode::standard, send_mode::synchronous}) {
          ++round;
          const auto data = painted(large, round);
          meet(r, s);
          if (r.self == 0) {
            if (who.receiver) {
              ASSERT_TRUE(comes_true(is(page->words[1], round)));
            }
            p2p::request* q = start_send(r, w, bytes_of(data.data(), large), 1, 5, mode);
            page->words[0].store(round);
            if (who.sender) {
              EXPECT_TRUE(comes_true(is(page->words[2], round)));  // the receiver has it
            }
            EXPECT_EQ(finish(r, q).error, 0);
          } else {
            std::vector<std::byte> got(large + 10);
            if (!who.receiver) {
              ASSERT_TRUE(comes_true(is(page->words[0], round)));
            }
            p2p::request* q = start_receive(r, w, bytes_of(got.data(), got.size()), any_source, any_tag);
            page->words[1].store(round);
            if (who.receiver) {
              EXPECT_TRUE(comes_true(complete(q)));
            }
            const outcome o = finish(r, q);
            page->words[2].store(round);
            EXPECT_EQ(o.error, 0);
            EXPECT_EQ(o.source, 0);
            EXPECT_EQ(o.bytes, static_cast<std::int64_t>(large));
            EXPECT_EQ(std::memcmp(got.data(), data.data(), large), 0);
          }
          EXPECT_EQ(w.users, 0u);
        }
        meet(r, s);
      },
      config);
}

TEST(progress, receives_that_could_not_be_made_known) {
  message_while_away({true, false, true});
}
TEST(progress, nobody_may_reach_the_other_and_the_receiver_is_away) {
  message_while_away({false, false, true});
}
TEST(progress, nobody_may_reach_the_other_and_the_sender_is_away) {
  message_while_away({false, true, false});
}
TEST(progress, nobody_may_reach_the_other_and_both_are_away) {
  message_while_away({false, true, true});
}
TEST(progress, both_are_away) {
  message_while_away({true, true, true});
}

// Only the sender knows what the message is made of; the receive is known to it.
TEST(progress, layouts) {
  shared_page* page = shared_page::create(2);
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        auto made = datatype::builder::hvector(large / 8, 8, 12, byte_type());
        ASSERT_TRUE(made.ok() && (*made)->commit().ok());
        std::vector<std::byte> memory(large / 8 * 12);
        for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + (i >> 9));
        meet(r, s);
        if (r.self == 0) {
          ASSERT_TRUE(comes_true(is(page->words[1], 1)));
          p2p::request* q = start_send(r, w, {memory.data(), 1, *made}, 1, 5);
          EXPECT_TRUE(comes_true(complete(q)));
          EXPECT_EQ(finish(r, q).error, 0);
        } else {
          std::vector<std::byte> got(memory.size());
          p2p::request* q = start_receive(r, w, {got.data(), 1, *made}, 0, 5);
          page->words[1].store(1);
          EXPECT_TRUE(comes_true(complete(q)));
          EXPECT_EQ(finish(r, q).error, 0);
          for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_EQ(got[i], i % 12 < 8 ? memory[i] : std::byte{0}) << i;
        }
        meet(r, s);
        (*made)->release();
      },
      with_progress());
}

// The receiver is told, whichever of the two came first.
TEST(progress, a_sender_that_dies) {
  shared_page* page = shared_page::create(2);
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::vector<std::byte> data(large);
        // Each has been in the memory of the other.
        for (const std::uint32_t from : {0u, 1u}) {
          const int peer = 1 - static_cast<int>(r.self);
          const p2p::buffer all = bytes_of(data.data(), large);
          EXPECT_EQ((r.self == from ? send(r, w, all, peer, 1) : receive(r, w, all, peer, 1)).error, 0);
        }
        if (r.self == 0) {
          ASSERT_TRUE(comes_true(is(page->words[0], 1)));
          start_send(r, w, bytes_of(data.data(), large), 1, 5);
          kill(getpid(), SIGKILL);
        } else {
          p2p::request* q = start_receive(r, w, bytes_of(data.data(), large), any_source, any_tag);
          page->words[0].store(1);
          EXPECT_TRUE(comes_true(complete(q)));
          const std::int32_t error = finish(r, q).error;
          EXPECT_TRUE(error == 0 || error == p2p::error_peer_aborted) << error;
          EXPECT_EQ(w.users, 0u);
        }
      },
      with_progress(), 0);
}

#ifndef __SANITIZE_THREAD__  // which starts threads of its own
// What does not need it starts no thread, and waiting is no reason either.
TEST(progress, a_thread_comes_when_it_is_wanted_and_not_before) {
  for (const progress kind : {progress::off, progress::on}) {
    run_processes(
        2,
        [&](rank& r) {
          const std::size_t without = threads_here();
          const std::size_t alone = without + (kind == progress::on ? 1 : 0);
          p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
          const int peer = 1 - static_cast<int>(r.self);
          std::vector<std::byte> a(large), b(large);
          meet(r, s);
          for (const std::size_t n : {std::size_t{8}, std::size_t{40'000}, large}) {
            if (r.self == 0) {
              EXPECT_EQ(send(r, w, bytes_of(a.data(), n), peer, 1).error, 0);
              EXPECT_EQ(receive(r, w, bytes_of(b.data(), n), any_source, 1).error, 0);
            } else {
              EXPECT_EQ(receive(r, w, bytes_of(b.data(), n), any_source, 1).error, 0);
              EXPECT_EQ(send(r, w, bytes_of(a.data(), n), peer, 1).error, 0);
            }
            p2p::request* q = start_receive(r, w, bytes_of(b.data(), 40'000), any_source, 2);
            EXPECT_EQ(send(r, w, bytes_of(a.data(), 40'000), peer, 2).error, 0);
            EXPECT_EQ(finish(r, q).error, 0);
          }
          EXPECT_EQ(threads_here(), without);
          p2p::request* q = start_receive(r, w, bytes_of(b.data(), large), any_source, 3);
          EXPECT_EQ(threads_here(), alone);
          with_gate(r, [&](p2p::engine& e) { e.cancel(q); });
          EXPECT_TRUE(finish(r, q).cancelled);
          EXPECT_EQ(threads_here(), alone);
          r.endpoint->background().allow(false);
          // Joined; the kernel may list it for a moment yet.
          EXPECT_TRUE(comes_true([&] { return threads_here() == without; }));
          q = start_receive(r, w, bytes_of(b.data(), large), any_source, 3);
          EXPECT_EQ(threads_here(), without);
          r.endpoint->background().allow(true);
          EXPECT_EQ(threads_here(), alone);
          meet(r, s);
          EXPECT_EQ(send(r, w, bytes_of(a.data(), large), peer, 3).error, 0);
          EXPECT_EQ(finish(r, q).error, 0);
          meet(r, s);
        },
        with_progress(kind));
  }
}

#endif

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Rank 0 has posted a receive and does nothing but send: its message comes all the same.
TEST(progress, of_a_rank_that_only_sends) {
  run_processes(2, [](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    int word = 0;
    const p2p::buffer b = bytes_of(&word, sizeof word);
    // A peer without a core has time to come: twenty seconds and more.
    constexpr int last = -1, at_once = 2000, most = 400'000;
    if (r.self == 0) {
      p2p::request* q = start_receive(r, s, bytes_of(nullptr, 0), 1, 1);
      while (!complete(q)() && word < most) {
        ++word;
        EXPECT_EQ(send(r, w, b, 1, 1).error, 0);
        if (word > at_once) usleep(20);
      }
      EXPECT_LT(word, most);
      word = last;
      send(r, w, b, 1, 1);
      finish(r, q);
    } else {
      p2p::request* q = nullptr;
      for (int i = 0; word != last; ++i) {
        receive(r, w, b, 0, 1);
        if (i == 1000) q = start_send(r, s, bytes_of(nullptr, 0), 0, 1);
      }
      ASSERT_NE(q, nullptr);
      EXPECT_EQ(finish(r, q).error, 0);
    }
  });
}

TEST(progress, what_nobody_answers_costs_nothing) {
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const int peer = 1 - static_cast<int>(r.self);
        std::vector<std::byte> a(large), b(large);
        meet(r, s);
        p2p::request* q = start_receive(r, w, bytes_of(b.data(), large), any_source, 1);
        meet(r, s);
        // Outside, then waiting for something else, both with the receive outstanding.
        double before = cpu_seconds();
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        EXPECT_LT(cpu_seconds() - before, 0.05);
        std::byte byte{};
        if (r.self == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(700));
          EXPECT_EQ(send(r, w, bytes_of(&byte, 1), peer, 2).error, 0);
        } else {
          before = cpu_seconds();
          EXPECT_EQ(receive(r, w, bytes_of(&byte, 1), peer, 2).error, 0);
          EXPECT_LT(cpu_seconds() - before, 0.05);
        }
        EXPECT_EQ(send(r, w, bytes_of(a.data(), large), peer, 1).error, 0);
        EXPECT_EQ(finish(r, q).error, 0);
        meet(r, s);
      },
      with_progress());
}

// Everything at once, ranks as threads, so that a sanitizer sees all of them: pairs of threads whose requests
// are outstanding while they are away for a moment.
void busy_pairs(ranks_config c) {
#ifdef __SANITIZE_THREAD__
  constexpr int rounds = 60;
#else
  constexpr int rounds = 400;
#endif
  run_pairs_of_threads(2, rounds, c, [](rank& r, p2p::scope& w, int peer, int t, int i, auto& random) {
    std::mt19937 own(static_cast<unsigned>((i * 2 + t) * 2) + r.self);
    const std::size_t n = random() % (i % 4 == 0 ? 400'000 : 3000);
    const auto mode = random() % 3 == 0 ? send_mode::synchronous : send_mode::standard;
    const auto out = painted(n, static_cast<std::uint64_t>(t * 1000 + i));
    std::vector<std::byte> in(400'000);
    p2p::request* q = start_receive(r, w, bytes_of(in.data(), in.size()), any_source, t);
    if (own() % 2 == 0) usleep(own() % 200);
    p2p::request* sent = start_send(r, w, bytes_of(out.data(), n), peer, t, mode);
    if (own() % 2 == 0) usleep(own() % 200);
    ASSERT_EQ(finish(r, q).bytes, static_cast<std::int64_t>(n));
    ASSERT_EQ(finish(r, sent).error, 0);
    ASSERT_EQ(std::memcmp(in.data(), out.data(), n), 0);
  });
}

TEST(progress, among_busy_threads) {
  busy_pairs(with_progress());
}

TEST(progress, among_busy_threads_with_everything_tiny) {
  ranks_config c = with_progress();
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 8192;
  c.rank.p2p.unexpected_limit = 1500;
  c.rank.p2p.eager_limit = 600;
  c.rank.p2p.pipeline_block = 700;
  busy_pairs(c);
}

TEST(progress, on_the_poor_transport) {
  ranks_config c = with_progress();
  c.rank.endpoint.transport.rule = transport::choice::rule_kind::poor;
  busy_pairs(c);
}

}  // namespace
}  // namespace loadstone::testing::progress_test
