#include "io/file_pages.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <barrier>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace loadstone::io {
namespace {

// On tmpfs, and where temporary files are.
class file_pages_test : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    name = GetParam() + "/file_pages_test." + std::to_string(getpid());
    file = open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    ASSERT_GE(file, 0);
    unlink(name.c_str());
    resize(bytes);
  }
  void TearDown() override { close(file); }
  void resize(std::int64_t n) const { ASSERT_EQ(ftruncate(file, n), 0); }
  std::string read(std::int64_t from, std::size_t n) const {
    std::string in(n, '?');
    EXPECT_EQ(pread(file, in.data(), n, from), static_cast<ssize_t>(n));
    return in;
  }
  // Stores a letter at each end of [from, to).
  static bool mark(file_pages& pages, std::int64_t from, std::int64_t to, char letter) {
    return pages.store(from, to, [&](std::byte* memory) {
      std::memset(memory, letter, 1);
      std::memset(memory + (to - from - 1), letter, 1);
    });
  }
  static constexpr std::int64_t bytes = 3'000'001;
  std::string name;
  int file = -1;
};

TEST_P(file_pages_test, what_is_stored_is_in_the_file_and_nothing_else) {
  file_pages pages(file, true);
  std::string all(bytes, '\0');
  const std::int64_t parts[][2] = {{1'000'000, 1'000'100},
                                   {1'000'050, 1'004'097},
                                   {999'000, 1'000'000},
                                   {2'900'000, bytes},
                                   {10, 11},
                                   {5000, 2'999'999},
                                   {0, bytes},
                                   {500'000, 700'000}};
  char letter = 'a';
  for (const auto& [from, to] : parts) {
    ASSERT_TRUE(mark(pages, from, to, letter));
    all[static_cast<std::size_t>(from)] = all[static_cast<std::size_t>(to - 1)] = letter++;
    ASSERT_TRUE(read(0, bytes) == all);
  }
}

TEST_P(file_pages_test, far_apart) {
  file_pages pages(file, true);
  resize(std::int64_t{3} << 30);
  for (const std::int64_t at : {std::int64_t{1} << 31, std::int64_t{0}, (std::int64_t{3} << 30) - 8}) {
    ASSERT_TRUE(mark(pages, at, at + 8, 'x'));
    EXPECT_EQ(read(at, 8), std::string("x\0\0\0\0\0\0x", 8));
  }
  EXPECT_FALSE(mark(pages, 0, file_pages::most + 1, 'y'));
  EXPECT_EQ(read(0, 1), "x");
}

TEST_P(file_pages_test, none_behind_the_end) {
  file_pages pages(file, true);
  ASSERT_TRUE(mark(pages, 0, bytes, 'a'));
  EXPECT_FALSE(mark(pages, bytes - 1, bytes + 1, 'b'));
  resize(1'000'000);
  EXPECT_FALSE(mark(pages, 0, bytes, 'b'));
  EXPECT_EQ(read(0, 1), "a");
  EXPECT_TRUE(mark(pages, 0, 1'000'000, 'c'));
  EXPECT_EQ(read(0, 1), "c");
}

TEST_P(file_pages_test, what_is_in_memory) {
  file_pages pages(file, true);
  EXPECT_FALSE(pages.in_memory(0, bytes)) << "it is a hole";
  const std::string some(2'500'000, 'a');
  ASSERT_EQ(pwrite(file, some.data(), some.size(), 10), static_cast<ssize_t>(some.size()));
  EXPECT_TRUE(pages.in_memory(0, 2'500'010));
  EXPECT_TRUE(pages.in_memory(2'000'001, 2'400'000));
  EXPECT_FALSE(pages.in_memory(0, 2'600'000));
  EXPECT_FALSE(pages.in_memory(bytes - 5000, bytes));
  ASSERT_TRUE(mark(pages, bytes - 5000, bytes, 'x'));
  EXPECT_TRUE(pages.in_memory(bytes - 5000, bytes));
  EXPECT_FALSE(pages.in_memory(bytes - 5000, bytes + 1)) << "behind the end";
  file_pages none(file, false);
  EXPECT_FALSE(none.in_memory(0, 10));
}

TEST_P(file_pages_test, a_file_that_is_cut_in_the_midst) {
  file_pages pages(file, true);
  for (int i = 0; i < 3; ++i) {
    resize(bytes);
    bool behind = false;
    EXPECT_FALSE(pages.store(0, bytes, [&](std::byte* memory) {
      resize(1'000'000);
      std::memset(memory, 'm', bytes);
      behind = true;
    }));
    EXPECT_FALSE(behind);
    EXPECT_TRUE(mark(pages, 0, 1'000'000, 'c'));
    EXPECT_EQ(read(0, 2), "cm");
  }
}

// A write that makes the file longer sets its size first, and zeroes the page of the old end
// afterwards, at least on ext4. What is stored as soon as the size allows it must not be lost to that.
TEST_P(file_pages_test, a_file_that_grows) {
  file_pages pages(file, true);
  constexpr int rounds = 40'000;
  constexpr std::int64_t step = 8192, old_end = 1000, beyond = 5000;
  std::barrier meet(2);
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      meet.arrive_and_wait();
      EXPECT_EQ(pwrite(file, "w", 1, i * step + beyond), 1);
      meet.arrive_and_wait();
    }
  });
  int lost = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::int64_t at = i * step + old_end;
    resize(at);
    if (at > 0) mark(pages, at - 1, at, 'e');  // so that the page is mapped
    meet.arrive_and_wait();
    for (int tries = 1; !mark(pages, at, at + 8, 's'); ++tries)
      if (tries % 100 == 0) std::this_thread::yield();  // the other one may have no core
    meet.arrive_and_wait();
    if (read(at, 8) != std::string("s\0\0\0\0\0\0s", 8)) ++lost;
  }
  other.join();
  EXPECT_EQ(lost, 0) << "of " << rounds;
}

INSTANTIATE_TEST_SUITE_P(all, file_pages_test, ::testing::Values("/dev/shm", "/tmp"));

}  // namespace
}  // namespace loadstone::io
