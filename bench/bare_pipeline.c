/* What two copies through common memory take two bare processes: messages by turns, and exchanges, in which both write
 * and both read. A message is copied into a ring of the sender's piece by piece, and out of it by the receiver, which
 * follows. For each length of message, a row for each length of the ring and a column for each of a piece: microseconds
 * one way, or for an exchange; least of five. In brackets the hand-over of a line before and after.
 *
 *   cc -O2 -mavx2 bench/bare_pipeline.c -o bare_pipeline && ./bare_pipeline [turns|exchange [bytes of a message]]
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { longest = 4 << 20, tries = 5 };
static const size_t messages[] = {64 << 10, 256 << 10, 1 << 20, 4 << 20};
static const size_t rings[] = {64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20};
static const size_t pieces[] = {4 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10};
#define COUNT(a) (sizeof(a) / sizeof *(a))

struct way { /* from one process to the other: bytes since the begin */
  _Alignas(128) atomic_ulong written;
  _Alignas(128) atomic_ulong read;
};
static struct shared {
  struct way way[2]; /* by sender */
  _Alignas(128) atomic_ulong arrived;
  _Alignas(128) atomic_ulong line;
}* shared;
static char* ring[2]; /* by sender */
static char *out, *in;
static int self;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void copy(char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64) {
    const __m256i a = _mm256_loadu_si256((const __m256i*)(from + i));
    const __m256i b = _mm256_loadu_si256((const __m256i*)(from + i + 32));
    _mm256_storeu_si256((__m256i*)(to + i), a);
    _mm256_storeu_si256((__m256i*)(to + i + 32), b);
  }
}

static void barrier(void) {
  static unsigned long times;
  ++times;
  atomic_fetch_add(&shared->arrived, 1);
  while (atomic_load(&shared->arrived) < 2 * times) _mm_pause();
}

static double hand_over(void) { /* nanoseconds */
  enum { rounds = 20000 };
  barrier();
  atomic_store(&shared->line, 0);
  barrier();
  const double begin = now();
  for (unsigned long i = 0; i < rounds; i++) {
    if ((int)(i % 2) == self)
      atomic_store_explicit(&shared->line, i + 1, memory_order_release);
    else
      while (atomic_load_explicit(&shared->line, memory_order_acquire) != i + 1) _mm_pause();
  }
  return 1e3 * (now() - begin) / rounds;
}

/* One piece at `at` of a message that begins at byte `base` of the way; 0: there is no room, or nothing yet. */
static int write_piece(struct way* w, char* through, size_t size, size_t base, size_t at, size_t piece) {
  const size_t end = base + at + piece;
  if (end > size && atomic_load_explicit(&w->read, memory_order_acquire) + size < end) return 0;
  copy(through + (end - piece) % size, out + at, piece);
  atomic_store_explicit(&w->written, end, memory_order_release);
  return 1;
}
static int read_piece(struct way* w, const char* through, size_t size, size_t base, size_t at, size_t piece) {
  const size_t end = base + at + piece;
  if (atomic_load_explicit(&w->written, memory_order_acquire) < end) return 0;
  copy(in + at, through + (end - piece) % size, piece);
  atomic_store_explicit(&w->read, end, memory_order_release);
  return 1;
}

static void move(int writes, int reads, size_t bytes, size_t size, size_t piece, size_t base) {
  struct way *mine = &shared->way[self], *theirs = &shared->way[!self];
  size_t sent = writes ? 0 : bytes, got = reads ? 0 : bytes;
  while (sent < bytes || got < bytes) {
    int any = 0;
    if (sent < bytes && write_piece(mine, ring[self], size, base, sent, piece)) sent += piece, any = 1;
    if (got < bytes && read_piece(theirs, ring[!self], size, base, got, piece)) got += piece, any = 1;
    if (!any) _mm_pause();
  }
}

static double measured(int exchange, size_t bytes, size_t size, size_t piece) {
  const int times = (int)(8000000 / bytes) + 4;
  double least = 1e300;
  for (int t = 0; t < tries; t++) {
    barrier();
    atomic_store(&shared->way[self].written, 0);
    atomic_store(&shared->way[self].read, 0);
    barrier();
    const double begin = now();
    for (int i = 0; i < times; i++) {
      if (exchange) {
        move(1, 1, bytes, size, piece, (size_t)i * bytes);
      } else {
        move(self == 0, self == 1, bytes, size, piece, (size_t)i * bytes);
        move(self == 1, self == 0, bytes, size, piece, (size_t)i * bytes);
      }
    }
    const double took = (now() - begin) / times / (exchange ? 1 : 2);
    if (took < least) least = took;
  }
  return least;
}

static void table(int exchange, size_t bytes) {
  const double before = hand_over();
  if (self == 0) printf("%s of %zu bytes; pieces of", exchange ? "exchanges" : "by turns", bytes);
  for (size_t p = 0; self == 0 && p < COUNT(pieces); p++) printf(" %zu", pieces[p]);
  if (self == 0) printf("\n");
  for (size_t r = 0; r < COUNT(rings); r++) {
    if (self == 0) printf("  ring of %7zu", rings[r]);
    for (size_t p = 0; p < COUNT(pieces); p++) {
      const int fits = pieces[p] <= rings[r] && pieces[p] <= bytes;
      const double took = fits ? measured(exchange, bytes, rings[r], pieces[p]) : 0;
      if (self == 0) printf(fits ? " %8.1f" : "        -", took);
    }
    if (self == 0) printf("\n");
  }
  const double after = hand_over();
  if (self == 0) printf("  (%.0f, %.0f ns)\n", before, after);
}

int main(int argc, char** argv) {
  const int turns = argc < 2 || strcmp(argv[1], "turns") == 0;
  const int exchange = argc < 2 || strcmp(argv[1], "exchange") == 0;
  const size_t only = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  const int how = MAP_SHARED | MAP_ANONYMOUS, may = PROT_READ | PROT_WRITE;
  shared = mmap(NULL, sizeof *shared, may, how, -1, 0);
  ring[0] = mmap(NULL, 2 * longest, may, how, -1, 0);
  if (shared == MAP_FAILED || ring[0] == MAP_FAILED) return 1;
  ring[1] = ring[0] + longest;
  memset(ring[0], 0, 2 * longest);
  const pid_t other = fork();
  if (other < 0) return 1;
  self = other == 0;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(self, &core);
  if (sched_setaffinity(0, sizeof core, &core)) return 1;
  out = calloc(2, longest + 16);
  if (out == NULL) return 1;
  memset(out, self, 2 * (longest + 16));
  in = out + longest + 16;
  for (size_t m = 0; m < COUNT(messages); m++) {
    if (only != 0 && messages[m] != only) continue;
    if (turns) table(0, messages[m]);
    fflush(stdout);
    if (exchange) table(1, messages[m]);
    fflush(stdout);
  }
  if (self == 0) wait(NULL);
  return 0;
}
