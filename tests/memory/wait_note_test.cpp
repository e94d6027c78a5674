#include "memory/wait_note.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "memory/job.hpp"

using namespace loadstone;

namespace {

TEST(wait_note, says_what_a_thread_waits_for_and_is_taken_back) {
  auto made = std::move(*memory::job::create({.world_size = 1}));
  auto& entry = made->process(0);
  {
    memory::wait_note first(entry), second(entry);
    EXPECT_TRUE(memory::waits_of(entry).empty());
    first.sleeps({.call = 7, .peer = 3, .tag = 9, .communicator = 42, .detail = "rendezvous"});
    second.sleeps({.call = 8, .peer = -1, .detail = "a text that is longer than the record can hold"});
    auto seen = memory::waits_of(entry);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].call, 7u);
    EXPECT_EQ(seen[0].peer, 3);
    EXPECT_EQ(seen[0].tag, 9);
    EXPECT_EQ(seen[0].communicator, 42u);
    EXPECT_EQ(seen[0].detail, "rendezvous");
    EXPECT_EQ(seen[1].detail, "a text that is longer than the ");
    EXPECT_FALSE(seen[0].awake || seen[1].awake);
    // A wait goes on while its thread looks whether it is over.
    first.wakes();
    seen = memory::waits_of(entry);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_TRUE(seen[0].awake && !seen[1].awake);
    EXPECT_EQ(seen[0].detail, "rendezvous");
    first.sleeps({.call = 7, .peer = 4, .tag = 9, .communicator = 42, .detail = "rendezvous"});
    seen = memory::waits_of(entry);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_FALSE(seen[0].awake);
    EXPECT_EQ(seen[0].peer, 4);
  }
  EXPECT_TRUE(memory::waits_of(entry).empty());
}

// More threads wait than there are records: the others are not seen, and harm nobody.
TEST(wait_note, those_beyond_the_last_record_say_nothing) {
  auto made = std::move(*memory::job::create({.world_size = 1}));
  auto& entry = made->process(0);
  std::deque<memory::wait_note> notes;
  for (std::uint16_t i = 1; i <= memory::wait_records + 2; ++i) notes.emplace_back(entry).sleeps({.call = i});
  EXPECT_EQ(memory::waits_of(entry).size(), memory::wait_records);
  notes.pop_front();
  auto seen = memory::waits_of(entry);
  ASSERT_EQ(seen.size(), memory::wait_records - 1);
  EXPECT_EQ(seen[0].call, 2u);
  memory::wait_note again(entry);
  again.sleeps({.call = 100});
  seen = memory::waits_of(entry);
  ASSERT_EQ(seen.size(), memory::wait_records);
  EXPECT_EQ(seen[0].call, 100u);
}

// A wait is many sleeps: each says since when.
TEST(wait_note, a_wait_begins_with_its_first_sleep) {
  auto made = std::move(*memory::job::create({.world_size = 1}));
  auto& entry = made->process(0);
  const wait::reason why{.call = 1};
  memory::wait_note(entry).sleeps(why);
  const std::uint64_t since = why.since;
  EXPECT_NE(since, 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  memory::wait_note second(entry);
  second.sleeps(why);
  EXPECT_EQ(why.since, since);
  EXPECT_GE(memory::waits_of(entry).at(0).waited_ns, 2'000'000u);
}

// A record is used again and again while somebody reads it: what is seen is one wait, never half of
// one and half of the next.
TEST(wait_note, threads_that_come_and_go_are_seen_whole) {
  constexpr int waiters = 3;
  auto made = std::move(*memory::job::create({.world_size = 1}));
  auto& entry = made->process(0);
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < waiters; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint16_t i = 0; !over.load(std::memory_order_relaxed); ++i) {
        const std::string text = std::to_string(i) + " of " + std::to_string(t) + " and some more";
        memory::wait_note note(entry);
        note.sleeps(
            {.call = i, .peer = i, .tag = t, .communicator = std::uint64_t{i} * 3, .detail = text.c_str()});
      }
    });
  }
  std::size_t whole = 0;
  std::set<std::int32_t> of;
  // Until every one has been seen some times: bounded, as a loaded machine may run none of them.
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while ((whole < 10'000 || of.size() < waiters) && std::chrono::steady_clock::now() < end) {
    const auto seen = memory::waits_of(entry);
    ASSERT_LE(seen.size(), static_cast<std::size_t>(waiters));
    for (const memory::seen_wait& w : seen) {
      ++whole;
      of.insert(w.tag);
      const std::string text = std::to_string(w.call) + " of " + std::to_string(w.tag) + " and some more";
      if (w.peer != static_cast<std::int32_t>(w.call) || w.communicator != std::uint64_t{w.call} * 3 ||
          w.detail != text) {
        ADD_FAILURE() << "call " << w.call << ", peer " << w.peer << ", communicator " << w.communicator
                      << ", \"" << w.detail << "\"";
        end = {};
        break;
      }
    }
  }
  over = true;
  for (std::thread& t : threads) t.join();
  EXPECT_GT(whole, 0u);
  EXPECT_TRUE(memory::waits_of(entry).empty());
}

}  // namespace
