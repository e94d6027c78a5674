// There is no memory for what a way keeps: the message goes another way, and no exception leaves a handler.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "p2p/ranks.hpp"

namespace {
std::atomic<bool> no_memory_is_left{false};
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have operators of their own
// All forms of aligned `new` come here.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  void* const got = no_memory_is_left ? nullptr : std::aligned_alloc(to, (bytes + to - 1) / to * to);
  if (got == nullptr) throw std::bad_alloc();
  return got;
}
#define LOADSTONE_OWN_NEW 1
#endif

namespace loadstone::testing {
namespace {

TEST(no_memory, a_copy_by_the_kernel_is_not_made) {
#ifndef LOADSTONE_OWN_NEW
  GTEST_SKIP() << "the sanitizer has its own operator new";
#endif
  ranks_config c;
  c.rank.p2p.eager_limit = 64;
  c.rank.p2p.both_sides = 0;
  c.rank.p2p.pipeline_limit = 0;
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        const auto data = painted(300'000, 3);
        using engine = p2p::engine;
        const auto by = [&](engine::protocol way) {
          return with_gate(r, [&](engine& e) { return e.counts().messages[way]; });
        };
        for (const bool none : {true, false}) {
          std::vector<std::byte> got(data.size());
          meet(r, s);
          const std::uint64_t single = by(engine::single_copy), pipelined = by(engine::pipelined);
          // The receiver comes when the message is there, or its sender would know of the receive.
          outcome offered;
          while (r.self == 1 && !with_gate(r, [&](engine& e) { return e.probe(w, 0, 5, &offered); }))
            std::this_thread::yield();
          no_memory_is_left = none;
          const outcome o = r.self == 0 ? send(r, w, bytes_of(data.data(), data.size()), 1, 5)
                                        : receive(r, w, bytes_of(got.data(), got.size()), 0, 5);
          no_memory_is_left = false;
          EXPECT_EQ(o.error, 0);
          if (r.self == 0) continue;
          EXPECT_EQ(got, data);
          EXPECT_EQ(by(engine::single_copy) - single, none ? 0u : 1u);
          EXPECT_EQ(by(engine::pipelined) - pipelined, none ? 1u : 0u);
        }
        meet(r, s);
      },
      c);
}

}  // namespace
}  // namespace loadstone::testing
