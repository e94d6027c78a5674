// Writers and carriers killed at each step of an extent's way; nothing that was accepted may be
// missing in the file, and nothing else may be there. Needs LOADSTONE_FAULTS.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

#include "buffering/carrier.hpp"
#include "buffering/failures.hpp"
#include "buffering/stream.hpp"

#ifdef LOADSTONE_FAULTS

using namespace loadstone;

namespace {

constexpr std::uint64_t the_file = memory::io_file_id(1, 0);
constexpr std::size_t piece = 3000, pieces = 20;

std::string piece_of(std::size_t i) {
  return std::string(piece, static_cast<char>('a' + i % 26));
}

struct shared_count {
  std::atomic<std::uint64_t> accepted;  // pieces, as the writer has seen it
};

struct at : ::testing::TestWithParam<const char*> {
  at() {
    memory::job_config config;
    config.world_size = 2;
    config.launcher = getpid();
    job = std::move(*memory::job::create(config));
    job->io().carrier.store(static_cast<std::uint32_t>(memory::io_carrier::process));
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count = new (page) shared_count{};
  }
  ~at() override {
    close(file);
    munmap(count, 4096);
  }
  // In a process of its own, as a fault is armed by the environment, before a point is reached.
  template <class Do>
  bool survives(const std::string& fault, Do work) {
    const pid_t child = fork();
    if (child == 0) {
      if (!fault.empty()) setenv("LOADSTONE_FAULT", (fault + ":kill:*:3").c_str(), 1);
      work();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status);
  }
  void write_all(std::uint32_t self = 0) {
    auto view = std::move(*job->second_view());
    EXPECT_TRUE(view->claim(self).ok());
    auto arena = std::move(*memory::arena::open(*view, self));
    buffering::config config;
    config.bytes = 256 << 10;
    config.segment = 64 << 10;
    auto* out = new buffering::stream(*view, *arena, config);  // its end would wait for a carrier
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::string data = piece_of(i);
      // Each other one follows the one before it; the rest overlaps it by half.
      const std::uint64_t n = out->accept(the_file, i * piece - (i % 2) * piece / 2,
                                          reinterpret_cast<const std::byte*>(data.data()), piece);
      if (n != piece) _exit(1);
      count->accepted.fetch_add(1);
    }
  }
  void carry() { carry_to(file); }
  void carry_to(int descriptor) {
    buffering::carrier server(*job, buffering::make_system_writes());
    server.add_file(the_file, descriptor);
    while (server.step() != 0) continue;
  }
  void check(std::size_t accepted) {
    std::string expected(pieces * piece, 0);
    std::size_t end = 0;
    for (std::size_t i = 0; i < accepted; ++i) {
      const std::size_t from = i * piece - (i % 2) * piece / 2;
      expected.replace(from, piece, piece_of(i));
      end = std::max(end, from + piece);
    }
    expected.resize(end);
    std::string got(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), 0);
    EXPECT_EQ(pread(file, got.data(), got.size(), 0), static_cast<ssize_t>(got.size()));
    EXPECT_TRUE(got == expected) << got.size() << " bytes, expected " << expected.size();
  }

  std::unique_ptr<memory::job> job;
  int file = memfd_create("written", MFD_CLOEXEC);
  shared_count* count = nullptr;
};

using a_writer = at;
TEST_P(a_writer, LeavesWhatItHasPublished) {
  EXPECT_FALSE(survives(GetParam(), [&] { write_all(); }));
  EXPECT_TRUE(survives("", [&] { carry(); }));
  const std::uint64_t published = job->io(0).published.load();
  EXPECT_GE(published, count->accepted.load());  // all that it was told of
  EXPECT_LE(published, count->accepted.load() + 1);
  check(published);
}
INSTANTIATE_TEST_SUITE_P(points, a_writer, ::testing::Values("io.claimed", "io.filled", "io.published"));

using a_carrier = at;
TEST_P(a_carrier, IsReplaced) {
  EXPECT_TRUE(survives("", [&] { write_all(); }));
  int deaths = 0;
  while (!survives(GetParam(), [&] { carry(); })) ASSERT_LT(++deaths, 100);
  EXPECT_GE(deaths, 1);
  EXPECT_EQ(job->io(0).written.load(), pieces);
  check(pieces);
}
INSTANTIATE_TEST_SUITE_P(points, a_carrier,
                         ::testing::Values("io.carrying", "io.half_written", "io.in_file", "io.given_back"));

// Each lost byte is told once, whether the writer asks between the deaths of carriers or after them.
using a_failing_carrier = at;
TEST_P(a_failing_carrier, LosesNoFailureAndNotesNoneTwice) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  for (const std::uint32_t self : {0, 1}) {
    const bool asks = self == 1;
    EXPECT_TRUE(survives("", [&] { write_all(self); }));
    std::uint64_t told = 0;
    int deaths = 0;
    for (bool over = false; !over;) {
      over = survives(GetParam(), [&] { carry_to(full); });
      if (over || asks) told += buffering::take_failure(*job, self, the_file).bytes;
      deaths += over ? 0 : 1;
      ASSERT_LT(deaths, 100);
    }
    EXPECT_GE(deaths, 1);
    EXPECT_EQ(told, pieces * piece) << asks;
  }
  close(full);
}
INSTANTIATE_TEST_SUITE_P(points, a_failing_carrier,
                         ::testing::Values("io.carrying", "io.in_file", "io.noting", "io.noted",
                                           "io.given_back"));

}  // namespace

#else

TEST(buffering_faults, NeedFaultPoints) {
  GTEST_SKIP() << "built without LOADSTONE_FAULTS";
}

#endif
