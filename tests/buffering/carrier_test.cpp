// Both ends of active buffering in one process, and in several of which one dies.
#include "buffering/carrier.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "buffering/apart.hpp"
#include "buffering/failures.hpp"
#include "buffering/past_cache.hpp"
#include "buffering/pending.hpp"
#include "buffering/stream.hpp"
#include "wait/futex.hpp"

using namespace loadstone;
using buffering::carrier;
using buffering::stream;

namespace {

constexpr std::uint64_t a_file = memory::io_file_id(1, 0), another = memory::io_file_id(7, 1);

int scratch_file() {
  return memfd_create("written", MFD_CLOEXEC);
}

std::string contents(int descriptor) {
  std::string all(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)), 0);
  EXPECT_EQ(pread(descriptor, all.data(), all.size(), 0), static_cast<ssize_t>(all.size()));
  return all;
}

// A /proc of our own that says how much memory is left; gone with this.
struct made_up_memory {
  explicit made_up_memory(std::uint64_t mib) {
    std::filesystem::create_directories(root + "/proc/self");
    available(mib);
  }
  ~made_up_memory() { std::filesystem::remove_all(root); }
  void available(std::uint64_t mib) const {
    std::ofstream(root + "/proc/meminfo") << "MemAvailable: " << mib * 1024 << " kB\n";
  }
  const std::string root = std::filesystem::temp_directory_path() / ("memory." + std::to_string(getpid()));
};

// A place in the job, with its arena and its stream.
struct writer {
  writer(memory::job& of, std::uint32_t index, buffering::config config) {
    auto view = of.second_view();
    job = std::move(*view);
    EXPECT_TRUE(job->claim(index).ok());
    auto opened = memory::arena::open(*job, index);
    EXPECT_TRUE(opened.ok());
    arena = std::move(*opened);
    out.emplace(*job, *arena, config);
  }
  std::uint64_t put(std::uint64_t file, std::uint64_t offset, const std::string& text,
                    std::uint64_t limit = buffering::config::automatic) {
    return out->accept(file, offset, reinterpret_cast<const std::byte*>(text.data()), text.size(), limit);
  }
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> arena;
  std::optional<stream> out;
};

class carriers : public ::testing::TestWithParam<const char*> {
 protected:
  carriers() {
    memory::job_config config;
    config.world_size = 3;
    config.launcher = getpid();
    auto made = memory::job::create(config);
    EXPECT_TRUE(made.ok());
    job = std::move(*made);
    job->io().carrier.store(static_cast<std::uint32_t>(memory::io_carrier::process));
    renew();
  }
  ~carriers() override {
    carry_all();  // streams wait for it
    close(file);
    close(other);
  }
  // As another process that takes over.
  void renew() {
    auto how = buffering::choose_writes(GetParam());
    if (how->name() != GetParam()) skipped = true;
    server.emplace(*job, std::move(how));
    server->add_file(a_file, file);
    server->add_file(another, other);
  }
  void carry_all() {
    while (server->step() != 0) continue;
  }
  static buffering::config small(std::uint64_t bytes = 256 << 10, std::uint32_t extents = 8) {
    buffering::config c;
    c.bytes = bytes;
    c.segment = 64 << 10;
    c.extents = extents;
    return c;
  }

  std::unique_ptr<memory::job> job;
  int file = scratch_file(), other = scratch_file();
  std::optional<carrier> server;
  bool skipped = false;
};

#define NEEDS_IT \
  if (skipped) GTEST_SKIP() << GetParam() << " is not here"

TEST_P(carriers, WriteWhatWasAccepted) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(a_file, 5, "hello"), 5u);
  EXPECT_EQ(w.put(another, 0, "there"), 5u);
  EXPECT_EQ(
      buffering::pending(*job, *std::make_unique<memory::mappings>(*job, 0, memory::mappings_config{})).bytes,
      10u);
  EXPECT_EQ(contents(file), "");
  EXPECT_TRUE(server->has_work());
  carry_all();
  EXPECT_FALSE(server->has_work());
  EXPECT_EQ(contents(file), std::string("\0\0\0\0\0hello", 10));
  EXPECT_EQ(contents(other), "there");
  w.out->settle(a_file);  // at once
}

