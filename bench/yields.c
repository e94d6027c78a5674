/* What epochs of windows cost at the least with more processes than cores: bare processes that tell each other the same by stores
 * in shared memory, and call sched_yield until they see what they wait for. No library is in it.
 *
 *   cc -O2 bench/yields.c -o yields && ./yields 4 && ./yields 8        microseconds of a round
 *
 * fence: all count themselves in, the last one lets them go; fence, polled: the same, but who comes last of those on its core polls
 * for the other cores; ring: post, start, complete and wait with both neighbours; all: the
 * same, each with all others; bcast: each in turn tells all others something, who read it when they come.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 32, rounds = 20000, warm = 500, most_polls = 100 };

static struct {
  _Alignas(128) atomic_long arrived;
  _Alignas(128) atomic_long released;
  _Alignas(128) atomic_long listed;
  _Alignas(128) atomic_long listed_released;
  struct {
    _Alignas(128) atomic_long posted[most];
    _Alignas(128) atomic_long completed;
    _Alignas(128) atomic_long told;
    _Alignas(128) atomic_int core;
  } of[most];
}* all;

static int self, size;
static long fences, posts, completions, broadcasts, polled;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* sync: none; each word has one meaning, and nothing is read behind it. */
static void await(atomic_long* word, long value) {
  while (atomic_load_explicit(word, memory_order_acquire) < value) sched_yield();
}

static void fence(void) {
  fences++;
  if (atomic_fetch_add(&all->arrived, 1) + 1 == fences * size)
    atomic_store_explicit(&all->released, fences, memory_order_release);
  else
    await(&all->released, fences);
}

/* Up to 32 processes: a bit for each that has come, below the number of the fence. */
static void polled_fence(void) {
  const long mine = 1L << self, everybody_here = (1L << size) - 1;
  long seen = atomic_load(&all->listed), next;
  polled++;
  all->of[self].core = sched_getcpu();
  do next = (seen >> 32 == polled ? seen : polled << 32) | mine;
  while (!atomic_compare_exchange_weak(&all->listed, &seen, next));
  if ((next & everybody_here) == everybody_here) {
    atomic_store_explicit(&all->listed_released, polled, memory_order_release);
    return;
  }
  long mates = 0;
  for (int r = 0; r < size; r++) mates |= (long)(all->of[r].core == all->of[self].core) << r;
  for (int polls = 0; atomic_load_explicit(&all->listed_released, memory_order_acquire) < polled;)
    if ((atomic_load_explicit(&all->listed, memory_order_relaxed) & mates) != mates || polls++ == most_polls)
      sched_yield(), polls = 0;
    else
      __builtin_ia32_pause();
}

/* With those `step` ranks away, up to `last`. */
static void epoch(int last) {
  posts++;
  for (int step = 1; step <= last; step++)
    atomic_store_explicit(&all->of[(self + size - step) % size].posted[self], posts, memory_order_release);
  for (int step = 1; step <= last; step++) await(&all->of[self].posted[(self + step) % size], posts);
  for (int step = 1; step <= last; step++, completions++)
    atomic_fetch_add(&all->of[(self + step) % size].completed, 1);
  await(&all->of[self].completed, completions);
}

static void ring(void) {
  epoch(1);
}

static void everybody(void) {
  epoch(size - 1);
}

/* Nobody waits for those that read: there are places enough. */
static void bcast(void) {
  const int root = (int)(broadcasts++ % size);
  if (root == self)
    atomic_store_explicit(&all->of[root].told, broadcasts, memory_order_release);
  else
    await(&all->of[root].told, broadcasts);
}

static double time_of(void (*round)(void)) {
  for (int i = 0; i < warm; i++) round();
  const double begin = now();
  for (int i = 0; i < rounds; i++) round();
  const double took = (now() - begin) / rounds;
  fence();
  return took;
}

int main(int argc, char** argv) {
  size = argc == 2 ? atoi(argv[1]) : 0;
  if (size < 2 || size > most) {
    fprintf(stderr, "usage: yields PROCESSES (2 to %d)\n", most);
    return 2;
  }
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 1;
  for (self = 0; self < size; self++) {
    if (fork() != 0) continue;
    const double fence_takes = time_of(fence), polled_takes = time_of(polled_fence),
                 ring_takes = time_of(ring), all_take = time_of(everybody), bcast_takes = time_of(bcast);
    if (self == 0)
      printf("%d processes: fence %.2f, polled %.2f, ring %.2f, all %.2f, bcast %.2f us\n", size, fence_takes,
             polled_takes, ring_takes, all_take, bcast_takes);
    exit(0);
  }
  while (wait(NULL) > 0) continue;
  return 0;
}
