/* What the machine itself gives, for the same sizes as p2p.c; to be run between the contestants of a
 * comparison.
 *
 *   handover     one-way time of a cache line between two processes on two cores (one core if there is only one), in
 *                microseconds: "two lines" is a flag each way, "one line" is a single line written by turns
 *   memcpy       copy by one core: same (same buffers), rewritten (source written before each copy), cold (areas larger
 *                than the caches); microseconds per copy
 *   vm_readv     process_vm_readv of another process's memory by one core, in the same three ways
 *   two_copies   one-way time between private buffers of two processes through memory that both map, in parts that one copies
 *                in while the other copies out: a ring of 2 MiB each way, or one as long as the message (at most 512 KiB) for both
 *                ways; up to 1 MiB as two streams; on x86-64 also by a string instruction; the quickest of these counts; same and
 *                rewritten
 *   one_copy     one-way time between buffers that both processes map: each copies one half, and both know when it is done; from
 *                12 MiB on past the caches (x86-64); same and rewritten
 *
 * limits handover: the first of these alone.
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value". Everything copied is checked once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hand_over.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum { cold_bytes = 96 << 20 };
static const double point_seconds = 0.06;
static const long sizes[] = {1 << 10, 8 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};

/* Two lines apart, because prefetchers fetch pairs. */
typedef struct {
  _Alignas(128) atomic_uint there;
  _Alignas(128) atomic_uint back;
  _Alignas(128) atomic_uint turns;
  _Alignas(128) atomic_uint command; /* for the process whose memory is read: n-th request to rewrite */
  _Alignas(128) atomic_uint done;
  size_t offset, bytes;
} board;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char* what) {
  perror(what);
  exit(3);
}

/* The k-th CPU this process may use, counted from the first; wraps around. */
static void pin(int k) {
  static cpu_set_t allowed;
  static int known;
  if (!known && sched_getaffinity(0, sizeof allowed, &allowed)) fail("sched_getaffinity");
  known = 1;
  k %= CPU_COUNT(&allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && k-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      if (sched_setaffinity(0, sizeof one, &one)) fail("sched_setaffinity");
      return;
    }
}

static void report(const char* figure, const char* habit, long n, double seconds) {
  printf("%s\t%s\t%ld\t%.9g\n", figure, habit, n, 1e6 * seconds);
  fflush(stdout);
}

static pid_t other_process(void (*body)(board*), board* b) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(1);
    body(b);
    _exit(0);
  }
  return child;
}

enum { rounds = 100000 };

static void echo_two_lines(board* b) {
  for (unsigned i = 1; i <= rounds; i++) {
    wait_for(&b->there, i);
    atomic_store_explicit(&b->back, i, memory_order_release);
  }
}

static void echo_one_line(board* b) {
  for (unsigned i = 1; i <= rounds; i++) {
    wait_for(&b->turns, 2 * i - 1);
    atomic_store_explicit(&b->turns, 2 * i, memory_order_release);
  }
}

static void handover(board* b) {
  memset(b, 0, sizeof *b);
  pid_t child = other_process(echo_two_lines, b);
  double begin = now();
  for (unsigned i = 1; i <= rounds; i++) {
    atomic_store_explicit(&b->there, i, memory_order_release);
    wait_for(&b->back, i);
    if (i == rounds / 10) begin = now(); /* the first tenth warms up, and lets the child start */
  }
  report("handover", "two lines", 8, (now() - begin) / (2.0 * (rounds - rounds / 10)));
  waitpid(child, NULL, 0);

  child = other_process(echo_one_line, b);
  for (unsigned i = 1; i <= rounds; i++) {
    atomic_store_explicit(&b->turns, 2 * i - 1, memory_order_release);
    wait_for(&b->turns, 2 * i);
    if (i == rounds / 10) begin = now();
  }
  report("handover", "one line", 8, (now() - begin) / (2.0 * (rounds - rounds / 10)));
  waitpid(child, NULL, 0);
}

static unsigned char *area, *copy; /* before the fork: at the same address in both processes */
static pid_t owner;
static board* requests;

static void copy_here(size_t at, size_t n) {
  memcpy(copy + at, area + at, n);
}

static void read_there(size_t at, size_t n) {
  struct iovec local = {copy + at, n}, remote = {area + at, n};
  if (process_vm_readv(owner, &local, 1, &remote, 1, 0) != (ssize_t)n) fail("process_vm_readv");
}

