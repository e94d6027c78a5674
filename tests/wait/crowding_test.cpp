#include "wait/crowding.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace loadstone::wait {
namespace {

// Processes are on these cores + 1 (0: do not say), and may have given them away.
cores_of_all of(std::initializer_list<std::uint32_t> words) {
  cores_of_all on;
  for (const std::uint32_t word : words) on.push_back(presence::core_of(presence_word(word)));
  return on;
}

// Where process 0 goes.
std::optional<std::uint32_t> goes_to(std::initializer_list<std::uint32_t> words) {
  return another_core(of(words), 0);
}

std::optional<std::uint32_t> evens_out_to(std::initializer_list<std::uint32_t> words, std::uint32_t self) {
  return evener_core(of(words), self);
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

TEST(another_core, is_empty_where_all_sleep) {
  constexpr std::uint32_t sleeps = sleeps_there;
  EXPECT_EQ(another_core({1, 2 | sleeps, 2 | sleeps, 2 | sleeps}, 0), 1u);
  EXPECT_EQ(another_core({1, 2 | sleeps, 2, 2}, 0), std::nullopt) << "fuller";
  EXPECT_EQ(another_core({1, 1 | sleeps, 2, 2}, 0), std::nullopt) << "nor do those here count";
  EXPECT_EQ(another_core({1, 1, 2, 2, 3 | sleeps}, 0), 2u);
}

TEST(another_core, is_evener_if_the_last_one_here_would_be_better_there) {
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 3), 1u);
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 1), std::nullopt) << "somebody else goes";
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 2), std::nullopt) << "from the emptier one";
  EXPECT_EQ(evens_out_to({1, 2, 2, 1}, 3), std::nullopt) << "they are even";
  EXPECT_EQ(evens_out_to({1, 2, 2, 1, 1}, 4), std::nullopt) << "as far as they can be";
  EXPECT_EQ(evens_out_to({3 | 0x8000'0000, 9, 3, 3, 3, 1, 9}, 4), 0u) << "to the emptiest";
  EXPECT_EQ(evens_out_to({1, 1, 1, 1}, 3), std::nullopt) << "no other core is known";
  EXPECT_EQ(evens_out_to({1, 1, 2, 0}, 3), std::nullopt) << "nor where we are ourselves";
}

}  // namespace
}  // namespace loadstone::wait
