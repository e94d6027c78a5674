#include "launch/io_service.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "buffering/failures.hpp"
#include "buffering/stream.hpp"

using namespace loadstone;
using launch::io_service;

namespace {

// A job whose only process is also the keeper.
struct keeper {
  explicit keeper(std::uint32_t processes = 1) {
    memory::job_config config;
    config.launcher = getpid();
    job = std::move(*memory::job::create(config));
    EXPECT_TRUE(job->claim(0).ok());
    arena = std::move(*memory::arena::open(*job, 0));
    server.emplace(*job, launch::io_config{.processes = processes, .writes = "pwrite"});
    buffering::config small;
    small.bytes = 1 << 20;
    out = new buffering::stream(*job, *arena, small);  // its end would wait
    EXPECT_GE(file, 0);
  }
  ~keeper() {
    for (const pid_t one : server->running()) kill(one, SIGKILL);
    close(file);
  }
  std::uint64_t open(int descriptor, std::int32_t* number = nullptr) {
    memory::buffer_file asked{};
    struct stat is {};
    fstat(descriptor, &is);
    asked.descriptor = descriptor;
    asked.device = is.st_dev;
    asked.inode = is.st_ino;
    const auto answer = server->serve(0, asked);
    if (number != nullptr) *number = answer.number;
    return answer.file;
  }
  // Of the only process there is; -1: none.
  pid_t process() const { return server->running().empty() ? -1 : server->running().front(); }
  bool put(std::uint64_t id, std::uint64_t offset, const std::string& text) {
    return out->accept(id, offset, reinterpret_cast<const std::byte*>(text.data()), text.size()) ==
           text.size();
  }
  std::string contents(std::size_t bytes) {
    std::string all(bytes, 0);
    EXPECT_EQ(pread(file, all.data(), bytes, 0), static_cast<ssize_t>(bytes));
    return all;
  }