TEST_P(carriers, KeepTheOrderOfWhatOverlaps) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(a_file, 0, "aaaaaaaa"), 8u);
  EXPECT_EQ(w.put(a_file, 2, "bbbb"), 4u);
  EXPECT_EQ(w.put(a_file, 3, "c"), 1u);
  EXPECT_EQ(server->step(), 1u);  // each waits for the one before it
  carry_all();
  EXPECT_EQ(contents(file), "aabcbbaa");
}

TEST_P(carriers, ABufferIsGivenBackWhenMemoryGetsShort) {
  NEEDS_IT;
  const made_up_memory machine(4096);
  buffering::config config = small();
  config.root = machine.root;
  {
    writer w(*job, 0, config);
    const std::string data(100 << 10, 'x');
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    EXPECT_EQ(w.out->held(), 128u << 10);
    machine.available(100);
    EXPECT_EQ(w.put(a_file, 0, data), 0u);
    EXPECT_EQ(w.out->held(), 128u << 10) << "not what the carrier has not written";
    carry_all();
    EXPECT_EQ(w.put(a_file, 0, data), 0u);
    EXPECT_EQ(w.out->held(), 0u);
    EXPECT_EQ(w.put(a_file, 0, data), 0u) << "and it does not grow";
    machine.available(4096);
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    carry_all();
  }
}

// Of version 2, from the root of its tree to the job's own.
TEST_P(carriers, ABufferTakesAQuarterOfWhatItsCgroupHasLeft) {
  NEEDS_IT;
  const made_up_memory machine(64 << 10);
  const auto put = [&](const std::string& name, std::uint64_t mib) {
    const std::string folder = machine.root + "/sys/fs/cgroup/batch/job";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + name) << (mib << 20) << "\n";
  };
  std::ofstream(machine.root + "/proc/self/mountinfo")
      << "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  std::ofstream(machine.root + "/proc/self/cgroup") << "0::/batch/job\n";
  put("memory.max", 4096);
  put("memory.current", 1024);
  buffering::config config = small();
  config.root = machine.root;
  config.bytes = buffering::config::automatic;
  writer w(*job, 0, config);
  const std::uint64_t processes = job->header().world_size, mib = 1 << 20;
  EXPECT_EQ(w.out->limit(), (4096 - 1024 - 16) * mib / 4 / processes);
  const std::string data(100 << 10, 'x');
  EXPECT_EQ(w.put(a_file, 0, data), data.size());
  carry_all();
  put("memory.high", 1100);  // and from there on everything is slow
  std::this_thread::sleep_for(std::chrono::milliseconds(110));
  EXPECT_EQ(w.put(a_file, 0, data), 0u);
  EXPECT_EQ(w.out->held(), 0u);
}

TEST_P(carriers, ABufferIsGivenBackWhileNobodyWrites) {
  NEEDS_IT;
  const made_up_memory machine(4096);
  const auto pages = [&] {
    struct stat is {};
    EXPECT_EQ(fstat(job->descriptor(), &is), 0);
    return is.st_blocks / 8;
  };
  buffering::config config = small();
  config.root = machine.root;
  {
    carrier other(*job, buffering::make_system_writes(), machine.root);
    writer w(*job, 0, config);
    const std::string data(100 << 10, 'x'), more(100 << 10, 'y');
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    EXPECT_EQ(other.relieve(), std::chrono::milliseconds(1000));
    machine.available(100);
    const auto before = pages();
    other.relieve();
    EXPECT_EQ(pages(), before) << "it is not written yet";
    carry_all();
    EXPECT_EQ(other.relieve(), std::chrono::milliseconds(50));
    EXPECT_LE(pages(), before - 25);
    EXPECT_EQ(other.relieve(), std::chrono::hours(24)) << "once";
    EXPECT_EQ(w.put(a_file, 0, more), 0u);
    EXPECT_EQ(w.out->held(), 0u);
    machine.available(4096);
    EXPECT_EQ(w.put(a_file, 0, more), more.size());
    carry_all();
    EXPECT_EQ(contents(file), more);
    // Its owner fills it just now: then it is left alone; and one that has died in the midst is cleaned up.
    machine.available(100);
    job->io(0).claimed.store(static_cast<std::uint32_t>(memory::io_claim::owner));
    const auto now = pages();
    other.relieve();
    EXPECT_EQ(pages(), now);
    job->io(0).claimed.store(static_cast<std::uint32_t>(memory::io_claim::carrier));
    machine.available(4096);
    EXPECT_EQ(w.put(a_file, 0, data), 0u) << "its owner does not wait";
    carrier next(*job, buffering::make_system_writes(), machine.root);
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    carry_all();
  }
}

