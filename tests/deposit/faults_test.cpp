// A process stopped or killed at every step of the transport's protocols, while the others go on. Needs
// LOADSTONE_FAULTS.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "deposit/ranks.hpp"

#ifdef LOADSTONE_FAULTS

namespace loadstone::test {
namespace {

constexpr std::uint32_t ranks = 3, receiver = 0, victim = 1, other = 2;

// The roles run in a program of their own (this one, started again), because a fault is armed by the
// environment. `board`: words in the receiver's… the job's memory that all three and the test see, in the
// job's header page.
struct board {
  std::atomic<std::uint32_t> go_on, received_from_other, voided, finished;
  std::atomic<std::uint64_t> word_number, word_generation, word_offset;
};

struct arrivals {
  std::uint64_t next[ranks] = {};
  bool wrong = false;
};

verdict take(void* context, incoming& m, bool) {
  auto& a = *static_cast<arrivals*>(context);
  std::uint64_t number;
  std::memcpy(&number, m.header(), 8);
  if (number != a.next[m.source()]++) a.wrong = true;
  for (std::size_t i = 0; i < m.payload_bytes(); ++i)
    if (m.payload()[i] != static_cast<std::byte>(number)) a.wrong = true;
  return verdict::consumed;
}

int sender(node& n, std::uint64_t first, std::uint64_t count, std::uint32_t to) {
  std::vector<std::byte> data(3000);
  for (std::uint64_t i = first; i < first + count; ++i) {
    std::fill(data.begin(), data.end(), static_cast<std::byte>(i));
    outcome sent;
    while ((sent = n.endpoint->send_active(to, 40, traffic::control, &i, 8, data.data(),
                                           i % 16 == 5 ? 3000 : 16)) == outcome::again)
      n.endpoint->poll();
    if (sent == outcome::gone) return 17;
  }
  return 0;
}

double cpu_seconds() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// Atomic operations by message (poor transport): `victim` owns the word, `other` adds to it.
int atomic_role(node& n, board& b, std::uint32_t self) {
  void* word = *n.arena->allocate(8, 64);
  std::atomic_ref<std::uint64_t> mine(*static_cast<std::uint64_t*>(word));
  const memory::address here = n.arena->address_of(word);
  if (self == receiver) return 0;
  if (self == victim) {
    b.word_number.store(here.region.number);
    b.word_generation.store(here.region.generation);
    b.word_offset.store(here.offset);
    b.go_on.store(1);
    return n.wait([&] { return mine.load() == 20 || b.finished.load() != 0; }) ? 0 : 21;
  }
  while (b.go_on.load() == 0) usleep(200);
  memory::address there = here;
  there.region.process = victim;
  there.region.number = static_cast<decltype(there.region.number)>(b.word_number.load());
  there.region.generation = static_cast<decltype(there.region.generation)>(b.word_generation.load());
  there.offset = b.word_offset.load();
  for (std::uint64_t i = 0; i < 20; ++i) {
    auto old = n.endpoint->deposits().atomic(there, 8, deposit::atomic_op::fetch_add, 1);
    if (!old) return old.error().kind == base::code::gone ? 17 : 22;
    if (*old != i) return 23;
  }
  return 0;
}

int role(int descriptor, std::uint32_t self, const std::string& what) {
  alarm(60);
  auto view = memory::job::attach(descriptor);
  if (!view) return 20;
  deposit::endpoint_config config;
  if (what == "atomic") config.transport.rule = transport::choice::rule_kind::poor;
  auto n = node::open(std::move(*view), self, config, {});
  // Unused space behind the header's fields serves as the board.
  auto& b = *reinterpret_cast<board*>(reinterpret_cast<std::byte*>(&n->job->header()) + 2048);
  if (what == "atomic") return atomic_role(*n, b, self);
  arrivals a;
  n->endpoint->set_handler(40, take, &a);
  auto told = [](std::atomic<std::uint32_t>& word, std::uint32_t value = 1) {
    while (word.load() < value) usleep(200);
  };
  if (what == "receiver_dies") {
    if (self == victim) {
      n->wait([&] { return a.next[other] >= 2000; });
      return 21;  // it should have died on the way
    }
    if (self == other) {
      told(b.go_on);
      return sender(*n, 0, UINT32_MAX, victim);
    }
    return 0;
  }
  if (self == receiver) {
    if (!n->wait([&] { return a.next[other] >= 1000; })) return 22;
    b.received_from_other.store(1);
    if (what == "stop") {
      // Nothing to do but a gap: it must not cost a processor.
      double before = cpu_seconds();
      auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
      n->wait([&] { return std::chrono::steady_clock::now() > until; });
      if (cpu_seconds() - before > 0.1) return 23;
    }
    if (!n->wait([&] { return a.next[other] >= 2000; })) return 24;
    // Once the claim of the dead is void, the inbox is in order again.
    if (what == "stop" && !n->wait([&] { return n->endpoint->counts().voided == 1; })) return 25;
    b.voided.store(1);
    if (!n->wait([&] { return a.next[other] >= 4000; })) return 26;
    b.finished.store(1);
    return a.wrong ? 27 : 0;
  }
  if (self == victim) {
    sender(*n, 0, 4000, receiver);
    pause();
    return 28;
  }
  told(b.go_on);  // first the victim shall come to its fault, with the inbox to itself
  if (int failed = sender(*n, 0, 1000, receiver)) return failed;
  told(b.go_on, 2);
  if (int failed = sender(*n, 1000, 1000, receiver)) return failed;
  told(b.voided);
  for (std::uint64_t i = 2000; i < 4000; ++i) {  // slowly: the inbox has room, and takes everything
    if (int failed = sender(*n, i, 1, receiver)) return failed;
    if (i % 100 == 0) usleep(1000);
  }
  told(b.finished);
  return 0;
}

struct trial {
  std::unique_ptr<memory::job> job;
  pid_t children[ranks] = {};
  board* words = nullptr;

