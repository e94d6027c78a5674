#include "wait/pause.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace loadstone::wait {

namespace {

template <class Work>
std::uint64_t quickest(Work&& work) {
  std::uint64_t best = ~std::uint64_t{0};
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t begin = base::now_ns();
    work();
    best = std::min(best, base::now_ns() - begin);
  }
  return std::max<std::uint64_t>(best, 1);
}

}  // namespace

std::uint32_t turns_of_a_pause() {
  static const std::uint32_t turns = [] {
    constexpr std::uint32_t pauses = 32, in_a_loop = 4096;
    const std::uint64_t of_pauses = quickest([] {
      for (std::uint32_t i = 0; i < pauses; ++i) pause();
    });
    const std::uint64_t of_loop = quickest([] { pass(in_a_loop); });
    // Whatever the clock says: between a call's cost and a thousand cycles.
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(of_pauses * in_a_loop / (pauses * of_loop), 8, 1024));
  }();
  return turns;
}

}  // namespace loadstone::wait