// Its pages are taken away whenever nothing is on its way, while its owner writes on.
TEST_P(carriers, NothingIsLostWhereMemoryIsAlwaysShort) {
  NEEDS_IT;
  const made_up_memory machine(100);
  std::string expected;
  std::uint64_t relieved = 0, accepted = 0;
  {
    writer w(*job, 0, small(1 << 20));
    std::atomic<bool> done{false};
    std::thread io([&] {
      carrier mine(*job, buffering::make_system_writes(), machine.root);
      mine.add_file(a_file, file);
      while (!done.load() || mine.has_work()) {
        while (mine.step() != 0) continue;
        mine.relieve();
      }
    });
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      const std::string data(1 + random() % 40000, static_cast<char>('a' + random() % 26));
      const std::uint64_t n = w.put(a_file, expected.size(), data), rest = data.size() - n;
      const ssize_t put = pwrite(file, data.data() + n, rest, static_cast<off_t>(expected.size() + n));
      EXPECT_EQ(put, static_cast<ssize_t>(rest));
      accepted += n;
      expected += data;
    }
    done.store(true);
    io.join();
    relieved = job->io(0).relieved.load();
  }
  EXPECT_TRUE(contents(file) == expected);
  EXPECT_GT(relieved, 0u);
  EXPECT_GT(accepted, 0u);
}

TEST_P(carriers, WhatTheProgramWillNeedIsNotABuffers) {
  NEEDS_IT;
  const made_up_memory machine(8 << 10);
  {
    buffering::config config;
    config.root = machine.root;
    writer w(*job, 0, config);
    const std::uint64_t gib = 1 << 30, processes = std::max<std::uint64_t>(job->header().world_size, 1);
    EXPECT_EQ(w.out->limit(), 8 * gib / 4 / processes);
    w.out->declare(4 * gib / processes);
    // What this process has already is not needed once more.
    EXPECT_GT(w.out->limit(), 4 * gib / 4 / processes);
    EXPECT_LT(w.out->limit(), 5 * gib / 4 / processes);
    w.out->declare(1);  // the largest counts
    EXPECT_LT(w.out->limit(), 5 * gib / 4 / processes);
    w.out->declare(1000 * gib);
    EXPECT_EQ(w.out->limit(), 0u);
  }
}

// A file that can be written past the page cache, if there is one here.
int disk_file() {
  for (const char* folder : {".", "/var/tmp", "/tmp"}) {
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const int past = file >= 0 ? buffering::past_cache::open(file) : -1;
    if (past >= 0) {
      close(past);
      return file;
    }
    if (file >= 0) close(file);
  }
  return -1;
}

TEST_P(carriers, WholePagesLieInWholePages) {
  NEEDS_IT;
  writer w(*job, 0, small(1 << 20));
  const std::string data(200 << 10, 'x');
  memory::mappings maps(*job, 0, memory::mappings_config{});
  EXPECT_EQ(w.put(a_file, 100, data), data.size());
  EXPECT_GE(buffering::pending(*job, maps).extents, 3u);  // before, whole pages, and behind
  carry_all();
  EXPECT_EQ(contents(file), std::string(100, 0) + data);
  EXPECT_EQ(w.put(a_file, 100, data.substr(0, 1000)), 1000u);
  EXPECT_EQ(buffering::pending(*job, maps).extents, 1u);  // too short for that
  carry_all();
}