  void start(const std::string& what, const std::string& fault) {
    memory::job_config config;
    config.world_size = ranks;
    config.arena_limit = 8u << 20;
    job = std::move(*memory::job::create(config));
    words = reinterpret_cast<board*>(reinterpret_cast<std::byte*>(&job->header()) + 2048);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        int descriptor = dup(job->descriptor());  // without close-on-exec
        setenv("LOADSTONE_FAULT", fault.c_str(), 1);
        std::string number = std::to_string(descriptor), rank = std::to_string(r);
        execl("/proc/self/exe", "faults_test", "role", number.c_str(), rank.c_str(), what.c_str(), nullptr);
        _exit(99);
      }
      children[r] = child;
    }
  }
  int end_of(std::uint32_t r) {
    int status = 0;
    waitpid(children[r], &status, 0);
    children[r] = 0;
    return status;
  }
  ~trial() {
    for (pid_t& c : children) {
      if (c == 0) continue;
      kill(c, SIGKILL);
      waitpid(c, nullptr, 0);
    }
  }
};

TEST(faults, a_producer_stopped_and_then_killed_between_claim_and_publish) {
  trial t;
  t.start("stop", "inbox.claimed:stop:1:20");
  int status = 0;
  ASSERT_EQ(waitpid(t.children[victim], &status, WUNTRACED), t.children[victim]);
  ASSERT_TRUE(WIFSTOPPED(status));
  t.words->go_on.store(1);
  while (t.words->received_from_other.load() == 0) usleep(1000);  // the others go on
  t.words->go_on.store(2);
  // Let them: far more messages than slots, all past the gap, before the claimer dies.
  usleep(1'200'000);
  EXPECT_EQ(t.words->voided.load(), 0u) << "the claimer is alive: its slot is its own";
  kill(t.children[victim], SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(t.end_of(victim)));
  EXPECT_EQ(t.end_of(receiver), 0);
  EXPECT_EQ(t.end_of(other), 0);
}

