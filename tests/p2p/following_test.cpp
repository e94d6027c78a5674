// A sender that stops in the midst of a payload: only who waits for that message waits for it. The source of the message is memory that cannot be read until somebody says so.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

ranks_config threaded() {
  ranks_config c;
  c.rank.threads = true;
  c.rank.endpoint.overlap = 1;
  return c;
}

#ifndef __SANITIZE_THREAD__
constexpr std::size_t bytes = 64 * 1024, first_part = 16 * 1024;  // transport::part_of()
enum : std::size_t { stalled, go_on, posted, late };              // words of the page
shared_page* page = nullptr;
std::byte* source = nullptr;
bool dies = false;

void wait_outside(std::size_t word, std::uint64_t value) {
  while (page->words[word].load(std::memory_order_acquire) != value) usleep(100);
}
void say(std::size_t word, std::uint64_t value) {
  page->words[word].store(value, std::memory_order_release);
}

// The copy into the cell has come to the memory that cannot be read.
void stall(int, siginfo_t*, void*) {
  const std::uint64_t round = page->words[stalled].load() + 1;
  say(stalled, round);
  if (dies) kill(getpid(), SIGKILL);
  int patience = 600'000;  // a minute, so that a defect is a failure and no hang
  while (page->words[go_on].load(std::memory_order_acquire) != round && --patience > 0) usleep(100);
  if (patience == 0) say(late, round);
  mprotect(source, bytes, PROT_READ | PROT_WRITE);
}

void prepare_to_stall() {
  source = static_cast<std::byte*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(source, MAP_FAILED);
  struct sigaction action {};
  action.sa_sigaction = stall;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

void bar(const std::vector<std::byte>& data) {
  std::copy(data.begin(), data.end(), source);
  mprotect(source + first_part, bytes - first_part, PROT_NONE);
}

// Rank 1 and rank 2 answer each other.
void talk(rank& r, p2p::scope& w, int peer) {
  for (std::uint32_t i = 0; i < 200; ++i) {
    std::uint32_t got = 0;
    if (r.self == 1) send(r, w, bytes_of(&i, sizeof i), peer, 2);
    receive(r, w, bytes_of(&got, sizeof got), peer, 2);
    EXPECT_EQ(got, i);
    if (r.self != 1) send(r, w, bytes_of(&i, sizeof i), peer, 2);
  }
}

void receive_while_others_talk(rank& r, p2p::scope& w, std::uint64_t round, bool expected) {
  std::vector<std::byte> got(bytes, std::byte{0xee});
  p2p::request* q = nullptr;
  if (expected) q = start_receive(r, w, bytes_of(got.data(), bytes), 0, 1);
  say(posted, round);
  wait_outside(stalled, round);
  std::thread waits([&] {
    if (expected) {
      EXPECT_EQ(finish(r, q).error, 0);
    }
  });
  talk(r, w, 2);
  outcome found;
  const auto is_there = [&] {
    return with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 1, &found); });
  };
  EXPECT_FALSE(expected ? q->complete.load() : is_there());
  say(go_on, round);
  waits.join();
  if (!expected) {
    while (!is_there()) usleep(100);
    EXPECT_EQ(found.bytes, static_cast<std::int64_t>(bytes));
    EXPECT_EQ(receive(r, w, bytes_of(got.data(), bytes), 0, 1).error, 0);
  }
  EXPECT_EQ(got, painted(bytes, round));
}

TEST(following, threads_that_wait_for_others_go_on) {
  page = shared_page::create(1);
  run_processes(
      3,
      [&](rank& r) {
        p2p::scope w = world_of(3, r.self), s = world_of(3, r.self, 0x200);
        if (r.self == 0) prepare_to_stall();
        std::uint64_t round = 0;
        for (const send_mode mode : {send_mode::standard, send_mode::synchronous}) {
          for (const bool expected : {true, false}) {
            ++round;
            if (r.self == 0) {
              bar(painted(bytes, round));
              wait_outside(posted, round);
              EXPECT_EQ(send(r, w, bytes_of(source, bytes), 1, 1, mode).error, 0);
              EXPECT_NE(page->words[late].load(), round) << "nobody could say that it may go on";
            } else if (r.self == 1) {
              receive_while_others_talk(r, w, round, expected);
            } else {
              talk(r, w, 1);
            }
          }
        }
        EXPECT_EQ(w.users, 0u);
        meet(r, s);
      },
      threaded());
}