TEST_P(carriers, WriteWholePagesPastTheCache) {
  NEEDS_IT;
  const int disk = disk_file();
  if (disk < 0) GTEST_SKIP() << "no file system here that it is done on";
  server->add_file(a_file, disk);
  std::minstd_rand random(7);
  std::string oracle;
  {
    writer w(*job, 0, small(2 << 20, 64));
    for (int i = 0; i < 60; ++i) {
      std::string data(1 + random() % (300 << 10), 0);
      for (char& c : data) c = static_cast<char>(random());
      const std::size_t at = random() % 3 == 0 ? random() % 100 * 4096 : random() % (1 << 20);
      const std::uint64_t taken = w.put(a_file, at, data);
      EXPECT_GT(taken, 0u);
      if (oracle.size() < at + taken) oracle.resize(at + taken);
      oracle.replace(at, taken, data, 0, taken);
      if (random() % 2 == 0) carry_all();
      if (taken < data.size()) carry_all();
    }
    carry_all();
  }
  EXPECT_EQ(buffering::take_failure(*job, 0, a_file).number, 0);
  EXPECT_TRUE(contents(disk) == oracle);
  server->drop_file(a_file);
  close(disk);
}

TEST_P(carriers, WriteThroughTheCacheWhatIsRefusedPastIt) {
  NEEDS_IT;
  const int disk = disk_file();
  if (disk < 0) GTEST_SKIP() << "no file system here that it is done on";
  const int past = buffering::past_cache::open(disk);
  std::string odd(5000, 'y');
  std::vector<buffering::file_write> all(2);
  for (std::size_t i = 0; i < 2; ++i) {
    all[i].descriptor = past;
    all[i].offset = 3 + i * odd.size();
    all[i].bytes = odd.size();
    all[i].parts = {{odd.data(), odd.size()}};
  }
  buffering::choose_writes(GetParam())->write(all);
  for (buffering::file_write& w : all) {
    EXPECT_EQ(w.number, EINVAL);
    EXPECT_EQ(w.done, 0u);
    w.descriptor = disk;
    buffering::finish_write(w);
    EXPECT_EQ(w.done, w.bytes);
  }
  EXPECT_EQ(contents(disk), std::string(3, 0) + odd + odd);
  close(past);
  close(disk);
}

// How many bytes of a file are in the page cache.
std::size_t cached_bytes(int descriptor, std::size_t bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  std::vector<unsigned char> pages(bytes / 4096);
  EXPECT_EQ(mincore(at, bytes, pages.data()), 0);
  munmap(at, bytes);
  std::size_t there = 0;
  for (const unsigned char page : pages) there += (page & 1u) * std::size_t{4096};
  return there;
}

TEST_P(carriers, GoThroughTheCacheWhileSomebodyElseDoes) {
  NEEDS_IT;
  const int disk = disk_file();
  if (disk < 0) GTEST_SKIP() << "no file system here that it is done on";
  server->add_file(a_file, disk);
  const std::string data(256 << 10, 'x');
  {
    writer w(*job, 0, small(1 << 20, 64)), other(*job, 1, small());
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    {
      const buffering::through_cache one(w.job.get()), more(other.job.get());
      carry_all();
    }
    EXPECT_EQ(cached_bytes(disk, data.size()), data.size());
    EXPECT_EQ(w.put(a_file, 0, data), data.size());
    carry_all();
    EXPECT_EQ(cached_bytes(disk, data.size()), 0u);
  }
  server->drop_file(a_file);
  close(disk);
}

