#include "memory/requests.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "memory/liveness.hpp"
#include "wait/futex.hpp"

using namespace loadstone;
using memory::request_desk;
using memory::request_state;

namespace {

// One for each thread: its sleeps are noted there.
thread_local const wait::reason why{.detail = "a test"};

std::unique_ptr<memory::job> make_job(std::int32_t launcher = getpid()) {
  memory::job_config config;
  config.world_size = 3;
  config.launcher = launcher;
  auto made = memory::job::create(config);
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

memory::lookup_name question(int number) {
  memory::lookup_name q{};
  std::snprintf(q.service, sizeof q.service, "service %d", number);
  return q;
}

memory::lookup_name::answer answer_to(const request_desk::request& r) {
  memory::lookup_name q;
  EXPECT_TRUE(r.read(&q));
  memory::lookup_name::answer a{};
  std::snprintf(a.port, sizeof a.port, "port of %.1000s", q.service);
  return a;
}

bool is_answer(const base::result<memory::lookup_name::answer>& got, int number) {
  return got.ok() && (*got).port == "port of service " + std::to_string(number);
}

// Sleeps until somebody has called since `seen`; nothing else wakes it.
void wait_for_call(request_desk& desk, std::uint32_t seen) {
  while (desk.called().load(std::memory_order_acquire) == seen)  // sync: bell
    wait::sleep_on(desk.called(), seen, std::chrono::seconds(60));
}

void answer_everything(request_desk& desk, int until) {
  for (int answered = 0; answered < until;) {
    const std::uint32_t seen = desk.called().load(std::memory_order_acquire);  // sync: bell
    desk.serve([&](const request_desk::request& r) { answered += desk.answer(r, answer_to(r)); });
    if (answered < until) wait_for_call(desk, seen);
  }
}

bool all_free(memory::job& job) {
  for (const memory::request_slot& slot : job.requests().slots)
    if (memory::state_of_request(slot.word.load()) != request_state::free) return false;
  return true;
}

TEST(requests, a_word_says_state_owner_and_use) {
  const std::uint64_t word = memory::request_word(request_state::serving, 0xabcdef, 0x12345678);
  EXPECT_EQ(memory::state_of_request(word), request_state::serving);
  EXPECT_EQ(memory::owner_of_request(word), 0xabcdefu);
  EXPECT_EQ(memory::number_of_request(word), 0x12345678u);
  EXPECT_EQ(memory::with_state(word, request_state::free),
            memory::request_word(request_state::free, 0xabcdef, 0x12345678));
}

TEST(requests, one_is_answered) {
  auto job = make_job();
  ASSERT_TRUE(job->claim(0).ok());
  request_desk desk(*job);
  bool asked_by_0 = false;
  std::thread asker([&] { EXPECT_TRUE(is_answer(memory::ask(*job, question(7), why), 7)); });
  wait_for_call(desk, 0);
  desk.serve([&](const request_desk::request& r) {
    asked_by_0 = r.from == 0 && r.kind == memory::request_kind::lookup_name;
    memory::publish_name other;
    EXPECT_FALSE(r.read(&other)) << "of another size";
    EXPECT_TRUE(desk.answer(r, answer_to(r)));
    EXPECT_FALSE(desk.answer(r, answer_to(r))) << "once";
  });
  asker.join();
  EXPECT_TRUE(asked_by_0);
  EXPECT_TRUE(all_free(*job));
}

TEST(requests, more_threads_than_slots_all_get_their_own) {
  auto job = make_job();
  ASSERT_TRUE(job->claim(0).ok());
  request_desk desk(*job);
  constexpr int threads = memory::request_slots + 9, each = 20;
  std::vector<std::thread> askers;
  std::atomic<int> right{0};
  for (int t = 0; t < threads; ++t)
    askers.emplace_back([&, t] {
      for (int i = 0; i < each; ++i)
        right += is_answer(memory::ask(*job, question(t * each + i), why), t * each + i);
    });
  answer_everything(desk, threads * each);
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(right, threads * each);
  EXPECT_TRUE(all_free(*job));
  EXPECT_EQ(desk.called().load(), static_cast<std::uint32_t>(threads * each)) << "one call each";
}

TEST(requests, processes_ask_too) {
  auto job = make_job();
  request_desk desk(*job);
  std::vector<pid_t> children;
  for (std::uint32_t i = 0; i < 3; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    auto mine = memory::job::attach(fcntl(job->descriptor(), F_DUPFD_CLOEXEC, 3));
    if (!mine.ok() || !(*mine)->claim(i).ok()) _exit(1);
    for (int k = 0; k < 100; ++k)
      if (!is_answer(memory::ask(**mine, question(k), why), k)) _exit(2);
    _exit(0);
  }
  answer_everything(desk, 300);
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(all_free(*job));
}

TEST(requests, what_the_launcher_does_not_know_is_refused) {
  auto job = make_job();
  ASSERT_TRUE(job->claim(0).ok());
  request_desk desk(*job);
  for (const bool short_answer : {false, true}) {
    const std::uint32_t seen = desk.called().load();
    std::thread asker(
        [&] { EXPECT_EQ(memory::ask(*job, question(1), why).error().kind, base::code::version); });
    wait_for_call(desk, seen);
    desk.serve([&](const request_desk::request& r) {
      EXPECT_TRUE(short_answer ? desk.answer(r, memory::publish_name::answer{}) : desk.refuse(r));
    });
    asker.join();
  }
  EXPECT_TRUE(all_free(*job));
}

TEST(requests, without_a_launcher_or_a_place_nobody_asks) {
  auto alone = make_job(0), early = make_job();
  ASSERT_TRUE(alone->claim(0).ok());
  EXPECT_EQ(memory::ask(*alone, question(1), why).error().kind, base::code::gone);
  EXPECT_EQ(memory::ask(*early, question(1), why).error().kind, base::code::invalid);
  EXPECT_TRUE(all_free(*alone));
}

// Every slot is as a process leaves it that dies there.
TEST(requests, what_a_dead_process_held_comes_back) {
  for (const request_state died :
       {request_state::claimed, request_state::published, request_state::serving, request_state::answered}) {
    auto job = make_job();
    ASSERT_TRUE(job->claim(0).ok());
    request_desk desk(*job);
    for (memory::request_slot& slot : job->requests().slots) slot.word = memory::request_word(died, 1, 5);
    std::thread asker([&] { EXPECT_TRUE(is_answer(memory::ask(*job, question(3), why), 3)); });
    desk.forget(2);
    EXPECT_FALSE(all_free(*job));
    desk.forget(1);
    answer_everything(desk, 1);
    asker.join();
    EXPECT_TRUE(all_free(*job));
  }
}

TEST(requests, a_late_answer_goes_to_nobody_else) {
  auto job = make_job();
  ASSERT_TRUE(job->claim(0).ok());
  request_desk desk(*job);
  memory::request_slot& first = job->requests().slots[0];
  first.kind = static_cast<std::uint32_t>(memory::request_kind::lookup_name);
  first.bytes = sizeof(memory::lookup_name);
  const memory::lookup_name asked = question(1);
  std::memcpy(first.body, &asked, sizeof asked);
  first.word = memory::request_word(request_state::published, 1, 5);
  std::optional<request_desk::request> early;
  desk.serve([&](const request_desk::request& r) { early = r; });
  ASSERT_TRUE(early.has_value());
  desk.serve([&](const request_desk::request&) { ADD_FAILURE() << "taken twice"; });
  desk.forget(1);
  std::thread asker([&] { EXPECT_TRUE(is_answer(memory::ask(*job, question(2), why), 2)); });
  wait_for_call(desk, 0);
  EXPECT_EQ(memory::owner_of_request(first.word), 0u) << "the same slot";
  EXPECT_FALSE(desk.answer(*early, memory::lookup_name::answer{}));
  answer_everything(desk, 1);
  asker.join();
}

TEST(requests, who_is_taken_for_dead_is_told) {
  auto job = make_job();
  ASSERT_TRUE(job->claim(0).ok());
  request_desk desk(*job);
  std::thread asker([&] { EXPECT_EQ(memory::ask(*job, question(1), why).error().kind, base::code::gone); });
  wait_for_call(desk, 0);
  desk.forget(0);
  asker.join();
  EXPECT_TRUE(all_free(*job));
}

TEST(requests, nobody_waits_for_a_launcher_that_has_died) {
  auto job = make_job();
  for (const bool no_slot : {false, true}) {
    if (no_slot)
      for (memory::request_slot& slot : job->requests().slots)
        slot.word = memory::request_word(request_state::claimed, 2, 5);
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto mine = memory::job::attach(fcntl(job->descriptor(), F_DUPFD_CLOEXEC, 3));
      if (!mine.ok() || !(*mine)->claim(no_slot ? 1 : 0).ok()) _exit(1);
      _exit(memory::ask(**mine, question(1), why).error().kind == base::code::gone ? 0 : 2);
    }
    request_desk desk(*job);
    if (!no_slot) {
      wait_for_call(desk, 0);
      ASSERT_FALSE(memory::launcher_is_gone(*job));
      close(dup(job->descriptor()));  // lets go of the lock, as the end of the launcher does
      ASSERT_TRUE(memory::launcher_is_gone(*job));
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
