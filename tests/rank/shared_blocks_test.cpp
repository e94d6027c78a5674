#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "rank/shared_heap.hpp"

using loadstone::shared_blocks;

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;

// A machine whose ordinary and shared memory have huge pages as these files say.
class SharedBlocks : public testing::Test {
 protected:
  SharedBlocks() {
    std::string name = testing::TempDir() + "shared_blocks_XXXXXX";
    root_ = mkdtemp(name.data());
    unsetenv("GLIBC_TUNABLES");
  }
  ~SharedBlocks() override { std::filesystem::remove_all(root_); }
  std::size_t longest(const std::string& enabled, const std::string& shmem_enabled) {
    const std::filesystem::path folder = root_ + "/sys/kernel/mm/transparent_hugepage";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "enabled") << enabled << '\n';
    std::ofstream(folder / "shmem_enabled") << shmem_enabled << '\n';
    return shared_blocks::usual(root_).longest;
  }

  std::string root_;
};

constexpr const char *always = "[always] madvise never", *on_request = "always [madvise] never";
constexpr const char* shared_never = "always within_size advise [never] deny force";

TEST_F(SharedBlocks, bounds) {
  const shared_blocks b = shared_blocks::usual(root_);  // a system without such files
  EXPECT_EQ(b.shortest, 32 * KiB);
  EXPECT_EQ(b.longest, 256 * MiB);
  EXPECT_EQ(b.most, 256 * MiB);
}

TEST_F(SharedBlocks, what_would_have_huge_pages_keeps_them) {
  EXPECT_EQ(longest(always, shared_never), 2 * MiB - 1);
  EXPECT_EQ(longest(always, "always within_size [advise] never deny force"), 2 * MiB - 1);
  EXPECT_EQ(longest(always, "[always] within_size advise never deny force"), 256 * MiB);
  EXPECT_EQ(longest(always, "always [within_size] advise never deny force"), 256 * MiB);
  EXPECT_EQ(longest(on_request, shared_never), 256 * MiB);
  EXPECT_EQ(longest("", ""), 256 * MiB);
}

TEST_F(SharedBlocks, who_asks_glibc_for_huge_pages_has_them) {
  setenv("GLIBC_TUNABLES", "glibc.malloc.check=1:glibc.malloc.hugetlb=1", 1);
  EXPECT_EQ(longest(on_request, shared_never), 2 * MiB - 1);
  EXPECT_EQ(longest(on_request, "[always] within_size advise never deny force"), 256 * MiB);
  unsetenv("GLIBC_TUNABLES");
}

TEST_F(SharedBlocks, a_number_has_no_other_bounds) {
  const shared_blocks b = shared_blocks::from(100000);
  EXPECT_EQ(b.shortest, 100000u);
  EXPECT_EQ(b.longest, SIZE_MAX);
  EXPECT_EQ(b.most, SIZE_MAX);
  EXPECT_EQ(shared_blocks::from(0).shortest, 0u);
}

}  // namespace