TEST_P(carriers, AreWaitedForWhileTheyWritePastTheCache) {
  NEEDS_IT;
  writer w(*job, 0, small());
  memory::io_server& us = job->io().servers[0];
  ASSERT_TRUE(buffering::begin_past_cache(*job, 0));
  std::atomic<bool> written = false;
  std::thread writing([&] {
    const buffering::through_cache said(w.job.get());
    written = true;
  });
  while (w.job->io(0).through_cache.load() == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(written);
  EXPECT_FALSE(buffering::begin_past_cache(*job, 1));  // another one
  buffering::end_past_cache(*job, 0);
  writing.join();
  // One that has died in it holds up nobody.
  ASSERT_TRUE(buffering::begin_past_cache(*job, 0));
  us.through_cache.store(1);
  buffering::end_writes_of_dead(us);
  EXPECT_EQ(us.through_cache.load(), 0u);
  { const buffering::through_cache said(w.job.get()); }
  EXPECT_TRUE(buffering::begin_past_cache(*job, 0));
  buffering::end_past_cache(*job, 0);
}

TEST_P(carriers, AFullBufferAcceptsAsMuchAsItHolds) {
  NEEDS_IT;
  writer w(*job, 0, small(128 << 10));
  const std::string data(200 << 10, 'x');
  EXPECT_EQ(w.put(a_file, 0, data), 128u << 10);
  EXPECT_EQ(w.put(a_file, 0, data), 0u);
  carry_all();
  EXPECT_EQ(w.put(a_file, 1 << 20, data), 128u << 10);
  carry_all();
  EXPECT_EQ(contents(file).size(), (1u << 20) + (128u << 10));
}

// As much again for a frame that does not fit, and little for some bytes more than there were.
TEST_P(carriers, MemoryGrowsByWhatIsWanted) {
  NEEDS_IT;
  writer w(*job, 0, small(8 << 20, 64));
  const std::string frame(1 << 20, 'x');
  EXPECT_EQ(w.put(a_file, 0, frame), frame.size());
  EXPECT_EQ(w.out->held(), 1u << 20);
  EXPECT_EQ(w.put(a_file, 1 << 20, "more"), 4u);
  EXPECT_EQ(w.out->held(), (1u << 20) + (128u << 10)) << "an eighth of what there was";
  EXPECT_EQ(w.put(a_file, 2 << 20, frame), frame.size());
  EXPECT_EQ(w.out->held(), (2u << 20) + (64u << 10)) << "the rest of it, in whole segments";
  carry_all();
}

// Frames of equal length, of which the first has just begun another segment.
TEST_P(carriers, MemoryThatWasFilledBeforeComesFirst) {
  NEEDS_IT;
  writer w(*job, 0, small(4 << 20, 64));
  const std::string frame((1 << 20) + 4096, 'x');
  const auto faults = [] {
    struct rusage usage {};
    EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_minflt;
  };
  EXPECT_EQ(w.put(a_file, 0, frame), frame.size());
  const std::uint64_t held = w.out->held();
  for (std::uint64_t i = 1; i < 4; ++i) {
    carry_all();
    const auto before = faults();
    EXPECT_EQ(w.put(a_file, i * frame.size(), frame), frame.size());
    EXPECT_LT(faults() - before, 64) << i;
  }
  EXPECT_EQ(w.out->held(), held);
  carry_all();
  EXPECT_EQ(contents(file).size(), 4 * frame.size());
}

TEST_P(carriers, AFullRingAcceptsNothing) {
  NEEDS_IT;
  writer w(*job, 0, small(256 << 10, 4));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(w.put(a_file, static_cast<std::uint64_t>(i), "1"), 1u);
  EXPECT_EQ(w.put(a_file, 4, "1"), 0u);
  carry_all();
  EXPECT_EQ(contents(file), "1111");
}

TEST_P(carriers, NothingIsAcceptedWithoutACarrier) {
  NEEDS_IT;
  writer w(*job, 0, small());
  job->io().carrier.store(static_cast<std::uint32_t>(memory::io_carrier::failed));
  EXPECT_EQ(w.put(a_file, 0, "x"), 0u);
  buffering::config off;
  off.bytes = 0;
  job->io().carrier.store(static_cast<std::uint32_t>(memory::io_carrier::process));
  writer none(*job, 1, off);
  EXPECT_EQ(none.put(a_file, 0, "x"), 0u);
  EXPECT_EQ(none.put(a_file, 0, "x", 64 << 10), 1u);  // the file's own limit
  carry_all();
}

TEST_P(carriers, ADeadWritersDataReachTheFile) {
  NEEDS_IT;
  const pid_t child = fork();
  if (child == 0) {
    writer w(*job, 1, small());
    w.put(a_file, 0, std::string(100 << 10, 'd'));
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  carry_all();
  EXPECT_EQ(contents(file), std::string(100 << 10, 'd'));
}

// The carrier dies at each point: nothing is lost, and nothing is there twice.
TEST_P(carriers, ANewOneGoesOnWhereTheLastOneDied) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(a_file, 0, "first"), 5u);
  EXPECT_EQ(w.put(a_file, 5, "second"), 6u);
  // It had written, and died before it gave anything back.
  ASSERT_EQ(pwrite(file, "firstsec", 8, 0), 8);
  renew();
  carry_all();
  EXPECT_EQ(contents(file), "firstsecond");
  EXPECT_EQ(job->io(0).written.load(), 2u);
  // It slept, and died so.
  job->io().servers[0].asleep.store(1);
  renew();
  EXPECT_EQ(w.put(a_file, 11, "!"), 1u);
  EXPECT_EQ(job->io().servers[0].asleep.load(), 0u);
  carry_all();
  EXPECT_EQ(contents(file), "firstsecond!");
}

