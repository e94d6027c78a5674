#include "base/guarded.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstring>
#include <thread>

#include "base/nothing_guarded.hpp"

namespace loadstone::base {
namespace {

constexpr std::size_t page = 4096;

class guarded_copy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
    at = static_cast<std::byte*>(mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(at, MAP_FAILED);
    ASSERT_EQ(mprotect(at, page, PROT_READ | PROT_WRITE), 0);
    ASSERT_EQ(mprotect(at + page, page, PROT_READ), 0);
  }
  std::byte* at = nullptr;  // a page to write, one to read, and none
};

TEST_F(guarded_copy, ends_where_memory_is_missing_and_says_where) {
  std::vector<std::byte> to(3 * page);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(guarded([&] { std::memcpy(to.data(), at, 2 * page); }));
    EXPECT_FALSE(missing());
    EXPECT_FALSE(guarded([&] { std::memcpy(to.data(), at, 3 * page); }));
    EXPECT_TRUE(missing());
    const auto* where = static_cast<const std::byte*>(take_missing());
    EXPECT_TRUE(where >= at + 2 * page && where < at + 3 * page);
    EXPECT_FALSE(missing());
    EXPECT_FALSE(guarded([&] { std::memset(at + page, 1, 8); }));
    EXPECT_EQ(take_missing(), at + page);
  }
}

TEST_F(guarded_copy, is_found_out_beforehand) {
  EXPECT_EQ(first_missing(at, 2 * page, false), nullptr);
  EXPECT_EQ(first_missing(at + 100, 3 * page - 100, false), at + 2 * page);
  EXPECT_EQ(first_missing(at, page, true), nullptr);
  EXPECT_EQ(first_missing(at + 100, page, true), at + page);
  EXPECT_EQ(first_missing(at, 0, true), nullptr);
  // Blocks, forwards and backwards; holes may be missing.
  EXPECT_EQ(first_missing(at, 8, 3 * page, 1, true), nullptr);
  EXPECT_EQ(first_missing(at, 8, 16, 2 * page / 16, false), nullptr);
  EXPECT_EQ(first_missing(at, 8, 16, 2 * page / 16 + 1, false), at + 2 * page);
  EXPECT_EQ(first_missing(at + 2 * page, 8, -8, 2, false), at + 2 * page);
  // The first byte of a page that is not there, by blocks of any length and distance.
  for (const std::size_t bytes : {1, 8, 24, 4096, 5000})
    for (const std::size_t stride : {1, 8, 40, 4095, 4096, 5000}) {
      const std::size_t to_read = 2 * page < bytes ? 0 : (2 * page - bytes) / stride + 1;
      EXPECT_EQ(first_missing(at, bytes, static_cast<std::ptrdiff_t>(stride), to_read, false), nullptr)
          << bytes << stride;
      const std::byte* const next = at + to_read * stride;
      EXPECT_EQ(first_missing(at, bytes, static_cast<std::ptrdiff_t>(stride), to_read + 1, false),
                next < at + 2 * page ? at + 2 * page : next)
          << bytes << " " << stride;
    }
  EXPECT_EQ(first_missing(at + page - 8, 8, -8, 100, false), nullptr);
  EXPECT_FALSE(missing());
}

TEST_F(guarded_copy, is_of_its_thread) {
  EXPECT_FALSE(guarded([&] { std::memset(at + page, 1, 8); }));
  std::thread([&] {
    EXPECT_FALSE(missing());
    EXPECT_FALSE(guarded([&] { std::memset(at + 2 * page, 1, 8); }));
    EXPECT_EQ(take_missing(), at + 2 * page);
  }).join();
  EXPECT_EQ(take_missing(), at + page);
}

TEST_F(guarded_copy, holds_behind_another_one_inside) {
  for (const bool fails : {false, true}) {
    EXPECT_FALSE(guarded([&] {
      EXPECT_EQ(guarded([&] { std::memset(at + (fails ? page : 0), 1, 8); }), !fails);
      if (fails) {
        EXPECT_EQ(take_missing(), at + page);
      }
      std::memset(at + 2 * page, 1, 8);
    }));
    EXPECT_EQ(take_missing(), at + 2 * page);
  }
}

using guarded_copy_death = guarded_copy;
TEST_F(guarded_copy_death, any_other_fault_ends_the_process) {
  EXPECT_TRUE(guarded([] {}));  // from here on there is a handler
  EXPECT_EXIT(std::memset(at + page, 1, 8), ::testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(raise(SIGSEGV), ::testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace loadstone::base
