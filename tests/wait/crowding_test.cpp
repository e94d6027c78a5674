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

const std::vector<int> two = {0, 1}, nine = {0, 1, 2, 3, 4, 5, 6, 7, 8};

// Where process 0 goes.
std::optional<std::uint32_t> goes_to(std::initializer_list<std::uint32_t> words,
                                     const std::vector<int>& usable = two) {
  return emptier_core(of(words), 0, 0, usable);
}

std::optional<std::uint32_t> evens_out_to(std::initializer_list<std::uint32_t> words, std::uint32_t self,
                                          const std::vector<int>& usable = two) {
  return emptier_core(of(words), self, 2, usable);
}

TEST(emptier_core, is_the_emptiest_and_not_fuller_than_ours) {
  EXPECT_EQ(goes_to({1, 1, 2, 2}), 1u);
  EXPECT_EQ(goes_to({2, 2, 1, 1}), 0u);
  EXPECT_EQ(goes_to({1, 2, 2, 2}), std::nullopt) << "fuller";
  EXPECT_EQ(goes_to({1, 1, 1, 2, 2, 4, 2}, {0, 1, 3}), 3u);
  EXPECT_EQ(goes_to({1, 1, 1, 2, 2, 4, 2}, {0, 1}), 1u) << "of those that it may use";
  EXPECT_EQ(goes_to({1, 1, 1, 2, 2, 4, 2}), 1u);
  EXPECT_EQ(goes_to({1, 1, 1}), 1u) << "nobody is there";
  EXPECT_EQ(goes_to({1, 1, 1}, {0}), std::nullopt) << "there is no other";
  EXPECT_EQ(goes_to({0, 1, 2}), std::nullopt) << "it does not say where it is";
  EXPECT_EQ(goes_to({3 | 0x8000'0000, 3, 9 | 0x8000'0000}, {2, 8}), 8u) << "away or not";
}

TEST(emptier_core, is_empty_where_all_sleep) {
  constexpr std::uint32_t sleeps = sleeps_there;
  EXPECT_EQ(emptier_core({1, 2 | sleeps, 2 | sleeps, 2 | sleeps}, 0, 0, two), 1u);
  EXPECT_EQ(emptier_core({1, 2 | sleeps, 2, 2}, 0, 0, two), std::nullopt) << "fuller";
  EXPECT_EQ(emptier_core({1, 1 | sleeps, 2, 2}, 0, 0, two), std::nullopt) << "nor do those here count";
  EXPECT_EQ(emptier_core({1, 1, 2, 2, 3 | sleeps}, 0, 0, {0, 1, 2}), 2u);
}

TEST(emptier_core, is_evener_if_there_are_two_fewer) {
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 3), 1u);
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 1), 1u) << "whoever notices";
  EXPECT_EQ(evens_out_to({1, 1, 2, 1}, 2), std::nullopt) << "from the emptier one";
  EXPECT_EQ(evens_out_to({1, 2, 2, 1}, 3), std::nullopt) << "they are even";
  EXPECT_EQ(evens_out_to({1, 2, 2, 1, 1}, 4), std::nullopt) << "as far as they can be";
  EXPECT_EQ(evens_out_to({3 | 0x8000'0000, 9, 3, 3, 3, 1, 9}, 4, {0, 2, 8}), 0u) << "to the emptiest";
  EXPECT_EQ(evens_out_to({1, 1, 1, 1}, 3), 1u) << "to one where nobody is";
  EXPECT_EQ(evens_out_to({1, 1, 1, 1}, 3, nine), 1u);
  EXPECT_EQ(evens_out_to({1, 1, 1, 1}, 3, {0}), std::nullopt) << "there is no other";
  EXPECT_EQ(evens_out_to({1, 1, 2, 0}, 3), std::nullopt) << "it does not say where it is";
}

}  // namespace
}  // namespace loadstone::wait
