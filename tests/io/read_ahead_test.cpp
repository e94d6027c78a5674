// What is fetched ahead of which accesses, and that it is there.
#include "io/read_ahead.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "datatype/builder.hpp"

namespace loadstone::io {
namespace {

constexpr std::int64_t kib = 1024, mib = kib * kib;

class ahead : public ::testing::Test {
 protected:
  ahead() {
    // In the folder of the test: on a disk, as a rule.
    open_how how;
    how.path = "read_ahead." + std::to_string(getpid());
    how.write = how.create = how.exclusive = true;
    trouble why;
    file_ = storage_->open(how, &why);
    EXPECT_TRUE(why.ok()) << why.what;
    unlink(how.path.c_str());
    std::vector<std::byte> data(mib);
    for (std::int64_t i = 0; i < 16; ++i) {
      const extent e{i * mib, data.data(), mib};
      std::int64_t done = 0;
      EXPECT_TRUE(file_->write({&e, 1}, &done).ok());
    }
    EXPECT_TRUE(file_->sync().ok());
    posix_fadvise(file_->descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  }
  ~ahead() override { here_.stop(); }

  void read(std::int64_t at, std::int64_t bytes, std::int64_t limit = mib,
            std::shared_ptr<const view> v = view::bytes()) {
    here_.begins(*v, at, bytes);
    here_.ended(*file_, v, at, bytes, 1, limit);
    await();
  }
  // What is expected now has been fetched.
  void await() {
    for (std::uint64_t before = ~std::uint64_t{}; before != fetched();) {
      before = fetched();
      usleep(20'000);
    }
  }
  std::uint64_t fetched() const { return here_.figures().ahead_bytes.load(); }
  std::uint64_t used() const { return here_.figures().ahead_used_bytes.load(); }
  bool in_memory() const { return file_->kind().system == "tmpfs"; }
  // KiB of this part that are in the page cache.
  std::int64_t cached(std::int64_t from, std::int64_t bytes) {
    void* part =
        mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_SHARED, file_->descriptor(), from);
    EXPECT_NE(part, MAP_FAILED);
    std::vector<unsigned char> pages(static_cast<std::size_t>(bytes / 4096));
    EXPECT_EQ(mincore(part, static_cast<std::size_t>(bytes), pages.data()), 0);
    munmap(part, static_cast<std::size_t>(bytes));
    std::int64_t there = 0;
    for (const unsigned char p : pages) there += p & 1;
    return 4 * there;
  }

  std::unique_ptr<storage> storage_ = make_plain_storage();
  std::unique_ptr<stored_file> file_;
  memory::io_read_figures all_{};
  read_ahead here_{&all_};
};

// A view of `count` blocks of `length` bytes at a distance of `stride`, from `displacement` on.
std::shared_ptr<const view> blocks(std::int64_t displacement, std::int64_t count, std::int64_t length,
                                   std::int64_t stride) {
  const datatype::type& byte = *datatype::predefined_type(datatype::basic::byte);
  const auto made = datatype::builder::vector(count, length, stride, byte);
  EXPECT_TRUE(made.ok() && (*made)->commit().ok());
  trouble why;
  auto v = view::make(displacement, byte, **made, standard_representation("native"), false, &why);
  EXPECT_TRUE(why.ok()) << why.what;
  (*made)->release();
  return v;
}

#define ON_A_DISK \
  if (in_memory()) GTEST_SKIP() << "files are in memory here"

TEST_F(ahead, EqualDistances) {
  ON_A_DISK;
  read(0, 256 * kib);
  read(2 * mib, 256 * kib);
  EXPECT_EQ(fetched(), 0u) << "two may be an accident";
  EXPECT_EQ(cached(4 * mib, 256 * kib), 0);
  read(4 * mib, 256 * kib);
  EXPECT_EQ(fetched(), 256u * kib);
  EXPECT_EQ(cached(6 * mib, 256 * kib), 256);
  EXPECT_EQ(used(), 0u);
  read(6 * mib, 256 * kib);
  EXPECT_EQ(used(), 256u * kib);
  read(1 * mib, 256 * kib);  // elsewhere
  EXPECT_EQ(used(), 256u * kib);
  EXPECT_EQ(fetched(), 512u * kib);
  read(3 * mib, 256 * kib);
  read(7 * mib, 256 * kib);
  EXPECT_EQ(fetched(), 512u * kib) << "no equal distances";
  EXPECT_EQ(all_.read_bytes.load(), 7u * 256 * kib);
  EXPECT_EQ(all_.ahead_used_bytes.load(), used());
}

TEST_F(ahead, BackwardsAndTheEndsOfTheFile) {
  ON_A_DISK;
  for (const std::int64_t at : {6, 4, 2}) read(at * mib, 128 * kib);
  EXPECT_EQ(fetched(), 128u * kib);
  read(0, 128 * kib);  // nothing lies before it
  EXPECT_EQ(used(), 128u * kib);
  EXPECT_EQ(fetched(), 128u * kib);
  for (const std::int64_t at : {7, 11, 15}) read(at * mib, mib);
  EXPECT_EQ(fetched(), 128u * kib) << "nor behind it";
}

TEST_F(ahead, PartsThatJoinAreKnownAtOnce) {
  ON_A_DISK;
  read(0, 4 * mib, 16 * mib);
  read(4 * mib, 4 * mib, 16 * mib);
  EXPECT_EQ(fetched(), 4u * mib);
  EXPECT_EQ(cached(8 * mib, 4 * mib), 4 * kib);
  read(8 * mib, 4 * mib, 16 * mib);
  EXPECT_EQ(used(), 4u * mib);
}

TEST_F(ahead, NoMoreThanTheLimit) {
  ON_A_DISK;
  for (std::int64_t i = 0; i < 3; ++i) read(i * 4 * mib, 4 * mib, 512 * kib);
  EXPECT_EQ(fetched(), 2u * 512 * kib);
  read(12 * mib, 4 * mib, 0);
  EXPECT_EQ(fetched(), 2u * 512 * kib);
  EXPECT_EQ(used(), 2u * 512 * kib) << "of what was fetched, not of what is read";
}

TEST_F(ahead, ShortAccessIsLeftToTheSystem) {
  for (std::int64_t i = 0; i < 5; ++i) read(i * mib, read_ahead::least - 1);
  EXPECT_EQ(fetched(), 0u);
}

// What lies far from all blocks is not fetched.
TEST_F(ahead, ViewsThatMove) {
  ON_A_DISK;
  for (std::int64_t i = 0; i < 3; ++i) read(0, 256 * kib, 8 * mib, blocks(i * 4 * mib, 4, 64 * kib, mib));
  EXPECT_EQ(fetched(), 256u * kib);
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(cached(12 * mib + i * mib, 64 * kib), 64);
    EXPECT_EQ(cached(12 * mib + i * mib + 512 * kib, 64 * kib), 0);
  }
  read(0, 256 * kib, 8 * mib, blocks(12 * mib, 4, 64 * kib, mib));
  EXPECT_EQ(used(), 256u * kib);
  read(0, 256 * kib, 8 * mib, blocks(0, 2, 128 * kib, mib));  // another form
  EXPECT_EQ(used(), 256u * kib);
}

TEST_F(ahead, DenseHolesAreFetchedWithTheBlocks) {
  ON_A_DISK;
  // 8 of each 16 bytes, 2 MiB a time: all pages of 4 MiB.
  const auto v = blocks(0, 8192, 8, 16);
  for (std::int64_t i = 0; i < 2; ++i) read(i * 2 * mib, 2 * mib, 16 * mib, v);
  EXPECT_NEAR(static_cast<double>(fetched()), 4 * mib, 1024);
  EXPECT_EQ(cached(8 * mib, 4 * mib), 4 * kib);
}

TEST_F(ahead, WhatOthersWriteMeanwhileIsRead) {
  for (std::int64_t i = 0; i < 3; ++i) read(i * mib, mib);
  const std::string text = "changed";
  EXPECT_EQ(pwrite(file_->descriptor(), text.data(), text.size(), 3 * mib), 7);
  std::string got(7, 0);
  const extent e{3 * mib, reinterpret_cast<std::byte*>(got.data()), 7};
  std::int64_t done = 0;
  EXPECT_TRUE(file_->read({&e, 1}, &done).ok());
  EXPECT_EQ(got, text);
}

}  // namespace
}  // namespace loadstone::io
