/* What writing pieces costs that lie by turns in a file, of two bare processes: no library is in it.
 *
 *   cc -O3 -march=native bench/bare_interleaved.c -o bare_interleaved && ./bare_interleaved FOLDER [WINDOW_KIB...]
 *
 * Each process writes one half of a file of 8 MiB that is in the page cache. Lines "way <tab> piece <tab> microseconds <tab> part of the limit":
 *
 *   one call   the limit: the half lies in one piece, and is written by one pwrite
 *   calls      the same by calls of a window's length
 *   windows    pieces are put side by side in a window, and that is written by a call; all of them come from its own memory
 *   push       each puts its pieces into windows of both, two of them by turns; a barrier before a window is written, by one
 *              process while the other fills (what Loadstone does)
 *   copy       pieces are put into memory that is no file: what one copy takes
 *   mapped     pieces are stored into a mapping of the file, whose pages are there (last, as calls take longer once it exists)
 *
 * Medians, by turns. `again`: nothing has been written back meanwhile. `behind fsync`: before each, as after a pause of the program.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { members = 2, each = 4 << 20, rounds = 25 };
typedef struct {
  _Alignas(128) atomic_long come;
  double begin[members], end[members];
} control;

static control* all;
static int self, file;
static char* windows[members]; /* seen by both */
static char *data, *memory, *mapping;
static long window = 256 << 10, piece, meetings;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}
static void fail(const char* what) {
  perror(what);
  exit(1);
}
static void meet(void) {
  meetings++;
  atomic_fetch_add(&all->come, 1);
  while (atomic_load_explicit(&all->come, memory_order_acquire) < members * meetings) __builtin_ia32_pause();
}
static void* shared(size_t bytes) {
  void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (at == MAP_FAILED) fail("mmap");
  return at;
}
static void* own(size_t bytes) {
  void* at = aligned_alloc(2 << 20, bytes);
  if (at == NULL || madvise(at, bytes, MADV_HUGEPAGE) != 0) fail("memory");
  memset(at, 65 + self, bytes);
  return at;
}
static void write_at(const char* from, long bytes, long at) {
  if (pwrite(file, from, (size_t)bytes, at) != bytes) fail("pwrite");
}

/* The pieces of one member in [from, from + bytes) of the file, a multiple of `members` pieces. */
static void put(char* to, long from, long bytes, int member) {
  const char* source = data + from / members;
  to += member * piece;
  if (piece == 8)
    for (long i = 0; i < bytes; i += members * 8, source += 8) memcpy(to + i, source, 8);
  else
    for (long i = 0; i < bytes; i += members * piece, source += piece) memcpy(to + i, source, (size_t)piece);
}
static void put_both(char* to, long from, long bytes) {
  for (int m = 0; m < members; m++) put(to, from, bytes, m);
}

static void one_call(void) {
  write_at(data, each, (long)self * each);
}
static void calls(void) {
  for (long at = 0; at < each; at += window) write_at(data + at, window, (long)self * each + at);
}
static void by_windows(void) {
  for (long at = 0; at < each; at += window) {
    put_both(windows[self], (long)self * each + at, window);
    write_at(windows[self], window, (long)self * each + at);
  }
}
static void push_all(long at, int parity) {
  for (int i = 0; i < members; i++) {
    const int to = (self + i) % members;
    put(windows[to] + parity * window, (long)to * each + at, window, self);
  }
}
static void push(void) {
  push_all(0, 0);
  int parity = 0;
  for (long at = 0; at < each; at += window, parity ^= 1) {
    meet();
    const int last = at + window >= each;
    if (self == 1 && !last) push_all(at + window, !parity);
    write_at(windows[self] + parity * window, window, (long)self * each + at);
    if (self == 0 && !last) push_all(at + window, !parity);
  }
}
static void mapped(void) {
  for (long at = 0; at < each; at += window)
    put_both(mapping + (long)self * each + at, (long)self * each + at, window);
}
static void copy(void) {
  for (long at = 0; at < each; at += window) put_both(memory + at, (long)self * each + at, window);
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double timed(void (*way)(void), int flush) {
  if (flush && self == 0 && fsync(file) != 0) fail("fsync");
  meet();
  all->begin[self] = now();
  way();
  all->end[self] = now();
  meet();
  const double begin = all->begin[0] < all->begin[1] ? all->begin[0] : all->begin[1];
  const double end = all->end[0] > all->end[1] ? all->end[0] : all->end[1];
  meet();
  return end - begin;
}

static void compare(int flush) {
  static const struct {
    const char* name;
    void (*way)(void);
  } ways[] = {
      {"one call", one_call}, {"calls", calls}, {"windows", by_windows}, {"push", push}, {"copy", copy}};
  enum { count = sizeof ways / sizeof *ways };
  static double took[count + 1][rounds];
  for (int i = -1; i < rounds; i++)
    for (int w = 0; w < count; w++) {
      const double one = timed(ways[w].way, flush);
      if (i >= 0) took[w][i] = one;
    }
  mapping = mmap(NULL, members * each, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (mapping == MAP_FAILED) fail("mmap");
  for (int i = -1; i < rounds; i++) {
    const double one = timed(mapped, flush);
    if (i >= 0) took[count][i] = one;
  }
  munmap(mapping, members * each);
  for (int w = 0; w <= count; w++) qsort(took[w], rounds, sizeof(double), by_value);
  if (self == 0)
    for (int w = 0; w <= count; w++)
      printf("%s, %s\t%ld\t%.0f\t%.2f\n", w < count ? ways[w].name : "mapped",
             flush ? "behind fsync" : "again", piece, took[w][rounds / 2],
             took[0][rounds / 2] / took[w][rounds / 2]);
}

int main(int argc, char** argv) {
  char name[4096];
  if (argc < 2) return fprintf(stderr, "usage: bare_interleaved FOLDER [WINDOW_KIB...]\n"), 2;
  snprintf(name, sizeof name, "%s/bare-interleaved.data", argv[1]);
  if ((file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0666)) < 0) fail("open");
  unlink(name);
  all = shared(sizeof *all);
  for (int m = 0; m < members; m++) windows[m] = shared(2 << 20);
  fflush(NULL);
  const pid_t other = fork();
  self = other == 0;
  if (self) prctl(PR_SET_PDEATHSIG, SIGKILL);
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(self, &core);
  sched_setaffinity(0, sizeof core, &core);
  data = own(each);
  memory = own(each);
  meet();
  one_call();
  meet();
  for (int i = 2; i == 2 || i < argc; i++) {
    if (i < argc) window = atol(argv[i]) << 10;
    if (window < 8192 || window > 1 << 20 || each % window != 0)
      return fprintf(stderr, "no such window\n"), 2;
    if (self == 0) printf("windows of %ld KiB\n", window >> 10);
    for (piece = 8; piece <= 4096; piece = piece == 8 ? 256 : piece * 16)
      for (int flush = 0; flush < 2; flush++) compare(flush);
  }
  if (self == 0) {
    int status = 0;
    waitpid(other, &status, 0);
    return status != 0;
  }
  return 0;
}
