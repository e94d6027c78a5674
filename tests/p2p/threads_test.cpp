// MPI_THREAD_MULTIPLE: several threads of each rank send, receive, probe and wait at once.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "p2p/ranks.hpp"

namespace loadstone::testing::threads_test {
namespace {

ranks_config threaded() {
  ranks_config c;
  c.rank.threads = true;
  return c;
}

#ifdef __SANITIZE_THREAD__
constexpr int rounds = 60;
#else
constexpr int rounds = 400;
#endif

// Sizes cross the protocols.
void pairs(int threads, ranks_config c) {
  run_pairs_of_threads(threads, rounds, c, [](rank& r, p2p::scope& w, int peer, int t, int i, auto& random) {
    const std::size_t n = i % 20 == 0 ? random() % 200000 : random() % 3000;
    const auto mode = random() % 3 == 0 ? send_mode::synchronous : send_mode::standard;
    const auto out = painted(n, static_cast<std::uint64_t>(t * 1000 + i));
    std::vector<std::byte> in(n);
    if (i % 2 == 0) {
      p2p::request* a = start_receive(r, w, bytes_of(in.data(), n), peer, t);
      p2p::request* b = start_send(r, w, bytes_of(out.data(), n), peer, t, mode);
      ASSERT_EQ(finish(r, b).error, 0);
      ASSERT_EQ(finish(r, a).bytes, static_cast<std::int64_t>(n));
    } else if (r.self == 0) {
      ASSERT_EQ(send(r, w, bytes_of(out.data(), n), peer, t, mode).error, 0);
      ASSERT_EQ(receive(r, w, bytes_of(in.data(), n), any_source, t).error, 0);
    } else {
      ASSERT_EQ(receive(r, w, bytes_of(in.data(), n), peer, t).error, 0);
      ASSERT_EQ(send(r, w, bytes_of(out.data(), n), peer, t, mode).error, 0);
    }
    ASSERT_EQ(in, out);
  });
}

TEST(threads, two_pairs) {
  pairs(2, threaded());
}

TEST(threads, four_pairs) {
  pairs(4, threaded());
}

TEST(threads, four_pairs_with_everything_tiny) {
  ranks_config c = threaded();
  c.rank.endpoint.inbox_slots = 2;
  c.rank.endpoint.cell_bytes_limit = 8192;
  c.rank.p2p.unexpected_limit = 1500;
  c.rank.p2p.eager_limit = 600;
  c.rank.p2p.pipeline_block = 700;
  pairs(4, c);
}

// Matched probes: no message is found by two threads, none by none.
TEST(threads, matched_probes_share_out_the_messages) {
  constexpr int messages_each = rounds, threads = 3;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        std::atomic<int> left{messages_each * threads};
        std::vector<std::atomic<int>> seen(messages_each * threads);
        std::vector<std::thread> all;
        for (int t = 0; t < threads; ++t) {
          all.emplace_back([&, t] {
            if (r.self == 0) {
              for (int i = 0; i < messages_each; ++i) {
                const int value = t * messages_each + i;
                ASSERT_EQ(send(r, w, {&value, 1, &int_type()}, 1, i % 7,
                               i % 9 == 0 ? send_mode::synchronous : send_mode::standard)
                              .error,
                          0);
              }
              return;
            }
            while (left.load() > 0) {
              outcome o;
              p2p::matched_message* m =
                  with_gate(r, [&](p2p::engine& e) { return e.match(w, any_source, any_tag, &o); });
              if (m == nullptr) {
                std::this_thread::yield();
                continue;
              }
              int value = -1;
              p2p::request* q =
                  with_gate(r, [&](p2p::engine& e) { return e.receive(m, {&value, 1, &int_type()}); });
              ASSERT_EQ(finish(r, q).error, 0);
              ASSERT_EQ(seen.at(static_cast<std::size_t>(value)).fetch_add(1), 0);
              left.fetch_sub(1);
            }
          });
        }
        for (auto& t : all) t.join();
        if (r.self == 1) {
          for (auto& s : seen) EXPECT_EQ(s.load(), 1);
        }
      },
      threaded());
}

// A rank whose threads send to each other.
TEST(threads, of_one_rank_talk_to_each_other) {
  run_ranks(
      1,
      [&](rank& r) {
        p2p::scope w = world_of(1, 0);
        std::vector<std::thread> all;
        for (int t = 0; t < 4; ++t) {
          all.emplace_back([&, t] {
            for (int i = 0; i < rounds; ++i) {
              const std::size_t n = i % 10 == 0 ? 50000 : 100;
              auto data = painted(n, static_cast<std::uint64_t>(i));
              std::vector<std::byte> in(n);
              if (t % 2 == 0) {
                ASSERT_EQ(send(r, w, bytes_of(data.data(), n), 0, t + 1,
                               i % 3 == 0 ? send_mode::synchronous : send_mode::standard)
                              .error,
                          0);
              } else {
                ASSERT_EQ(receive(r, w, bytes_of(in.data(), n), 0, t).error, 0);
                ASSERT_EQ(in, data);
              }
            }
          });
        }
        for (auto& t : all) t.join();
      },
      threaded());
}

#ifndef __SANITIZE_THREAD__
// One thread copies a large message into memory that cannot be written until another thread of the same rank
// has had an answer from the peer: the copy must not keep the others out.
std::atomic<bool> answered{false};
std::byte* barred = nullptr;
constexpr std::size_t barred_bytes = 4 << 20;

void wait_for_the_answer(int, siginfo_t*, void*) {
  while (!answered.load()) usleep(1000);
  mprotect(barred, barred_bytes, PROT_READ | PROT_WRITE);
}

TEST(threads, others_go_on_while_one_copies_a_large_message) {
  barred =
      static_cast<std::byte*>(mmap(nullptr, barred_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(barred, MAP_FAILED);
  struct sigaction action {
  }, before{};
  action.sa_sigaction = wait_for_the_answer;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  ranks_config config = threaded();
  config.rank.endpoint.vm = false;  // the sender cannot help: what it writes into barred memory is an error
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        const int peer = 1 - static_cast<int>(r.self);
        if (r.self == 0) {
          auto memory = r.arena->allocate(barred_bytes);  // so that the receiver copies by itself
          ASSERT_TRUE(memory.ok());
          std::memset(*memory, 7, barred_bytes);
          p2p::request* large = start_send(r, w, bytes_of(*memory, barred_bytes), peer, 1);
          std::uint32_t word = 0;
          ASSERT_EQ(receive(r, w, bytes_of(&word, sizeof word), peer, 2).error, 0);
          ASSERT_EQ(send(r, w, bytes_of(&word, sizeof word), peer, 3).error, 0);
          ASSERT_EQ(finish(r, large).error, 0);
        } else {
          std::thread copier(
              [&] { EXPECT_EQ(receive(r, w, bytes_of(barred, barred_bytes), peer, 1).error, 0); });
          std::uint32_t word = 5, back = 0;
          usleep(100'000);  // the copy has begun, most likely; if not, the test is merely weaker
          ASSERT_EQ(send(r, w, bytes_of(&word, sizeof word), peer, 2).error, 0);
          ASSERT_EQ(receive(r, w, bytes_of(&back, sizeof back), peer, 3).error, 0);
          EXPECT_EQ(back, 5u);
          answered.store(true);
          copier.join();
          EXPECT_EQ(barred[barred_bytes - 1], std::byte{7});
        }
      },
      config);
  sigaction(SIGSEGV, &before, nullptr);
  munmap(barred, barred_bytes);
}
#endif

}  // namespace
}  // namespace loadstone::testing::threads_test