TEST_P(carriers, FailuresAreToldOnceWithTheirBytes) {
  NEEDS_IT;
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  writer w(*job, 2, small());
  server->add_file(a_file, full);
  EXPECT_EQ(w.put(a_file, 100, "12345"), 5u);
  EXPECT_EQ(w.put(another, 0, "fine"), 4u);
  EXPECT_EQ(w.put(a_file, 300, "123"), 3u);
  carry_all();
  EXPECT_EQ(contents(other), "fine");
  EXPECT_EQ(buffering::take_failure(*job, 2, another).number, 0);
  EXPECT_EQ(buffering::take_failure(*job, 1, a_file).number, 0);
  int untold = 0;
  buffering::each_untold(*job, [&](std::uint32_t process, const buffering::failure& f) {
    EXPECT_EQ(process, 2u);
    untold += static_cast<int>(f.bytes);
  });
  EXPECT_EQ(untold, 8);
  const buffering::failure f = buffering::take_failure(*job, 2, a_file);
  EXPECT_EQ(f.number, ENOSPC);
  EXPECT_EQ(f.offset, 100u);
  EXPECT_EQ(f.bytes, 8u);
  EXPECT_EQ(f.times, 2u);
  EXPECT_EQ(buffering::take_failure(*job, 2, a_file).number, 0);
  buffering::each_untold(*job, [](std::uint32_t, const buffering::failure&) { ADD_FAILURE(); });
  close(full);
}

// As of all job memory, of what there is memory for: it is there, and pages of others would be from
// when they are looked at.
TEST_P(carriers, FailuresTakeMemoryOfThoseThatWrite) {
  NEEDS_IT;
  const auto bytes = [this] {
    struct stat is {};
    EXPECT_EQ(fstat(job->descriptor(), &is), 0);
    return static_cast<std::uint64_t>(is.st_blocks) * 512;
  };
  const auto look = [this] {
    for (std::uint32_t place = 0; place < memory::io_files; ++place) {
      EXPECT_FALSE(buffering::has_untold(*job, place));
      for (std::uint32_t process = 0; process < 3; ++process) {
        EXPECT_FALSE(buffering::has_failure(*job, process, memory::io_file_id(1, place)));
        EXPECT_EQ(buffering::take_failure(*job, process, memory::io_file_id(1, place)).number, 0);
      }
    }
    buffering::each_untold(*job, [](std::uint32_t, const buffering::failure&) { ADD_FAILURE(); });
  };
  const std::uint64_t before = bytes();
  EXPECT_LT(before, job->header().arenas_at - 2 * sizeof(memory::io_failures));
  look();
  EXPECT_EQ(bytes(), before);
  writer w(*job, 1, small());
  const std::uint64_t arena = bytes();
  EXPECT_EQ(w.put(a_file, 0, "buffered"), 8u);
  const std::uint64_t writes = bytes();
  EXPECT_GE(writes, arena + sizeof(memory::io_failures) / 4096 * 4096);
  look();
  EXPECT_EQ(bytes(), writes);  // reserved before it has published
  carry_all();
}

TEST_P(carriers, FailuresOfAllProcessesInAllFilesAreToldEach) {
  NEEDS_IT;
  for (std::uint32_t process = 0; process < 3; ++process) job->io(process).published.store(1);
  for (std::uint32_t process = 0; process < 3; ++process)
    for (std::uint32_t place = 0; place < memory::io_files; ++place)
      buffering::note_failure(*job, process, place, memory::io_file_id(1, place), 7, 10 + place, EIO);
  for (std::uint32_t process = 0; process < 3; ++process)
    for (std::uint32_t place = 0; place < memory::io_files; ++place) {
      EXPECT_TRUE(buffering::has_untold(*job, place));
      const buffering::failure f = buffering::take_failure(*job, process, memory::io_file_id(1, place));
      EXPECT_EQ(f.number, EIO);
      EXPECT_EQ(f.bytes, 10 + place);
      EXPECT_EQ(f.file, memory::io_file_id(1, place));
    }
  EXPECT_FALSE(buffering::has_untold(*job, 77));
  for (std::uint32_t process = 0; process < 3; ++process) job->io(process).published.store(0);
}