static void rewrite_here(size_t at, size_t n, unsigned value) {
  memset(area + at, (int)value, n);
}

/* sync: rewrite-request, rewrite-done */
static void rewrite_there(size_t at, size_t n, unsigned value) {
  requests->offset = at, requests->bytes = n;
  atomic_store_explicit(&requests->command, value, memory_order_release);
  wait_for(&requests->done, value);
}

static void serve(board* b) {
  memset(area, 1, cold_bytes);
  atomic_store_explicit(&b->done, 1, memory_order_release);
  for (unsigned value = 2;; value++) {
    wait_for(&b->command, value);
    memset(area + b->offset, (int)value, b->bytes);
    atomic_store_explicit(&b->done, value, memory_order_release);
  }
}

static void copies(const char* figure, void (*move)(size_t, size_t),
                   void (*rewrite)(size_t, size_t, unsigned)) {
  unsigned value = 1; /* what the owner wrote first; each request to write carries the next */
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t n = (size_t)sizes[s], stride = n + 4096, places = cold_bytes / stride;
    move(0, n);
    double begin = now();
    move(0, n);
    int k = (int)(point_seconds / (now() - begin + 1e-9));
    k = k < 4 ? 4 : k > 20000 ? 20000 : k;

    begin = now();
    for (int i = 0; i < k; i++) move(0, n);
    report(figure, "same", sizes[s], (now() - begin) / k);

    double sum = 0;
    int done = 0;
    const double enough =
        now() + 4 * point_seconds; /* the writing itself is not counted, but takes its time */
    do {
      rewrite(0, n, ++value);
      begin = now();
      move(0, n);
      sum += now() - begin;
    } while (++done < k && now() < enough);
    report(figure, "rewritten", sizes[s], sum / done);
    for (size_t i = 0; i < n; i++)
      if (copy[i] != (unsigned char)value) {
        fprintf(stderr, "limits: %s: WRONG DATA\n", figure);
        exit(3);
      }

    begin = now();
    for (int i = 0; i < k; i++) move((size_t)i % places * stride, n);
    report(figure, "cold", sizes[s], (now() - begin) / k);
  }
}

/* The bare pipeline: a ring each way, and how much of it has been written, and read. */
enum { ring_bytes = 2 << 20, part_least = 2 << 10, part_most = 16 << 10 };
typedef struct {
  _Alignas(128) atomic_ulong written;
  _Alignas(128) atomic_ulong read;
  _Alignas(128) unsigned long write_at; /* of the process that writes */
  _Alignas(128) unsigned long read_at;  /* of the one that reads */
  _Alignas(128) unsigned char* bytes;
} one_way_ring;
static one_way_ring* rings; /* [0]: to the child */
static size_t ring_length = ring_bytes;
static int one_for_both_ways; /* what goes back is written where what came was read */
static unsigned char* lines_of(const one_way_ring* r) {
  return one_for_both_ways ? rings[0].bytes : r->bytes;
}

static void wait_until(atomic_ulong* word, unsigned long least) {
  unsigned spins = 0;
  while (atomic_load_explicit(word, memory_order_acquire) < least)
    if (++spins > 2000) sched_yield(), spins = 0;
}

static size_t part_of(size_t n) {
  return n / 4 < part_least ? part_least : n / 4 > part_most ? part_most : n / 4;
}

static int by_string; /* how parts are copied: by an instruction for strings, or as follows */

/* Both halves at once, some lines of each by turns: prefetchers start anew in each page, and two streams hide one
 * another's beginnings. */
static void copy_part(unsigned char* to, const unsigned char* from, size_t part, size_t n) {
#if defined(__x86_64__)
  if (by_string) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(part) : : "memory");
    return;
  }
#endif
  size_t piece = 512;
  __asm__("" : "+r"(piece)); /* not a constant: compilers make a string instruction of it */
  const size_t half = part / 2;
  if (n > 1 << 20) {
    memcpy(to, from, part);
    return;
  }
  for (size_t at = 0; at < half; at += piece) {
    memcpy(to + at, from + at, piece);
    memcpy(to + half + at, from + half + at, piece);
  }
}

