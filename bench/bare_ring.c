/* What it takes bare processes to hand over data in pieces: one writes a piece into common memory, the other adds it to
 * its own. The pieces follow each other through a ring: by a short one each piece comes to lines that the reader still
 * has in its cache. ns for each line of 64 bytes, written and read; medians.
 *
 *   cc -O3 -march=native bench/bare_ring.c -o bare_ring && ./bare_ring [bytes of a piece]
 */
#define _GNU_SOURCE
#include <emmintrin.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { pieces = 400, most = 16 << 20 };
struct turn {
  _Alignas(256) atomic_long of_writer;
  _Alignas(256) atomic_long of_reader;
  _Alignas(256) double took[pieces]; /* the reader */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void await(atomic_long* word, long value) {
  while (atomic_load_explicit(word, memory_order_acquire) < value) _mm_pause();
}

static void past_caches(char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(__m128i))
    _mm_stream_si128((__m128i*)(to + i), _mm_load_si128((const __m128i*)(from + i)));
  _mm_sfence();
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double per_line(double* took, size_t bytes) {
  qsort(took, pieces, sizeof *took, ascending);
  return took[pieces / 2] / ((double)bytes / 64);
}

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) / 64 * 64 : 65536;
  struct turn* turn = mmap(NULL, sizeof *turn, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char* ring = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (turn == MAP_FAILED || ring == MAP_FAILED || bytes == 0 || bytes > most) return 1;
  memset(ring, 0, most);
  const int reads = fork() == 0;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(reads, &core);
  sched_setaffinity(0, sizeof core, &core);
  double* own = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  memset(own, 0, bytes);
  static double took[pieces];
  long done = 0;
  for (int past = 0; past < 2; ++past)
    for (size_t length = bytes; length <= most; length = length < 524288 ? 524288 : 2 * length) {
      for (long i = 0; i < pieces; ++i, ++done) {
        char* const piece = ring + (size_t)i % (length / bytes) * bytes;
        await(reads ? &turn->of_writer : &turn->of_reader, reads ? done + 1 : done);
        const double begin = now();
        if (reads)
          for (size_t k = 0; k < bytes / sizeof *own; ++k) own[k] += ((const double*)piece)[k];
        else if (past)
          past_caches(piece, (const char*)own, bytes);
        else
          memcpy(piece, own, bytes);
        (reads ? turn->took : took)[i] = now() - begin;
        atomic_store_explicit(reads ? &turn->of_reader : &turn->of_writer, done + 1, memory_order_release);
      }
      if (reads) continue;
      await(&turn->of_reader, done);
      printf("%s, ring of %6zu KiB: %5.2f + %5.2f\n", past ? "past the caches" : "into the cache ",
             length / 1024, per_line(took, bytes), per_line(turn->took, bytes));
    }
  if (reads) return 0;
  wait(NULL);
  return own[0] != 0;
}
