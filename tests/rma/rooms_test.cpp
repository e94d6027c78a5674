#include "rma/rooms.hpp"

#include <gtest/gtest.h>

#include "rma/windows.hpp"

namespace loadstone::test::rooms_test {
namespace {

constexpr std::size_t piece = 64 * 1024;

// One rank, its arena, and the rooms in it.
void with_rooms(void (*what)(rma::rooms& all)) {
  run_threads(1, {}, {},
              [&](node& n) {
                rma::rooms all(*n.arena);
                what(all);
              },
              {});
}

TEST(rooms, long_ones_lie_behind_each_other_and_come_back_late) {
  with_rooms([](rma::rooms& all) {
    const rma::rooms::room first = all.take(piece);
    all.give(first);
    std::size_t between = 0;
    for (std::size_t last = first.end;; ++between) {
      const rma::rooms::room next = all.take(piece);
      all.give(next);
      if (next.begin == first.begin) break;
      ASSERT_EQ(next.begin, last);
      last = next.end;
    }
    EXPECT_GE((between + 1) * piece, std::size_t{2} << 20);
  });
}

TEST(rooms, what_is_used_is_not_given_again) {
  with_rooms([](rma::rooms& all) {
    std::vector<rma::rooms::room> held;
    for (;;) {
      const rma::rooms::room next = all.take(piece);
      if (next.memory == nullptr) break;
      for (const rma::rooms::room& other : held)
        ASSERT_TRUE(next.end <= other.begin || other.end <= next.begin);
      held.push_back(next);
    }
    ASSERT_GT(held.size(), 4u);
    all.give(held[2]);
    const rma::rooms::room again = all.take(piece);
    EXPECT_EQ(again.begin, held[2].begin);
    EXPECT_EQ(all.take(64).memory, nullptr);
  });
}

TEST(rooms, what_is_not_needed_is_for_the_next_and_short_ones_stay) {
  with_rooms([](rma::rooms& all) {
    rma::rooms::room first = all.take(piece);
    all.cut(&first, 5000);
    const rma::rooms::room second = all.take(piece);
    EXPECT_EQ(second.begin, first.begin + 5056);
    all.give(first), all.give(second);
    rma::rooms::room short_one = all.take(piece);
    all.cut(&short_one, 100);
    const rma::rooms::room beside = all.take(100);
    EXPECT_GE(beside.begin, short_one.end) << "it is used";
    all.give(beside), all.give(short_one);
  });
}

}  // namespace
}  // namespace loadstone::test::rooms_test