/* sync: ring-written, ring-read */
static void ring_send(one_way_ring* r, const unsigned char* from, size_t n) {
  const size_t part = part_of(n);
  for (size_t done = 0; done < n; done += part) {
    unsigned long* at = &r->write_at;
    if (*at % ring_length + part > ring_length) *at += ring_length - *at % ring_length;
    if (*at + part > ring_length) wait_until(&r->read, *at + part - ring_length);
    copy_part(lines_of(r) + *at % ring_length, from + done, part, n);
    *at += part;
    atomic_store_explicit(&r->written, *at, memory_order_release);
  }
}

static void ring_receive(one_way_ring* r, unsigned char* to, size_t n) {
  const size_t part = part_of(n);
  for (size_t done = 0; done < n; done += part) {
    unsigned long* at = &r->read_at;
    if (*at % ring_length + part > ring_length) *at += ring_length - *at % ring_length;
    wait_until(&r->written, *at + part);
    copy_part(to + done, lines_of(r) + *at % ring_length, part, n);
    *at += part;
    atomic_store_explicit(&r->read, *at, memory_order_release);
  }
}

/* Everything that was written has been read: both rings begin anew, with another length, at the same place. */
static void begin_anew(int child, size_t length, int one_for_both) {
  one_for_both_ways = one_for_both;
  ring_length = length;
  one_way_ring *const out = &rings[child], *const in = &rings[!child];
  out->write_at = (out->write_at / ring_bytes + 1) * ring_bytes;
  in->read_at = (in->read_at / ring_bytes + 1) * ring_bytes;
  atomic_store_explicit(&in->read, in->read_at, memory_order_release); /* sync: ring-read */
}

/* k messages each way; both sides take the same steps. Seconds without the writing of this side. */
static double there_and_back(int child, size_t n, int rewritten, int k) {
  double writing = 0;
  const double begin = now();
  for (int i = 0; i < k; i++)
    for (int turn = 0; turn < 2; turn++) {
      if (turn != child) {
        ring_receive(&rings[!child], copy, n);
        continue;
      }
      if (rewritten) {
        const double start = now();
        memset(area, i & 255, n);
        writing += now() - start;
      }
      ring_send(&rings[child], area, n);
    }
  /* The other side writes as long as this one does. */
  return now() - begin - 2 * writing;
}

/* k messages each way at once, a window of each by turns. Seconds. */
static double both_at_once(int child, size_t n, int k) {
  const size_t window = n < ring_bytes / 4 ? n : ring_bytes / 4;
  const double begin = now();
  for (int i = 0; i < k; i++)
    for (size_t at = 0; at < n; at += window) {
      ring_send(&rings[child], area + at, window);
      ring_receive(&rings[!child], copy + at, window);
    }
  return now() - begin;
}

static void two_copies_of(int child) {
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t n = (size_t)sizes[s];
    if (n < 8 << 10) continue;
    /* The ring is in use: all of its pages are there. */
    const int k = 20 + (int)(2 * point_seconds / (1e-6 + 1e-10 * (double)n));
    begin_anew(child, ring_bytes, 0);
    there_and_back(child, n, 0, (int)(2 * ring_bytes / n) + 2);
    double least[3] = {1e9, 1e9, 1e9};
    for (int one = 0; one < 2; one++) {
      begin_anew(child, one && n < ring_bytes / 4 ? n : one ? ring_bytes / 4 : ring_bytes, one);
      for (by_string = 0; by_string < 2; by_string++)
        for (int how = 0; how < (one ? 2 : 3); how++) {
          const double took =
              how < 2 ? there_and_back(child, n, how, k) / (2.0 * k) : both_at_once(child, n, k) / k;
          if (took < least[how]) least[how] = took;
        }
    }
    static const char* const habits[] = {"same", "rewritten", "both ways"};
    for (int how = 0; how < 3 && !child; how++) report("two_copies", habits[how], sizes[s], least[how]);
    for (size_t i = 0; i < n; i++)
      if (copy[i] != (unsigned char)((k - 1) & 255)) {
        fprintf(stderr, "limits: two copies: WRONG DATA\n");
        exit(3);
      }
  }
}

static void two_copies_there(board* b) {
  (void)b;
  two_copies_of(1);
}

static void* shared(size_t n) {
  void* memory = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  return memory;
}

static void two_copies(board* b) {
  rings = shared(2 * sizeof *rings);
  for (int i = 0; i < 2; i++) rings[i].bytes = shared(ring_bytes);
  const pid_t child = other_process(two_copies_there, b);
  two_copies_of(0);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) exit(3);
}

/* --- one copy, by two cores --- */

