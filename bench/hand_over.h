/* Waiting for a word that another process writes: what a hand-over of a cache line is measured with (limits.c, p2p.c). */
#ifndef HAND_OVER_H
#define HAND_OVER_H

#include <sched.h>
#include <stdatomic.h>

/* With a pause between two looks, so that the one who writes keeps the line for a moment. sync: the figure is the time
 * between a release store and the acquire load that sees it. */
static inline void wait_for(atomic_uint* word, unsigned value) {
  unsigned looks = 0;
  while (atomic_load_explicit(word, memory_order_acquire) != value) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
    if (++looks > 2000) sched_yield(), looks = 0;
  }
}

#endif
