// The hand-over of the draining role, without transport: a "message" is a flag set under the gate by whoever
// drains.
#include "wait/gate.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "wait/futex.hpp"

namespace loadstone::wait {
namespace {

TEST(gate, one_thread_pays_nothing_and_needs_no_pairing) {
  gate g(false);
  g.lock();
  g.lock();  // nothing is locked
  g.unlock();
}

// The only thread is inside when it admits others, and so it has the gate.
TEST(gate, becomes_a_lock_in_the_midst_of_a_program) {
  gate g(false);
  int inside = 0;  // not atomic: the gate is what keeps it right
  std::atomic<bool> came{false};
  g.lock();
  g.admit_threads();
  EXPECT_TRUE(g.threads());
  std::thread other([&] {
    for (int i = 0; i < 10000; ++i) {
      const std::lock_guard hold(g);
      came = true;
      ++inside;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(came);
  g.unlock();
  for (int i = 0; i < 10000; ++i) {
    const std::lock_guard hold(g);
    ++inside;
  }
  other.join();
  EXPECT_EQ(inside, 20000);
}

TEST(gate, each_thread_gets_its_message_and_the_role_goes_on) {
  constexpr int threads = 6, rounds = 300;
  gate g(true);
  std::atomic<std::uint32_t> bell{0};  // of the rank
  std::atomic<int> arrived{0};         // messages from outside, not yet drained
  int delivered[threads] = {}, next = 0;
  auto drain = [&] {  // under the gate: messages go to the threads in turn
    while (arrived.load() > 0) {
      arrived.fetch_sub(1);
      ++delivered[next++ % threads];
    }
  };
  auto run = [&](int me) {
    for (int round = 1; round <= rounds; ++round) {
      const auto has_come = [&] { return delivered[me] >= round; };
      gate::waiter self{.ready = has_come};
      std::lock_guard hold(g);
      g.enlist(self);
      while (delivered[me] < round) {
        auto& word = g.drain(self) ? bell : self.bell;
        std::uint32_t value = word.load();
        if (&word == &bell) {
          drain();
          g.wake_ready();
          if (delivered[me] >= round) break;
        }
        self.asleep_on = &word;
        g.unlock();
        sleep_on(word, value, std::chrono::hours(1));
        g.lock();
        self.asleep_on = nullptr;
      }
      g.delist(self);
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back(run, t);
  for (int m = 0; m < threads * rounds; ++m) {
    arrived.fetch_add(1);
    ring(bell);
    if (m % 16 == 0) std::this_thread::yield();
  }
  for (auto& t : all) t.join();
  for (int d : delivered) EXPECT_EQ(d, rounds);
}

// One that has its own bell to wait for, of several.
void waits(gate& g, gate::waiter& w) {
  g.enlist(w);
  w.asleep_on = &w.bell;
}

TEST(gate, whoever_is_awake_gets_the_role_before_those_who_sleep) {
  gate g(true);
  const auto never = [] { return false; };
  gate::waiter drainer{.ready = never}, awake{.ready = never}, asleep{.ready = never};
  g.lock();
  for (gate::waiter* w : {&awake, &asleep}) waits(g, *w);
  g.enlist(drainer);
  ASSERT_TRUE(g.drain(drainer));
  ASSERT_TRUE(g.stay_awake(awake, 1));
  EXPECT_FALSE(g.stay_awake(asleep, 1)) << "one is awake already";
  EXPECT_EQ(g.waiters(), 3u);
  g.delist(drainer);
  EXPECT_EQ(awake.bell, 1u);
  EXPECT_EQ(asleep.bell, 0u);
  g.awake_no_more(awake);
  awake.asleep_on = nullptr;
  EXPECT_TRUE(g.drain(awake));
  g.delist(awake);
  EXPECT_EQ(asleep.bell, 1u) << "there is nobody else";
  EXPECT_TRUE(g.stay_awake(asleep, 1)) << "nobody is awake any more";
  g.awake_no_more(asleep);
  g.delist(asleep);
  EXPECT_EQ(g.waiters(), 0u);
  g.unlock();
}

// It sees the ring without a system call, and its condition is looked at like that of one who sleeps.
TEST(gate, whoever_is_awake_is_rung_when_it_is_ready) {
  gate g(true);
  bool has_come = false;
  const auto ready = [&] { return has_come; };
  gate::waiter awake{.ready = ready};
  g.lock();
  waits(g, awake);
  ASSERT_TRUE(g.stay_awake(awake, 4));
  g.unlock();
  EXPECT_EQ(awake.bell, 0u);
  g.lock();
  has_come = true;
  g.unlock();
  EXPECT_EQ(awake.bell, 1u);
  g.lock();
  g.awake_no_more(awake);
  g.delist(awake);
  g.unlock();
}

// Who drains does nothing but open the gate for a moment, again and again.
TEST(gate, lets_in_who_wants_to_come_in) {
  for (const bool patient : {false, true}) {
    gate g(true);
    if (patient) g.be_patient();
    int inside = 0;  // not atomic: the gate is what keeps it right
    bool over = false;
    std::vector<std::thread> others;
    g.lock();
    for (int t = 0; t < 3; ++t)
      others.emplace_back([&] {
        for (int i = 0; i < 2000; ++i) {
          const std::lock_guard hold(g);
          if (++inside == 6000) over = true;
        }
      });
    while (!over) g.let_in();
    g.unlock();
    for (std::thread& t : others) t.join();
    EXPECT_EQ(inside, 6000);
  }
}

// A thread that drains goes into recess: another one takes the role and gets its message meanwhile. (Without
// the hand-over it would sleep on, and the recess here would never end.)
TEST(gate, while_one_is_in_recess_another_drains) {
  gate g(true);
  std::atomic<std::uint32_t> bell{0};
  std::atomic<bool> listed{false}, delivered{false};
  const auto never = [] { return false; };
  gate::waiter first{.ready = never};
  g.lock();
  g.enlist(first);
  ASSERT_TRUE(g.drain(first));
  std::thread other([&] {
    const auto has_come = [&] { return delivered.load(); };
    gate::waiter second{.ready = has_come};
    std::lock_guard hold(g);
    g.enlist(second);
    while (!g.drain(second)) {
      std::uint32_t value = second.bell.load();
      second.asleep_on = &second.bell;
      listed.store(true);
      g.unlock();
      sleep_on(second.bell, value, std::chrono::hours(1));
      g.lock();
      second.asleep_on = nullptr;
    }
    delivered.store(true);
    g.delist(second);
  });
  g.unlock();
  while (!listed.load()) std::this_thread::yield();
  g.lock();  // so it sleeps, or is about to, and has read its bell
  {
    gate::recess long_copy(g);
    while (!delivered.load()) std::this_thread::yield();
  }
  EXPECT_TRUE(g.drain(first)) << "the role is free again";
  g.delist(first);
  g.unlock();
  other.join();
}

TEST(gate, recess_of_one_thread_is_nothing) {
  gate g(false);
  gate::recess long_copy(g);
}

}  // namespace
}  // namespace loadstone::wait