typedef struct {
  _Alignas(128) atomic_ulong begun;   /* written by the sender of this direction */
  _Alignas(128) atomic_ulong done[2]; /* by whom: the parent, the child */
  unsigned char *from, *to;
} direction;
static direction* directions; /* [0]: to the child */

static void copy_past_caches(unsigned char* to, const unsigned char* from, size_t n) {
#if defined(__x86_64__)
  for (size_t at = 0; at < n; at += 64)
    for (int i = 0; i < 4; i++)
      _mm_stream_si128((__m128i*)(to + at) + i, _mm_loadu_si128((const __m128i*)(from + at) + i));
  _mm_sfence();
#else
  memcpy(to, from, n);
#endif
}

static void copy_half(const direction* d, int half, size_t n) {
  const size_t at = half ? n / 2 : 0;
  if (n >= 12u << 20)
    copy_past_caches(d->to + at, d->from + at, n / 2);
  else
    memcpy(d->to + at, d->from + at, n / 2);
}

/* sync: half-begun, half-done */
static double halves_there_and_back(int child, size_t n, int rewritten, int k, unsigned long* count) {
  double writing = 0;
  const double begin = now();
  for (int i = 0; i < k; i++) {
    ++*count;
    for (int turn = 0; turn < 2; turn++) {
      direction* d = &directions[turn];
      if (turn == child) { /* the sender: the parent in direction 0 */
        if (rewritten) {
          const double start = now();
          memset(d->from, i & 255, n);
          writing += now() - start;
        }
        atomic_store_explicit(&d->begun, *count, memory_order_release);
      } else {
        wait_until(&d->begun, *count);
      }
      copy_half(d, turn != child, n);
      atomic_store_explicit(&d->done[child], *count, memory_order_release);
      wait_until(&d->done[!child], *count);
    }
  }
  return now() - begin - 2 * writing;
}

static void one_copy_of(int child) {
  unsigned long count = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t n = (size_t)sizes[s];
    if (n < 8 << 10) continue;
    const int k = 10 + (int)(2 * point_seconds / (1e-6 + 1e-10 * (double)n));
    halves_there_and_back(child, n, 0, 3, &count);
    for (int rewritten = 0; rewritten < 2; rewritten++) {
      const double took = halves_there_and_back(child, n, rewritten, k, &count) / (2.0 * k);
      if (!child) report("one_copy", rewritten ? "rewritten" : "same", sizes[s], took);
    }
    for (size_t i = 0; i < n; i++)
      if (directions[!child].to[i] != (unsigned char)((k - 1) & 255)) {
        fprintf(stderr, "limits: one copy: WRONG DATA\n");
        exit(3);
      }
  }
}

static void one_copy_there(board* b) {
  (void)b;
  one_copy_of(1);
}

static void one_copy(board* b) {
  const size_t most = (size_t)sizes[sizeof sizes / sizeof *sizes - 1];
  directions = shared(2 * sizeof *directions);
  for (int i = 0; i < 2; i++) {
    directions[i].from = shared(most), directions[i].to = shared(most);
    memset(directions[i].from, 1, most), memset(directions[i].to, 2, most);
  }
  const pid_t child = other_process(one_copy_there, b);
  one_copy_of(0);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) exit(3);
  for (int i = 0; i < 2; i++) munmap(directions[i].from, most), munmap(directions[i].to, most);
}

int main(int argc, char** argv) {
  pin(0);
  board* b = shared(sizeof *b);
  if (argc > 1 && strcmp(argv[1], "handover") == 0) {
    handover(b);
    return 0;
  }
  area = mmap(NULL, cold_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  copy = mmap(NULL, cold_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || copy == MAP_FAILED) fail("mmap");
  memset(area, 1, cold_bytes);
  memset(copy, 2, cold_bytes);

  handover(b);
  copies("memcpy", copy_here, rewrite_here);

  two_copies(b);
  one_copy(b);

  memset(b, 0, sizeof *b);
  requests = b;
  owner = other_process(serve, b);
  wait_for(&b->done, 1);
  struct iovec local = {copy, 8}, remote = {area, 8};
  if (process_vm_readv(owner, &local, 1, &remote, 1, 0) == 8)
    copies("vm_readv", read_there, rewrite_there);
  else
    fprintf(stderr, "limits: process_vm_readv is refused here\n");
  kill(owner, SIGKILL);
  waitpid(owner, NULL, 0);
  return 0;
}
