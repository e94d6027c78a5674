// Every kernel does what memcpy does: each size up to 4 KiB and sizes around every threshold, at many
// alignments, and with either buffer against memory that may not be touched.
#include "copy/kernels.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "copy/copy.hpp"

namespace loadstone::copy {
namespace {

using copier = void (*)(std::byte*, const std::byte*, std::size_t);

struct named {
  const char* name;
  copier copy;
};
// Every one there is, whichever this processor takes.
constexpr named kernels[] = {
    {"small", [](std::byte* to, const std::byte* from, std::size_t n) { small(to, from, n); }},
    {"words", [](std::byte* to, const std::byte* from, std::size_t n) { words(to, from, n); }},
    {"halves", halves},
    {"string", string},
    {"past_caches", past_caches},
    {"into_cell", [](std::byte* to, const std::byte* from, std::size_t n) { into_cell(to, from, n, n); }},
    {"out_of_cell", [](std::byte* to, const std::byte* from, std::size_t n) { out_of_cell(to, from, n, n); }},
    {"by_turns", [](std::byte* to, const std::byte* from, std::size_t n) { by_turns(to, from, n, n); }},
    {"between", [](std::byte* to, const std::byte* from, std::size_t n) { between(to, from, n, n); }},
    {"ordinary", [](std::byte* to, const std::byte* from, std::size_t n) { ordinary(to, from, n); }},
};

// Memory between two pages that may not be touched.
class fenced {
 public:
  explicit fenced(std::size_t bytes) : bytes_((bytes + page - 1) / page * page) {
    void* at = mmap(nullptr, bytes_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(at, MAP_FAILED);
    base_ = static_cast<std::byte*>(at) + page;
    EXPECT_EQ(mprotect(base_, bytes_, PROT_READ | PROT_WRITE), 0);
  }
  ~fenced() { munmap(base_ - page, bytes_ + 2 * page); }
  fenced(const fenced&) = delete;
  fenced& operator=(const fenced&) = delete;
  std::byte* begin() const { return base_; }
  std::byte* end() const { return base_ + bytes_; }

 private:
  static constexpr std::size_t page = 4096;
  std::size_t bytes_;
  std::byte* base_;
};

constexpr std::size_t most = 80 * 1024, margin = 64;

struct buffers {
  buffers() : source(most + 4096), target(most + 4096), untouched(margin, std::byte{0xee}) {
    std::uint32_t x = 1;
    for (std::byte* at = source.begin(); at != source.end(); ++at)
      *at = static_cast<std::byte>((x = x * 1664525 + 1013904223) >> 24);
  }
  // Whether exactly these bytes have been written, and the right ones.
  testing::AssertionResult exact(copier copy, std::byte* to, const std::byte* from, std::size_t n) {
    std::byte* const before = to - target.begin() >= std::ptrdiff_t{margin} ? to - margin : target.begin();
    std::byte* const after =
        target.end() - (to + n) >= std::ptrdiff_t{margin} ? to + n + margin : target.end();
    std::memset(before, 0xee, static_cast<std::size_t>(after - before));
    for (const std::size_t i : {std::size_t{0}, n / 2, n - 1})
      if (i < n) to[i] = ~from[i];
    copy(to, from, n);
    if (std::memcmp(to, from, n) != 0) return testing::AssertionFailure() << "wrong data";
    if (std::memcmp(before, untouched.data(), static_cast<std::size_t>(to - before)) != 0)
      return testing::AssertionFailure() << "wrote before the target";
    if (std::memcmp(to + n, untouched.data(), static_cast<std::size_t>(after - (to + n))) != 0)
      return testing::AssertionFailure() << "wrote behind the target";
    return testing::AssertionSuccess();
  }
  fenced source, target;
  std::vector<std::byte> untouched;
};

struct shifts {
  std::size_t to, from;
};
constexpr shifts alignments[] = {{0, 0}, {1, 0},   {0, 1},   {3, 5},   {4, 8},
                                 {8, 4}, {15, 63}, {63, 17}, {32, 16}, {2112, 33}};

TEST(kernels, every_size_up_to_4_KiB_at_every_alignment) {
  buffers b;
  for (const named& k : kernels)
    for (const shifts& s : alignments)
      for (std::size_t n = 0; n <= 4096; ++n)
        ASSERT_TRUE(b.exact(k.copy, b.target.begin() + margin + s.to, b.source.begin() + s.from, n))
            << k.name << ' ' << n << " bytes, at " << s.to << " from " << s.from;
}

TEST(kernels, sizes_around_every_threshold) {
  buffers b;
  for (const named& k : kernels)
    for (const std::size_t near : {least_halves, least_written_by_string, least_read_by_string,
                                   most_surely_near, least_by_turns_by_string, std::size_t{16 * 1024},
                                   std::size_t{5000}, std::size_t{65536}, most - 2500})
      for (const shifts& s : alignments)
        for (const std::ptrdiff_t more : {-65, -64, -1, 0, 1, 63, 64, 1023}) {
          const std::size_t n = near + static_cast<std::size_t>(more);
          ASSERT_TRUE(b.exact(k.copy, b.target.begin() + margin + s.to, b.source.begin() + s.from, n))
              << k.name << ' ' << n << " bytes, at " << s.to << " from " << s.from;
        }
}

TEST(kernels, pairs_that_string_instructions_copy_slowly) {
  const auto slow = [](std::uintptr_t to, std::uintptr_t from) {
    return slow_by_string(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from));
  };
  EXPECT_TRUE(slow(0x10010, 0x50000)) << "a long block of malloc, and shared memory";
  EXPECT_TRUE(slow(0x10001, 0x50000));
  EXPECT_TRUE(slow(0x1001f, 0x50000));
  EXPECT_TRUE(slow(0x10008, 0x50ff8));
  EXPECT_FALSE(slow(0x10000, 0x50000));
  EXPECT_FALSE(slow(0x10020, 0x50000));
  EXPECT_FALSE(slow(0x50000, 0x10010)) << "the other way is quick";
}

// Not a byte is touched outside the two buffers, neither read nor written: the next one ends the program.
TEST(kernels, buffers_that_end_and_begin_at_the_edge_of_what_may_be_touched) {
  buffers b;
  for (const named& k : kernels)
    for (std::size_t n = 0; n <= 4096; n += n < 300 ? 1 : 61) {
      ASSERT_TRUE(b.exact(k.copy, b.target.end() - n, b.source.end() - n, n)) << k.name << ' ' << n;
      ASSERT_TRUE(b.exact(k.copy, b.target.begin(), b.source.begin(), n)) << k.name << ' ' << n;
    }
}

}  // namespace
}  // namespace loadstone::copy
