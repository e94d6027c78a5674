/* What writing pieces costs that lie by turns in a file, of two to eight bare processes: no library is in it.
 *
 *   cc -O3 -march=native bench/bare_interleaved.c -o bare_interleaved && ./bare_interleaved FOLDER [PROCESSES [WINDOW_KIB...]]
 *
 * Each process writes 4 MiB to a file. Lines "way <tab> piece <tab> microseconds <tab> part of the limit":
 *
 *   one call   the limit: what a process writes lies in one piece, and is written by one pwrite
 *   calls      the same by calls of a window's length
 *   windows    pieces are put side by side in a window, and that is written by a call; all of them come from its own memory
 *   push       each puts its pieces into windows of two of them, two windows each by turns; a barrier before a window is
 *              written, by one of the two while the other fills (what Loadstone does)
 *   copy       pieces are put into memory that is no file: what one copy takes
 *   stored     pieces are stored into a mapping of the file, whose pages are there (last, as calls take longer once it exists)
 *
 * Medians, by turns. `again`: the file is in the page cache, and nothing has been written back meanwhile. `behind fsync`:
 * before each, as after a pause of the program. `anew`: the file is empty before. More processes than cores sleep in a
 * barrier, others look all the time.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 8, writers = 2, each = 4 << 20, rounds = 25 };
enum { again, behind_fsync, anew };
typedef struct {
  _Alignas(128) atomic_int come;
  _Alignas(128) atomic_int met;
  double begin[most], end[most];
} control;

static control* all;
static int members = 2, sleeps, self, file;
static char* windows[most]; /* seen by all */
static char *data, *memory, *mapping;
static long window = 256 << 10, piece;

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
  const int before = atomic_load(&all->met);
  if (atomic_fetch_add(&all->come, 1) + 1 == members) {
    atomic_store(&all->come, 0);
    atomic_store(&all->met, before + 1);
    if (sleeps) syscall(SYS_futex, &all->met, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    return;
  }
  while (atomic_load(&all->met) == before) {
    if (sleeps)
      syscall(SYS_futex, &all->met, FUTEX_WAIT, before, NULL, NULL, 0);
    else
      __builtin_ia32_pause();
  }
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
  const int first = self * writers / members;
  for (int i = 0; i < writers; i++) {
    const int to = (first + i) % writers;
    put(windows[to] + parity * window, (long)to * members * each / writers + at, window, self);
  }
}
static void push(void) {
  const long domain = (long)members * each / writers;
  const int number = self == 0 ? 0 : self == members / writers ? 1 : -1;
  push_all(0, 0);
  int parity = 0;
  for (long at = 0; at < domain; at += window, parity ^= 1) {
    meet();
    const int last = at + window >= domain;
    if (number == 1 && !last) push_all(at + window, !parity);
    if (number >= 0) write_at(windows[number] + parity * window, window, number * domain + at);
    if (number != 1 && !last) push_all(at + window, !parity);
  }
}
static void stored(void) {
  const long all_of_it = (long)members * each;
  for (long i = 0; i < all_of_it; i += window) {
    const long at = ((long)self * each + i) % all_of_it;
    put(mapping + at, at, window, self);
  }
}
static void copy(void) {
  for (long at = 0; at < each; at += window) put_both(memory + at, (long)self * each + at, window);
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double timed(void (*way)(void), int state) {
  if (state == behind_fsync && self == 0 && fsync(file) != 0) fail("fsync");
  if (state == anew && self == 0 && ftruncate(file, 0) != 0) fail("ftruncate");
  meet();
  all->begin[self] = now();
  way();
  all->end[self] = now();
  meet();
  double begin = all->begin[0], end = all->end[0];
  for (int m = 1; m < members; m++) {
    if (all->begin[m] < begin) begin = all->begin[m];
    if (all->end[m] > end) end = all->end[m];
  }
  meet();
  return end - begin;
}

static void compare(int state) {
  static const struct {
    const char* name;
    void (*way)(void);
  } ways[] = {
      {"one call", one_call}, {"calls", calls}, {"windows", by_windows}, {"push", push}, {"copy", copy}};
  static const char* const states[] = {"again", "behind fsync", "anew"};
  enum { count = sizeof ways / sizeof *ways };
  static double took[count + 1][rounds];
  for (int i = -1; i < rounds; i++)
    for (int w = 0; w < count; w++) {
      const double one = timed(ways[w].way, state);
      if (i >= 0) took[w][i] = one;
    }
  const int kinds = state == anew ? count : count + 1;
  if (kinds > count) {
    const size_t bytes = (size_t)members * each;
    mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (mapping == MAP_FAILED) fail("mmap");
    for (int i = -1; i < rounds; i++) {
      const double one = timed(stored, state);
      if (i >= 0) took[count][i] = one;
    }
    munmap(mapping, bytes);
  }
  for (int w = 0; w < kinds; w++) qsort(took[w], rounds, sizeof(double), by_value);
  if (self == 0)
    for (int w = 0; w < kinds; w++)
      printf("%s, %s\t%ld\t%.0f\t%.2f\n", w < count ? ways[w].name : "stored", states[state], piece,
             took[w][rounds / 2], took[0][rounds / 2] / took[w][rounds / 2]);
}

int main(int argc, char** argv) {
  char name[4096];
  if (argc < 2) return fprintf(stderr, "usage: bare_interleaved FOLDER [PROCESSES [WINDOW_KIB...]]\n"), 2;
  if (argc > 2) members = atoi(argv[2]);
  if (members < writers || members > most || members % writers != 0)
    return fprintf(stderr, "2, 4, 6 or 8 processes\n"), 2;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  sleeps = members > cores;
  snprintf(name, sizeof name, "%s/bare-interleaved.data", argv[1]);
  if ((file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0666)) < 0) fail("open");
  unlink(name);
  all = shared(sizeof *all);
  for (int m = 0; m < members; m++) windows[m] = shared(2 << 20);
  fflush(NULL);
  for (int m = 1; m < members && self == 0; m++) self = fork() == 0 ? m : 0;
  if (self != 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!sleeps) {
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(self, &core);
    sched_setaffinity(0, sizeof core, &core);
  }
  data = own(each);
  memory = own((size_t)each);
  meet();
  one_call();
  meet();
  for (int i = 3; i == 3 || i < argc; i++) {
    if (i < argc) window = atol(argv[i]) << 10;
    if (window < 8192 * members || window > 1 << 20 || each % window != 0)
      return fprintf(stderr, "no such window\n"), 2;
    if (self == 0) printf("windows of %ld KiB\n", window >> 10);
    for (piece = 8; piece <= 4096; piece = piece == 8 ? 256 : piece * 16)
      for (int state = again; state <= anew; state++) compare(state);
  }
  int failed = 0;
  for (int status; self == 0 && wait(&status) > 0;) failed |= status;
  return failed != 0;
}
