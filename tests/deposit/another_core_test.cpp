#include "deposit/another_core.hpp"

#include <gtest/gtest.h>

#include <array>

namespace loadstone::deposit {
namespace {

// Where process 0 goes, when processes are on these cores + 1 (0: do not say).
template <std::size_t n>
std::optional<std::uint32_t> goes_to(const std::uint32_t (&cores)[n]) {
  std::array<wait::presence_word, n> words;
  for (std::size_t i = 0; i < n; ++i) words[i] = cores[i];
  return another_core([&](std::uint32_t i) -> const wait::presence_word& { return words[i]; }, n, 0);
}

TEST(another_core, is_the_emptiest_and_not_fuller_than_ours) {
  EXPECT_EQ(goes_to({1, 1, 2, 2}), 1u);
  EXPECT_EQ(goes_to({2, 2, 1, 1}), 0u);
  EXPECT_EQ(goes_to({1, 2, 2, 2}), std::nullopt) << "fuller";
  EXPECT_EQ(goes_to({1, 1, 1, 2, 2, 4, 2}), 3u);
  EXPECT_EQ(goes_to({1, 1, 1}), std::nullopt) << "no other core is known";
  EXPECT_EQ(goes_to({1, 0, 0}), std::nullopt) << "nor is it from those who do not say";
  EXPECT_EQ(goes_to({0, 1, 2}), std::nullopt) << "nor where we are ourselves";
  EXPECT_EQ(goes_to({3 | 0x8000'0000, 3, 9 | 0x8000'0000}), 8u) << "away or not";
}

}  // namespace
}  // namespace loadstone::deposit
