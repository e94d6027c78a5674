// One message beyond 2^31 bytes, once: through process_vm_* (a system call moves less than 2 GiB) and counted
// in 64 bits.
#include <gtest/gtest.h>

#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

TEST(huge, a_message_of_more_than_two_gibibytes) {
#ifndef NDEBUG
  GTEST_SKIP() << "in optimised builds without a sanitizer: it takes 4.4 GB and some seconds";
#elif defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's shadow would not fit";
#endif
  constexpr std::size_t n = 2200u * (std::size_t{1} << 20) + 77;
  run_processes(2, [](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    // One word a page tells where it belongs; the rest costs memory, not time.
    auto* memory = static_cast<std::byte*>(
        mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    ASSERT_NE(memory, MAP_FAILED);
    const auto word = [&](std::size_t i) { return reinterpret_cast<std::uint64_t*>(memory + i * 4096); };
    if (r.self == 0) {
      for (std::size_t i = 0; i < n / 4096; ++i) *word(i) = i * 0x9e3779b97f4a7c15u;
      memory[n - 1] = std::byte{0x5a};
      EXPECT_EQ(send(r, w, bytes_of(memory, n), 1, 3).error, 0);
    } else {
      p2p::outcome found;
      while (!with_gate(r, [&](p2p::engine& e) { return e.probe(w, 0, 3, &found); })) {
      }
      EXPECT_EQ(found.bytes, static_cast<std::int64_t>(n));
      const p2p::outcome o = receive(r, w, bytes_of(memory, n), 0, 3);
      EXPECT_EQ(o.error, 0);
      EXPECT_EQ(o.bytes, static_cast<std::int64_t>(n));
      bool good = memory[n - 1] == std::byte{0x5a};
      for (std::size_t i = 0; i < n / 4096; ++i) good = good && *word(i) == i * 0x9e3779b97f4a7c15u;
      EXPECT_TRUE(good);
    }
    meet(r, s);
    munmap(memory, n);
  });
}

}  // namespace
}  // namespace loadstone::testing
