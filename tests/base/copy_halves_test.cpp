#include "base/copy_halves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace loadstone::base {
namespace {

// Every way there is, whichever this processor takes.
TEST(copy_halves, every_byte_arrives_and_no_other) {
  using copy = void (*)(std::byte*, const std::byte*, std::size_t);
  constexpr copy ways[] = {
      copy_string,
      copy_two_streams,
      copy_halves,
      [](std::byte* to, const std::byte* from, std::size_t n) { copy_piece(to, from, n, true); },
      [](std::byte* to, const std::byte* from, std::size_t n) { copy_piece(to, from, n, false); },
      [](std::byte* to, const std::byte* from, std::size_t n) { write_piece(to, from, n, true); },
      [](std::byte* to, const std::byte* from, std::size_t n) { write_piece(to, from, n, false); },
      [](std::byte* to, const std::byte* from, std::size_t n) { copy_shared(to, from, n, n); }};
  constexpr std::size_t most = 70000, margin = 128;
  std::vector<std::byte> source(most + margin), target(most + 2 * margin);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 13 + (i >> 8));
  for (const std::size_t n :
       {0, 1, 63, 64, 1000, 2047, 2048, 2049, 3000, 4096, 8191, 8192, 8193, 16384, 32769, 70000})
    for (const std::size_t shift : {0, 1, 64, 77})
      for (std::size_t way = 0; way < std::size(ways); ++way) {
        std::fill(target.begin(), target.end(), std::byte{0xee});
        std::byte* const to = target.data() + margin - shift % 10;
        ways[way](to, source.data() + shift, n);
        ASSERT_TRUE(std::equal(to, to + n, source.data() + shift)) << way << ' ' << n << ' ' << shift;
        for (std::size_t i = 0; i < 64; ++i) {
          ASSERT_EQ(to[n + i], std::byte{0xee}) << way << ' ' << n;
          ASSERT_EQ(*(to - 1 - i), std::byte{0xee}) << way << ' ' << n;
        }
      }
}

}  // namespace
}  // namespace loadstone::base
