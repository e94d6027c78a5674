#include "io/service_thread.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

namespace loadstone::io {
namespace {

struct log {
  std::vector<int> seen;  // of the service thread; read after drain()
};
struct note {
  log* where;
  int what;
};
void write_down(void* context) {
  auto* n = static_cast<note*>(context);
  n->where->seen.push_back(n->what);
}

TEST(service_thread, there_is_none_before_it_is_needed) {
  service_thread s;
  EXPECT_FALSE(s.started());
  s.drain();
  EXPECT_FALSE(s.started());
}

TEST(service_thread, does_things_in_order_on_one_other_thread) {
  service_thread s;
  log l;
  std::vector<note> notes;
  for (int i = 0; i < 500; ++i) notes.push_back({&l, i});
  std::thread::id where;
  ASSERT_TRUE(
      s.give([](void* id) { *static_cast<std::thread::id*>(id) = std::this_thread::get_id(); }, &where));
  for (note& n : notes) ASSERT_TRUE(s.give(write_down, &n));
  s.drain();
  EXPECT_NE(where, std::this_thread::get_id());
  ASSERT_EQ(l.seen.size(), 500u);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(l.seen[static_cast<std::size_t>(i)], i);
}

TEST(service_thread, each_giver_keeps_its_order) {
  service_thread s;
  log l;
  constexpr int givers = 4, each = 200;
  std::vector<note> notes;
  for (int i = 0; i < givers * each; ++i) notes.push_back({&l, i});
  std::vector<std::thread> threads;
  for (int g = 0; g < givers; ++g) {
    threads.emplace_back([&, g] {
      for (int i = 0; i < each; ++i)
        ASSERT_TRUE(s.give(write_down, &notes[static_cast<std::size_t>(g * each + i)]));
    });
  }
  for (auto& t : threads) t.join();
  s.drain();
  ASSERT_EQ(l.seen.size(), notes.size());
  std::vector<int> next(givers, 0);
  for (const int n : l.seen) EXPECT_EQ(n % each, next[static_cast<std::size_t>(n / each)]++);
}

TEST(service_thread, work_that_blocks_holds_up_what_comes_after_it_and_nobody_else) {
  service_thread s;
  struct blocked {
    std::binary_semaphore entered{0}, go{0};
    std::atomic<int> after{0};
  } b;
  ASSERT_TRUE(s.give(
      [](void* c) {
        auto* b = static_cast<blocked*>(c);
        b->entered.release();
        b->go.acquire();
      },
      &b));
  ASSERT_TRUE(s.give([](void* c) { static_cast<blocked*>(c)->after.store(1); }, &b));  // does not wait
  b.entered.acquire();
  EXPECT_EQ(b.after.load(), 0);
  b.go.release();
  s.drain();
  EXPECT_EQ(b.after.load(), 1);
}

TEST(service_thread, work_may_give_more) {
  service_thread s;
  struct chain {
    service_thread* s;
    std::atomic<int> left{100};
    std::binary_semaphore done{0};
    static void step(void* c) {
      auto* self = static_cast<chain*>(c);
      if (self->left.fetch_sub(1) > 1)
        ASSERT_TRUE(self->s->give(&step, self));
      else
        self->done.release();
    }
  } c{&s};
  ASSERT_TRUE(s.give(&chain::step, &c));
  c.done.acquire();
  EXPECT_EQ(c.left.load(), 0);
}

TEST(service_thread, what_is_pending_is_done_before_the_end) {
  log l;
  std::vector<note> notes;
  for (int i = 0; i < 100; ++i) notes.push_back({&l, i});
  {
    service_thread s;
    for (note& n : notes) ASSERT_TRUE(s.give(write_down, &n));
  }
  EXPECT_EQ(l.seen.size(), 100u);
}

TEST(service_thread, takes_no_processor_time_while_idle) {
  service_thread s;
  clockid_t clock{};
  struct asked {
    clockid_t* clock;
  } a{&clock};
  ASSERT_TRUE(
      s.give([](void* c) { pthread_getcpuclockid(pthread_self(), static_cast<asked*>(c)->clock); }, &a));
  s.drain();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it goes to sleep
  const auto used = [&] {
    timespec t{};
    clock_gettime(clock, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
  };
  const auto before = used();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(used() - before, 50'000'000);  // nanoseconds of 300 million
}

}  // namespace
}  // namespace loadstone::io
