#include "memory/job.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "memory/arena.hpp"
#include "memory/arena_layout.hpp"
#include "memory/last_words.hpp"
#include "memory/liveness.hpp"

using namespace loadstone;
using base::code;

namespace {

TEST(job, attach_sees_what_create_wrote) {
  auto made = memory::job::create({.world_size = 3, .capacity = 5});
  ASSERT_TRUE(made.ok()) << made.error().what;
  auto other = memory::job::attach(fcntl((*made)->descriptor(), F_DUPFD, 3));
  ASSERT_TRUE(other.ok()) << other.error().what;
  EXPECT_EQ((*other)->header().world_size, 3u);
  EXPECT_EQ((*other)->header().capacity, 5u);
  EXPECT_NE(fcntl((*other)->descriptor(), F_GETFD) & FD_CLOEXEC, 0)
      << "a program started by a rank must not inherit it";
  EXPECT_EQ((*other)->header().ready.load(), (*made)->header().ready.load());
  EXPECT_GE((*made)->header().cpus, 1u);
}

TEST(job, an_entry_is_claimed_once) {
  auto made = std::move(*memory::job::create({.world_size = 2}));
  auto other = std::move(*made->second_view());
  ASSERT_TRUE(made->claim(1).ok());
  EXPECT_EQ(other->claim(1).kind, code::stranger);
  EXPECT_TRUE(other->claim(0).ok());
  EXPECT_EQ(other->claim(1).kind, code::invalid) << "one process, one place";
  EXPECT_EQ(made->process(1).pid, getpid());
  EXPECT_TRUE(memory::is_alive(*made, 1));
}

TEST(job, foreign_descriptors_are_refused) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_EQ(memory::job::attach(pipe_ends[0]).error().kind, code::invalid);
  EXPECT_EQ(memory::job::attach(999).error().kind, code::invalid);
  int file = memfd_create("other", MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(file, 1 << 20), 0);
  EXPECT_EQ(memory::job::attach(file).error().kind, code::invalid) << "not sealed";
  fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK);
  EXPECT_EQ(memory::job::attach(file).error().kind, code::invalid) << "never ready";
  close(file);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(job, a_different_version_is_named) {
  auto made = std::move(*memory::job::create({.world_size = 1}));
  made->header().layout += 1;
  auto other = memory::job::attach(fcntl(made->descriptor(), F_DUPFD, 3));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, code::version);
  EXPECT_NE(std::string(other.error().what).find("version"), std::string::npos);
}

// Whatever the header says, attaching must end in an answer, not in a crash.
TEST(job, damaged_headers_never_crash) {
  std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  auto made = std::move(*memory::job::create({.world_size = 2}));
  alignas(memory::job_header) std::byte sane[256];
  auto* raw = reinterpret_cast<std::byte*>(&made->header());
  std::memcpy(sane, raw, sizeof sane);
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::memcpy(raw, sane, sizeof sane);
    for (int n = random() % 4 + 1; n > 0; --n) raw[random() % 96] = static_cast<std::byte>(random());
    int descriptor = fcntl(made->descriptor(), F_DUPFD, 3);
    auto other = memory::job::attach(descriptor);
    if (other.ok())
      ++accepted;
    else
      close(descriptor);
  }
  std::memcpy(raw, sane, sizeof sane);
  EXPECT_LT(accepted, 2000);
}

TEST(job, a_small_file_size_limit_makes_small_arenas_not_a_signal) {
  pid_t child = fork();
  if (child == 0) {
    rlimit limit{8 << 20, 8 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto made = memory::job::create({.world_size = 4});
    if (!made || (*made)->header().file_bytes > (8u << 20)) _exit(1);
    if (!(*made)->claim(0).ok() || !memory::arena::open(**made, 0).ok()) _exit(2);
    limit = {100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto none = memory::job::create({.world_size = 4});
    _exit(none.error().kind == code::no_memory ? 0 : 3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(last_words, the_first_to_speak_is_heard) {
  auto made = std::move(*memory::job::create({.world_size = 1}));
  auto& entry = made->process(0);
  memory::leave_last_words(entry, memory::last_words::abort, 3, std::string(5000, 'x'));
  memory::leave_last_words(entry, memory::last_words::error, 4, "late");
  EXPECT_EQ(entry.exit_code, 3);
  EXPECT_EQ(std::strlen(entry.words_text), memory::last_words_bytes - 1);
}

}  // namespace