class sender_dies : public ::testing::TestWithParam<const char*> {};
TEST_P(sender_dies, the_others_finish) {
  trial t;
  t.start("kill", std::string(GetParam()) +
                      ":kill:1:" + (std::strncmp(GetParam(), "queue.listed", 12) == 0 ? "1" : "5"));
  int status = t.end_of(victim);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "never reached";
  t.words->go_on.store(2);
  EXPECT_EQ(t.end_of(receiver), 0);
  EXPECT_EQ(t.end_of(other), 0);
}
INSTANTIATE_TEST_SUITE_P(points, sender_dies,
                         ::testing::Values("inbox.intended", "inbox.claimed", "inbox.published", "cell.taken",
                                           "cell.filled"));

class receiver_dies : public ::testing::TestWithParam<const char*> {};
TEST_P(receiver_dies, senders_are_told) {
  trial t;
  t.start("receiver_dies", std::string(GetParam()) + ":kill:1:1");
  // Asleep it is before anything comes; a cell it gives back only after.
  if (std::string_view(GetParam()) == "cell.returned") t.words->go_on.store(1);
  int status = t.end_of(victim);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "never reached";
  t.job->process(victim).dead.store(1);  // as the launcher does
  t.words->go_on.store(1);
  EXPECT_EQ(WEXITSTATUS(t.end_of(other)), 17) << "the sender must learn that its peer is gone";
  EXPECT_EQ(t.end_of(receiver), 0);
}
INSTANTIATE_TEST_SUITE_P(points, receiver_dies, ::testing::Values("asleep", "asleep.armed", "cell.returned"));

// Atomic operations by message; the point and the rank that comes to it.
class atomic_operation : public ::testing::TestWithParam<std::pair<const char*, std::uint32_t>> {
 protected:
  std::string fault(const char* action) const {
    return std::string(GetParam().first) + ":" + action + ":" + std::to_string(GetParam().second) + ":5";
  }
  std::uint32_t struck() const { return GetParam().second; }
};
TEST_P(atomic_operation, whose_owner_or_asker_is_killed_ends) {
  trial t;
  t.start("atomic", fault("kill"));
  int status = t.end_of(struck());
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "never reached";
  t.job->process(struck()).dead.store(1);  // as the launcher does
  t.words->finished.store(1);
  EXPECT_EQ(WEXITSTATUS(t.end_of(struck() == victim ? other : victim)), struck() == victim ? 17 : 0);
}
TEST_P(atomic_operation, of_a_stopped_process_goes_on_with_it) {
  trial t;
  t.start("atomic", fault("stop"));
  int status = 0;
  ASSERT_EQ(waitpid(t.children[struck()], &status, WUNTRACED), t.children[struck()]);
  ASSERT_TRUE(WIFSTOPPED(status)) << "never reached";
  kill(t.children[struck()], SIGCONT);
  EXPECT_EQ(t.end_of(other), 0);
  t.words->finished.store(1);
  EXPECT_EQ(t.end_of(victim), 0);
}
TEST_P(atomic_operation, of_a_slow_process_is_right) {
  trial t;
  t.start("atomic", fault("delay"));
  EXPECT_EQ(t.end_of(other), 0);
  t.words->finished.store(1);
  EXPECT_EQ(t.end_of(victim), 0);
}
INSTANTIATE_TEST_SUITE_P(points, atomic_operation,
                         ::testing::Values(std::pair{"atomic.applied", victim},
                                           std::pair{"atomic.asked", other}));

}  // namespace
}  // namespace loadstone::test

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "role") == 0) {
    int failed =
        loadstone::test::role(std::atoi(argv[2]), static_cast<std::uint32_t>(std::atoi(argv[3])), argv[4]);
    if (failed != 0 && failed != 17) std::fprintf(stderr, "role of rank %s ended with %d\n", argv[3], failed);
    _exit(failed);
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

#else
TEST(faults, not_compiled_in) {
  GTEST_SKIP() << "configure with LOADSTONE_FAULTS=ON (preset faults)";
}
#endif
