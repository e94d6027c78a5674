#include "copy/strided.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace loadstone::copy {
namespace {

// Block by block and byte by byte, slow and obvious.
void obvious(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
             std::size_t length, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < length; ++j)
      to[i * to_stride + static_cast<std::int64_t>(j)] = from[i * from_stride + static_cast<std::int64_t>(j)];
}

TEST(strided, as_block_by_block_with_gaps_without_and_backwards) {
  constexpr std::size_t room = 1 << 16, middle = room / 2;
  std::vector<std::byte> source(room), expected(room), target(room);
  for (std::size_t i = 0; i < room; ++i) source[i] = static_cast<std::byte>(i * 13 + (i >> 8));
  for (const std::size_t length : {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 33, 64, 200})
    for (const std::int64_t count : {0, 1, 2, 3, 7, 40})
      for (const std::int64_t gap : {0, 1, 8, 100})
        for (const int backwards : {0, 1, 2, 3})
          for (const std::size_t shift : {0, 1, 3, 8}) {
            const auto step = static_cast<std::int64_t>(length) + gap;
            const std::int64_t to_stride = (backwards & 1) != 0 ? -step : step;
            const std::int64_t from_stride =
                (backwards & 2) != 0 ? -static_cast<std::int64_t>(length) : static_cast<std::int64_t>(length);
            expected.assign(room, std::byte{0xee});
            target.assign(room, std::byte{0xee});
            obvious(expected.data() + middle + shift, to_stride, source.data() + middle, from_stride, length,
                    count);
            strided(target.data() + middle + shift, to_stride, source.data() + middle, from_stride, length,
                    count);
            ASSERT_EQ(target, expected) << length << " bytes, " << count << " times, " << to_stride
                                        << " apart, from " << from_stride << " apart";
          }
}

}  // namespace
}  // namespace loadstone::copy