TEST_P(carriers, FailuresOfSeveralKindsAreToldTogether) {
  NEEDS_IT;
  job->io(0).published.store(3);
  buffering::note_failure(*job, 0, 0, a_file, 100, 10, ENOSPC);
  buffering::note_failure(*job, 0, 1, a_file, 0, 5, EIO);
  const buffering::failure f = buffering::take_failure(*job, 0, a_file);
  EXPECT_EQ(f.number, ENOSPC);
  EXPECT_EQ(f.last, EIO);
  EXPECT_EQ(f.offset, 100u);
  EXPECT_EQ(f.bytes, 15u);
  EXPECT_EQ(f.times, 2u);
  EXPECT_EQ(f.why(), "No space left on device, and at last Input/output error");
  EXPECT_EQ(buffering::take_failure(*job, 0, a_file).number, 0);
  buffering::note_failure(*job, 0, 1, a_file, 0, 5, EIO);  // by another carrier: it is known
  EXPECT_EQ(buffering::take_failure(*job, 0, a_file).number, 0);
  buffering::note_failure(*job, 0, 2, a_file, 50, 6, EDQUOT);
  EXPECT_EQ(buffering::take_failure(*job, 0, a_file).why(), "Disk quota exceeded");
  job->io(0).published.store(0);
}

// Who copies, or writes by himself, is blocked by that; a carrier blocks nobody who does not wait for it.
TEST_P(carriers, GiveWayToCalls) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(a_file, 0, "hello"), 5u);
  const auto gives_way = [&] { return server->gives_way(); };
  EXPECT_FALSE(gives_way());
  job->io(1).through_cache = 1;
  EXPECT_TRUE(gives_way());
  job->io(0).waiting = 1;
  EXPECT_FALSE(gives_way());
  job->io(0).waiting = 0;
  job->io(1).through_cache = 0;
  EXPECT_FALSE(gives_way());
  job->io(2).claimed = static_cast<std::uint32_t>(memory::io_claim::owner);
  EXPECT_TRUE(gives_way());
  std::this_thread::sleep_for(carrier::most_patience);
  EXPECT_FALSE(gives_way());
  EXPECT_EQ(server->step(), 1u);
  EXPECT_TRUE(gives_way());
  job->process(2).dead = 1;
  EXPECT_FALSE(gives_way());
  job->process(2).dead = 0;
  job->io(2).claimed = static_cast<std::uint32_t>(memory::io_claim::none);
}

// Beside processes that write by themselves all the time a carrier has half of the time.
TEST_P(carriers, WaitNoLongerThanTheyHaveWritten) {
  NEEDS_IT;
  writer w(*job, 0, small());
  job->io(1).through_cache = 1;
  EXPECT_EQ(w.put(a_file, 0, "hello"), 5u);
  EXPECT_TRUE(server->gives_way());
  std::this_thread::sleep_for(carrier::most_patience);
  EXPECT_FALSE(server->gives_way());
  EXPECT_EQ(server->step(), 1u);  // some microseconds
  EXPECT_EQ(w.put(a_file, 0, "again"), 5u);
  EXPECT_TRUE(server->gives_way());
  std::this_thread::sleep_for(carrier::most_patience / 4);
  EXPECT_FALSE(server->gives_way());
  job->io(1).through_cache = 0;
  carry_all();  // the stream waits for that
}

// Room is made segment by segment.
TEST_P(carriers, MakeRoomForWhoWaitsForIt) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_FALSE(w.out->await_room(a_file, 1)) << "nothing is on its way";
  const std::string all(1 << 20, 'x');
  std::uint64_t accepted = w.put(a_file, 0, all);
  EXPECT_EQ(accepted, 256u << 10);
  std::atomic<bool> ends = false;
  std::thread carries([&] {
    while (!ends) server->step();
  });
  while (accepted < all.size()) {
    EXPECT_TRUE(w.out->await_room(a_file, all.size() - accepted) ||
                job->io(0).written == job->io(0).published);
    const std::uint64_t n = w.put(a_file, accepted, all.substr(accepted));
    EXPECT_GT(n, 0u);
    accepted += n;
  }
  ends = true;
  carries.join();
  carry_all();
  EXPECT_EQ(contents(file), all);
  EXPECT_LE(job->io(0).needed_bytes.load(), all.size()) << "what is offered again is the same";
}

