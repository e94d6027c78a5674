// What a waiter does after it has looked in vain: spin, yield or sleep, by the policy. One object per waiting
// thread of control, kept from wait to wait because it learns from slow yields.
#pragma once

#include <cstdint>

#include "wait/policy.hpp"

namespace loadstone::wait {

enum class advice : std::uint8_t { look_again, yield, sleep };

class backoff {
 public:
  explicit backoff(const policy& p) : policy_(p) {}

  // A wait begins, or something arrived: the peer is running.
  void restart() {
    looks_ = 0;
    yields_ = 0;
  }

  // After a look in vain. The first looks cost no clock.
  advice next() {
    // More than one: a look takes the line away from whoever is writing into it (trials: 0.17 us a hand-over
    // with one, 0.14 with three).
    for (int i = 0; i < 3; ++i) pause();
    if (++looks_ <= free_looks && policy_.how != mode::block) [[likely]]
      return advice::look_again;
    return next_slow();
  }

  void yield();  // gives the processor away, and learns how long that took

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
  }

 private:
  advice next_slow();

  static constexpr std::uint32_t free_looks = 16;
  policy policy_;
  std::uint32_t looks_ = 0;
  std::uint32_t yields_ = 0;
  std::uint32_t no_yields_for_ = 0;  // waits
  std::uint64_t since_ = 0;          // ns; when spinning began
};

}  // namespace loadstone::wait
