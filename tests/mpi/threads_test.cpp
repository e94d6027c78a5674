// MPI_THREAD_MULTIPLE over the chapters of the standard: ranks are threads of this process, so that a
// sanitizer sees all of them.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "mpi/chapters.h"
#include "mpi/ranks.hpp"

namespace loadstone::testing {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr int rounds = 6;
#else
constexpr int rounds = 20;
#endif

using shape = std::pair<std::uint32_t, int>;  // ranks, threads of each
constexpr shape shapes[] = {{1, 3}, {2, 2}, {3, 4}, {2, 8}};

template <class Work>
void in_rooms(shape wanted, Work work) {
  run_ranks(wanted.first, [&] {
    room r;
    open_room(&r, wanted.second, rounds);
    run_threads(wanted.second, [&](int t) {
      const seat s{&r, t};
      work(s);
    });
    close_room(&r);
  });
}

class threads : public ::testing::TestWithParam<int> {};

TEST_P(threads, of_every_rank_at_once) {
  const chapter& c = chapters[GetParam()];
  for (const shape& wanted : shapes) in_rooms(wanted, [&](const seat& s) { c.work(&s); });
}

INSTANTIATE_TEST_SUITE_P(chapters, threads, ::testing::Range(0, chapter_count),
                         [](const auto& at) { return std::string(chapters[at.param].name); });

TEST(threads_mixed, each_in_another_chapter) {
  for (const shape& wanted : {shape{1, 4}, shape{2, 4}, shape{3, 3}, shape{2, 8}})
    in_rooms(wanted, [](const seat& s) { mixed_chapters(&s); });
}

}  // namespace
}  // namespace loadstone::testing