// By that the carrier knows how full it is.
TEST_P(carriers, SeeTheLimitThatAWriteWasGiven) {
  NEEDS_IT;
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(a_file, 0, "hello", 100'000), 5u);
  EXPECT_EQ(job->io(0).limit_bytes.load(), 100'000u);
  EXPECT_EQ(w.put(a_file, 5, "again"), 5u);
  EXPECT_EQ(job->io(0).limit_bytes.load(), 256u << 10);
  carry_all();  // the stream waits for that
}

TEST_P(carriers, AFileThatIsNotKnownYetIsWaitedFor) {
  NEEDS_IT;
  const std::uint64_t third = memory::io_file_id(9, 2);
  writer w(*job, 0, small());
  EXPECT_EQ(w.put(third, 0, "later"), 5u);
  EXPECT_EQ(server->step(), 0u);
  EXPECT_TRUE(server->misses_a_file());
  EXPECT_TRUE(server->has_work());
  const int late = scratch_file();
  server->add_file(third, late);
  carry_all();
  EXPECT_EQ(contents(late), "later");
  server->drop_file(third);
  EXPECT_EQ(w.put(third, 0, "never"), 5u);
  server->give_up_missing();
  carry_all();
  EXPECT_EQ(buffering::take_failure(*job, 0, third).bytes, 5u);
  close(late);
}

TEST_P(carriers, ReadersWaitForWhatOverlaps) {
  NEEDS_IT;
  writer w(*job, 0, small()), reader(*job, 1, small());
  memory::mappings maps(*reader.job, 1, {});
  EXPECT_EQ(w.put(a_file, 0, "0123456789"), 10u);
  EXPECT_EQ(buffering::settle_all(*reader.job, maps, a_file, 10, 5), 0u);  // behind it
  EXPECT_EQ(buffering::settle_all(*reader.job, maps, another, 0, 100), 0u);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    carry_all();
  });
  EXPECT_GT(buffering::settle_all(*reader.job, maps, a_file, 9, ~std::uint64_t{}), 0u);
  EXPECT_EQ(contents(file), "0123456789");
  later.join();
}

// Random writes of two processes against an array of bytes, with tiny buffers, while a third thread
// carries; what is not accepted is written as the storage does it.
TEST_P(carriers, RandomWritesEndAsWritten) {
  NEEDS_IT;
  constexpr std::size_t half = 300'000;
  std::string expected(2 * half, 0);
  std::atomic<bool> over{false};
  std::thread busy([&] {
    while (!over.load()) {
      const std::uint32_t called = job->io().servers[0].called.load();
      if (server->step() != 0) continue;
      job->io().servers[0].asleep.store(1);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (!server->has_work() && !over.load())
        wait::sleep_on(job->io().servers[0].called, called, std::chrono::seconds(5));
      job->io().servers[0].asleep.store(0);
    }
  });
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::vector<std::thread> writers;
  for (std::uint32_t who = 0; who < 2; ++who) {
    writers.emplace_back([&, who] {
      writer w(*job, who, small(64 << 10, 6));
      std::mt19937 random(seed + who);
      for (int i = 0; i < 400; ++i) {
        const std::size_t n = random() % (i % 10 == 0 ? 90'000 : 3000);
        const std::size_t at = who * half + random() % (half - n);
        const std::string data(n, static_cast<char>('a' + i % 26));
        const std::uint64_t accepted = w.put(a_file, at, data);
        if (accepted < n) {
          w.out->settle_range(a_file, at + accepted, n - accepted);
          EXPECT_EQ(pwrite(file, data.data() + accepted, n - accepted, static_cast<off_t>(at + accepted)),
                    static_cast<ssize_t>(n - accepted));
        }
        std::memcpy(expected.data() + at, data.data(), n);
      }
      w.out->settle(a_file);
    });
  }
  for (std::thread& t : writers) t.join();
  over.store(true);
  wait::ring(job->io().servers[0].called);
  busy.join();
  std::string got = contents(file);
  got.resize(expected.size());
  EXPECT_TRUE(got == expected);
}

INSTANTIATE_TEST_SUITE_P(ways, carriers, ::testing::Values("pwrite", "io_uring"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
