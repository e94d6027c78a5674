// Known answers, and the instruction against the table.
#include "base/crc32c.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace loadstone::base {
namespace {

using function = std::uint32_t (*)(const void*, std::size_t, std::uint32_t);

std::vector<function> all_ways() {
  std::vector<function> ways = {crc32c_by_table, [](const void* d, std::size_t n, std::uint32_t before) {
                                  return crc32c(d, n, before);
                                }};
  if (crc32c_instruction_exists()) ways.push_back(crc32c_by_instruction);
  return ways;
}

// RFC 3720, appendix B.4, and the check value that catalogues of checksums give.
TEST(crc32c, known_answers) {
  std::vector<unsigned char> zeros(32, 0), ones(32, 0xff), up(32), down(32);
  std::iota(up.begin(), up.end(), static_cast<unsigned char>(0));
  std::reverse_copy(up.begin(), up.end(), down.begin());
  const std::vector<unsigned char> command = {
      0x01, 0xc0, 0, 0,    0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
      0,    0,    0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0,    0};
  for (const function way : all_ways()) {
    EXPECT_EQ(way("123456789", 9, 0), 0xe306'9283u);
    EXPECT_EQ(way("", 0, 0), 0u);
    EXPECT_EQ(way(zeros.data(), 32, 0), 0x8a91'36aau);
    EXPECT_EQ(way(ones.data(), 32, 0), 0x62a8'ab43u);
    EXPECT_EQ(way(up.data(), 32, 0), 0x46dd'794eu);
    EXPECT_EQ(way(down.data(), 32, 0), 0x113f'db5cu);
    EXPECT_EQ(way(command.data(), 48, 0), 0xd996'3a56u);
  }
}

TEST(crc32c, the_same_by_every_way_in_one_piece_or_two) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  std::vector<unsigned char> data(4096 + 16);
  for (unsigned char& b : data) b = static_cast<unsigned char>(random());
  for (int i = 0; i < 2000; ++i) {
    const std::size_t from = random() % 16, bytes = random() % (i % 2 == 0 ? 40 : 4096);
    const std::size_t cut = bytes == 0 ? 0 : random() % bytes;
    const std::uint32_t expected = crc32c_by_table(&data[from], bytes, 0);
    for (const function way : all_ways()) {
      ASSERT_EQ(way(&data[from], bytes, 0), expected) << from << ' ' << bytes;
      ASSERT_EQ(way(&data[from + cut], bytes - cut, way(&data[from], cut, 0)), expected) << cut;
    }
  }
}

TEST(crc32c, a_flipped_bit_is_seen) {
  std::vector<unsigned char> data(200);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(7));
  const std::uint32_t before = crc32c(data.data(), data.size());
  for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
    data[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
    EXPECT_NE(crc32c(data.data(), data.size()), before) << bit;
    data[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
  }
}

}  // namespace
}  // namespace loadstone::base