TEST(following, a_sender_that_dies_over_it) {
  page = shared_page::create(1);
  dies = true;
  ranks_config c;
  c.rank.endpoint.overlap = 1;
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.self == 0) {
          prepare_to_stall();
          bar(painted(bytes, 1));
          send(r, w, bytes_of(source, bytes), 1, 1);
        } else {
          std::vector<std::byte> got(bytes, std::byte{0xee});
          EXPECT_EQ(receive(r, w, bytes_of(got.data(), bytes), 0, 1).error, p2p::error_peer_aborted);
          EXPECT_EQ(w.users, 0u);
        }
      },
      c, 0);
  dies = false;
}

// By turns, in the buffer of the pair: the receive without a request does not say that it has come.
TEST(following, a_sender_that_dies_over_it_while_one_reads_its_line) {
  page = shared_page::create(1);
  dies = true;
  ranks_config c;
  c.rank.endpoint.overlap = 1;
  run_processes(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self);
        if (r.self == 0) prepare_to_stall();
        talk(r, w, r.self == 0 ? 1 : 0);
        std::byte turn{};
        if (r.self == 0) {
          receive(r, w, bytes_of(&turn, 1), 1, 2);
          bar(painted(bytes, 1));
          send(r, w, bytes_of(source, bytes), 1, 1);
        } else {
          send(r, w, bytes_of(&turn, 1), 0, 2);
          wait_outside(stalled, 1);
          std::vector<std::byte> got(bytes, std::byte{0xee});
          const p2p::buffer to = bytes_of(got.data(), bytes);
          outcome o;
          EXPECT_FALSE(with_gate(r, [&](p2p::engine& e) { return e.receive_now(w, to, 0, 1, &o); }));
          o = receive(r, w, to, 0, 1);
          EXPECT_EQ(o.error, p2p::error_peer_aborted);
          EXPECT_EQ(o.source, 0);
          EXPECT_EQ(o.tag, 1);
          EXPECT_EQ(w.users, 0u);
        }
      },
      c, 0);
  dies = false;
}
#endif

// Pairs of threads with payloads that are copied out while they are copied in; some receives are too short.
TEST(following, threads_of_both_ranks) {
#ifdef __SANITIZE_THREAD__
  constexpr int rounds = 100;
#else
  constexpr int rounds = 1000;
#endif
  run_pairs_of_threads(
      3, rounds, threaded(), [](rank& r, p2p::scope& w, int peer, int t, int i, auto& random) {
        const std::size_t n = random() % 65'537, room = random() % 4 == 0 ? n / 3 : n;
        const auto mode = random() % 3 == 0 ? send_mode::synchronous : send_mode::standard;
        const auto out = painted(n, static_cast<std::uint64_t>(t * 1000 + i));
        std::vector<std::byte> in(n + 1, std::byte{0xee});
        p2p::request* q = nullptr;
        if (i % 2 == 0) q = start_receive(r, w, bytes_of(in.data(), room), peer, t);
        p2p::request* sent = start_send(r, w, bytes_of(out.data(), n), peer, t, mode);
        if (q == nullptr) q = start_receive(r, w, bytes_of(in.data(), room), peer, t);
        ASSERT_EQ(finish(r, q).error, room < n ? p2p::error_truncate : 0);
        ASSERT_EQ(finish(r, sent).error, 0);
        const auto end_of_room = in.begin() + static_cast<std::ptrdiff_t>(room);
        ASSERT_TRUE(std::equal(in.begin(), end_of_room, out.begin()));
        ASSERT_TRUE(std::all_of(end_of_room, in.end(), [](std::byte b) { return b == std::byte{0xee}; }));
      });
}

}  // namespace
}  // namespace loadstone::testing