  int file = memfd_create("written", MFD_CLOEXEC);
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> arena;
  std::optional<io_service> server;
  buffering::stream* out = nullptr;
};

TEST(io_service, StartsWithTheFirstFileAndEndsWithTheDrain) {
  keeper k;
  EXPECT_FALSE(k.server->is_busy());
  EXPECT_LT(k.server->descriptor(), 0);
  const std::uint64_t id = k.open(k.file);
  ASSERT_NE(id, 0u);
  EXPECT_EQ(k.open(k.file), id);  // the same file
  EXPECT_GT(k.process(), 0);
  EXPECT_TRUE(k.put(id, 0, "hello"));
  k.server->begin_drain();
  while (k.server->is_busy()) usleep(1000);
  EXPECT_EQ(k.contents(5), "hello");
  EXPECT_EQ(k.process(), -1);
  EXPECT_EQ(k.server->failures() + k.server->lost(), "");
}

TEST(io_service, IsNotAskedForWhatItCannotWrite) {
  keeper k;
  std::int32_t number = 0;
  const int reading = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(k.open(reading, &number), 0u);
  EXPECT_NE(number, 0);
  const int pipe_like = open("/dev/null", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(k.open(pipe_like, &number), 0u);
  close(reading);
  close(pipe_like);
  EXPECT_EQ(k.process(), -1);
}

TEST(io_service, APlaceIsUsedAgainAndItsDataGoToTheRightFile) {
  keeper k;
  const std::uint64_t first = k.open(k.file);
  EXPECT_TRUE(k.put(first, 0, "one"));
  k.out->settle(first);
  k.server->serve(0, memory::release_file{first});
  const int other = memfd_create("other", MFD_CLOEXEC);
  const std::uint64_t second = k.open(other);
  EXPECT_NE(second, first);
  EXPECT_EQ(memory::io_file_place(second), memory::io_file_place(first));
  EXPECT_TRUE(k.put(second, 0, "two"));
  k.out->settle(second);
  char text[3];
  EXPECT_EQ(pread(other, text, 3, 0), 3);
  EXPECT_EQ(std::string(text, 3), "two");
  EXPECT_EQ(k.contents(3), "one");
  close(other);
}

TEST(io_service, AFileForWhichItHasNoDescriptorLeftIsWrittenByTheNext) {
  keeper k;
  const std::uint64_t first = k.open(k.file);
  EXPECT_TRUE(k.put(first, 0, "one"));
  k.out->settle(first);
  const rlimit none{0, 0};
  ASSERT_EQ(prlimit(k.process(), RLIMIT_NOFILE, &none, nullptr), 0);
  const int other = memfd_create("other", MFD_CLOEXEC);
  const std::uint64_t second = k.open(other);
  EXPECT_TRUE(k.put(second, 0, "two"));
  k.server->begin_drain();
  while (k.server->is_busy()) usleep(1000);
  char text[3];
  EXPECT_EQ(pread(other, text, 3, 0), 3);
  EXPECT_EQ(std::string(text, 3), "two");
  EXPECT_EQ(k.server->failures() + k.server->lost(), "");
  close(other);
}

TEST(io_service, TheKeeperWritesWhenItCannotBeKeptRunning) {
  keeper k;
  const std::uint64_t id = k.open(k.file);
  std::uint64_t at = 0;
  for (int i = 0; i < 10'000 && !k.server->stands_in(); ++i) {
    kill(k.process(), SIGSTOP);
    if (k.put(id, at, "x")) ++at;
    kill(k.process(), SIGKILL);
    for (const pid_t before = k.process(); k.process() == before;) k.server->see_ends();
  }
  ASSERT_TRUE(k.server->stands_in());
  EXPECT_FALSE(k.put(id, at, "y"));  // nothing more is accepted
  EXPECT_EQ(k.open(k.file), 0u);
  k.server->begin_drain();
  while (k.server->is_busy()) continue;
  EXPECT_EQ(k.contents(at), std::string(at, 'x'));
  EXPECT_EQ(k.server->failures() + k.server->lost(), "");
}

TEST(io_service, SaysWhatIsLostAndWhatHasFailed) {
  keeper k;
  const std::uint64_t id = k.open(k.file);
  kill(k.process(), SIGSTOP);
  EXPECT_TRUE(k.put(id, 0, "12345"));
  EXPECT_EQ(k.server->pending_bytes(), 5u);
  EXPECT_NE(k.server->lost().find("5 bytes"), std::string::npos);
  EXPECT_EQ(k.server->failures(), "");
  buffering::note_failure(*k.job, 0, 0, id, 77, 5, ENOSPC);
  EXPECT_NE(k.server->failures().find("offset 77) could not be stored: No space left on device"),
            std::string::npos);
}

TEST(io_service, APlaceWithFailuresThatNobodyWasToldOfIsKept) {
  keeper k;
  const std::uint64_t first = k.open(k.file);
  EXPECT_TRUE(k.put(first, 0, "one"));
  k.out->settle(first);
  buffering::note_failure(*k.job, 0, 1, first, 3, 5, EIO);
  k.server->serve(0, memory::release_file{first});
  const int other = memfd_create("other", MFD_CLOEXEC);
  const std::uint64_t second = k.open(other);
  EXPECT_NE(memory::io_file_place(second), memory::io_file_place(first));
  EXPECT_EQ(buffering::take_failure(*k.job, 0, second).number, 0);
  EXPECT_NE(k.server->failures().find("5 bytes"), std::string::npos);
  close(other);
}

TEST(io_service, EachHasAShareOfTheRanks) {
  using memory::io_share;
  for (const std::uint32_t p : {0U, 3U, 77U}) EXPECT_EQ(io_share(p, 4, 0), 0u);
  EXPECT_EQ(io_share(0, 4, 2), 0u);
  EXPECT_EQ(io_share(1, 4, 2), 0u);
  EXPECT_EQ(io_share(2, 4, 2), 1u);
  EXPECT_EQ(io_share(3, 4, 2), 1u);
  EXPECT_EQ(io_share(4, 4, 2), 0u) << "started later: in turn";
  EXPECT_EQ(io_share(5, 4, 2), 1u);
  for (std::uint32_t ranks = 1; ranks < 20; ++ranks)  // each has one, while there are enough ranks
    for (std::uint32_t shares = 1; shares <= ranks; ++shares) {
      std::vector<std::uint32_t> of(shares, 0);
      for (std::uint32_t r = 0; r < ranks; ++r) ++of.at(io_share(r, ranks, shares));
      EXPECT_LE(*std::max_element(of.begin(), of.end()), *std::min_element(of.begin(), of.end()) + 1);
    }
}

TEST(io_service, WhatCannotBeKeptRunningIsTakenOver) {
  keeper k(3);
  const std::uint64_t id = k.open(k.file);
  EXPECT_EQ(k.server->running().size(), 3u);
  const auto pid = [&](std::size_t i) { return k.job->io().servers[i].pid.load(); };
  const auto server = [&] { return k.job->io().server_of[0].load(); };
  std::uint64_t at = 0;
  // Killed before it writes anything, again and again.
  for (std::uint32_t dead = 0; dead < 2; ++dead) {
    for (int i = 0; i < 10'000 && server() == dead; ++i) {
      const pid_t before = pid(dead);
      kill(before, SIGSTOP);
      if (k.put(id, at, "x")) ++at;
      kill(before, SIGKILL);
      while (pid(dead) == before) k.server->see_ends();
    }
    ASSERT_EQ(server(), dead + 1);
  }
  EXPECT_FALSE(k.server->stands_in());
  EXPECT_EQ(k.server->running().size(), 1u);
  EXPECT_TRUE(k.put(id, at++, "y"));  // accepted still
  const int other = memfd_create("other", MFD_CLOEXEC);
  const std::uint64_t another = k.open(other);
  EXPECT_TRUE(k.put(another, 0, "z"));
  k.server->begin_drain();
  while (k.server->is_busy()) usleep(1000);
  EXPECT_EQ(k.contents(at), std::string(at - 1, 'x') + "y");
  char z = 0;
  EXPECT_EQ(pread(other, &z, 1, 0), 1);
  EXPECT_EQ(z, 'z');
  EXPECT_EQ(k.server->failures() + k.server->lost(), "");
  close(other);
}

}  // namespace
