/* For `loadstone model`: how long one-sided operations and their synchronisation take between two ranks. On the public
 * interfaces only.
 *
 * usage: mpiexec -n 2 one_sided_times BYTES...
 *
 * Prints lines "what <tab> window <tab> bytes <tab> microseconds"; what: put or get with a flush (the target is in a barrier;
 * what is put was just written), fence, post (post, start, complete, wait), lock (lock and unlock of the other's part, by turns).
 * Of the created window also: puts (64 of 8 bytes and one flush), blocks (a put of 1 MiB in blocks of 256 bytes, with gaps as
 * large), computing (the same while the target makes no call), add (a sum of doubles).
 * Medians. What arrives is checked.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { samples = 15, target = 1 };
static const double sample_seconds = 0.002;

static int rank;

static void fail(const char* what) {
  fprintf(stderr, "one_sided_times: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

typedef struct {
  MPI_Win win;
  const char* name;
  unsigned char *own, *here;
  int bytes;
  MPI_Group other;
} window;

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* --- what is timed; each of both ranks calls it --- */

static double puts_of(const window* w, int k) {
  double took = 0;
  for (int i = 0; i < k && rank != target; i++) {
    memset(w->here, i, (size_t)w->bytes);
    const double begin = MPI_Wtime();
    MPI_Put(w->here, w->bytes, MPI_BYTE, target, 0, w->bytes, MPI_BYTE, w->win);
    MPI_Win_flush(target, w->win);
    took += MPI_Wtime() - begin;
  }
  return took;
}

static double gets_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k && rank != target; i++) {
    MPI_Get(w->here, w->bytes, MPI_BYTE, target, 0, w->bytes, MPI_BYTE, w->win);
    MPI_Win_flush(target, w->win);
  }
  return MPI_Wtime() - begin;
}

enum { many = 64, apart = 64, blocks_bytes = 1 << 20, block = 256 };

static double many_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k && rank != target; i++) {
    for (int p = 0; p < many; p++)
      MPI_Put(w->here + 8 * p, 8, MPI_BYTE, target, p * apart, 8, MPI_BYTE, w->win);
    MPI_Win_flush(target, w->win);
  }
  return MPI_Wtime() - begin;
}

static MPI_Datatype gaps;
static double blocks_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k && rank != target; i++) {
    MPI_Put(w->here, blocks_bytes, MPI_BYTE, target, 0, 1, gaps, w->win);
    MPI_Win_flush(target, w->win);
  }
  return MPI_Wtime() - begin;
}

/* The target looks for a byte in the first gap. */
static double computing_of(const window* w, int k) {
  volatile unsigned char* const over = w->own + block;
  if (rank == target) {
    while (*over == 0);
    *over = 0;
    return 0;
  }
  const double took = blocks_of(w, k);
  const unsigned char one = 1;
  MPI_Put(&one, 1, MPI_BYTE, target, block, 1, MPI_BYTE, w->win);
  MPI_Win_flush(target, w->win);
  return took;
}

static double sums_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k && rank != target; i++) {
    MPI_Accumulate(w->here, w->bytes / 8, MPI_DOUBLE, target, 0, w->bytes / 8, MPI_DOUBLE, MPI_SUM, w->win);
    MPI_Win_flush(target, w->win);
  }
  return MPI_Wtime() - begin;
}

static double fences_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) MPI_Win_fence(0, w->win);
  return MPI_Wtime() - begin;
}

static double posts_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    MPI_Win_post(w->other, 0, w->win);
    MPI_Win_start(w->other, 0, w->win);
    MPI_Win_complete(w->win);
    MPI_Win_wait(w->win);
  }
  return MPI_Wtime() - begin;
}

/* Both take the lock of one part: the word comes from the other one, as a rule. */
static double locks_of(const window* w, int k) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win);
    MPI_Win_unlock(target, w->win);
  }
  return (MPI_Wtime() - begin) / 2;
}

/* Median microseconds of one. */
static double time_of(double (*run)(const window*, int), const window* w) {
  double values[samples];
  int k = 1;
  for (;; k *= 2) { /* warms up, and finds how many take long enough to be timed */
    MPI_Barrier(MPI_COMM_WORLD);
    int enough = run(w, k) > sample_seconds || k > 1 << 20;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough) break;
  }
  for (int s = 0; s < samples; s++) {
    MPI_Barrier(MPI_COMM_WORLD);
    values[s] = run(w, k) / k;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  qsort(values, samples, sizeof *values, by_value);
  return 1e6 * values[samples / 2];
}

static void report(const char* what, const window* w, double time) {
  if (rank == 0) printf("%s\t%s\t%d\t%.6g\n", what, w->name, w->bytes, time);
}

static void check(const window* w, int puts) {
  const unsigned char value = puts ? 0xa5 : 0x5a;
  if (rank == (puts ? 0 : target)) memset(puts ? w->here : w->own, value, (size_t)w->bytes);
  MPI_Win_sync(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && puts) MPI_Put(w->here, w->bytes, MPI_BYTE, target, 0, w->bytes, MPI_BYTE, w->win);
  if (rank == 0 && !puts) MPI_Get(w->here, w->bytes, MPI_BYTE, target, 0, w->bytes, MPI_BYTE, w->win);
  MPI_Win_flush_all(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w->win);
  const unsigned char* got = puts ? w->own : w->here;
  for (int i = 0; i < w->bytes && rank == (puts ? target : 0); i++)
    if (got[i] != value) fail("WRONG DATA");
}

/* What was counted is what was added. */
static void check_sums(const window* w) {
  const double one = 1;
  double* first = (double*)(rank == target ? w->own : w->here);
  *first = rank == target ? 2 : one;
  MPI_Win_sync(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Accumulate(w->here, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_SUM, w->win);
  MPI_Win_flush_all(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w->win);
  if (rank == target && *first != 3) fail("WRONG DATA");
}

/* Ordinary memory: what goes by its owner. */
static void handed_of(window* w) {
  static const int sizes[] = {8, 64 << 10, 1 << 20};
  MPI_Type_vector(blocks_bytes / block, block, 2 * block, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  MPI_Win_lock_all(0, w->win);
  w->bytes = 8 * many;
  report("puts", w, time_of(many_of, w));
  w->bytes = blocks_bytes;
  report("blocks", w, time_of(blocks_of, w));
  if (rank == target) w->own[block] = 0;
  report("computing", w, time_of(computing_of, w));
  memset(w->here, 0, 1 << 20), memset(w->own, 0, 1 << 20); /* doubles, from here on */
  MPI_Barrier(MPI_COMM_WORLD);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    w->bytes = sizes[s];
    report("add", w, time_of(sums_of, w));
  }
  check_sums(w);
  MPI_Win_unlock_all(w->win);
  MPI_Type_free(&gaps);
}

static void all_of(window* w, char** sizes, int count) {
  MPI_Win_lock_all(0, w->win);
  for (int s = 0; s < count; s++) {
    w->bytes = atoi(sizes[s]);
    report("put", w, time_of(puts_of, w));
    check(w, 1);
    report("get", w, time_of(gets_of, w));
    check(w, 0);
  }
  MPI_Win_unlock_all(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  w->bytes = 0;
  report("lock", w, time_of(locks_of, w));
  MPI_Win_fence(0, w->win);
  report("fence", w, time_of(fences_of, w));
  MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win);
  report("post", w, time_of(posts_of, w));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) fail("MPI_COMM_WORLD does not have two ranks");
  int largest = 2 * blocks_bytes;
  for (int i = 1; i < argc; i++)
    if (atoi(argv[i]) < 1 || atoi(argv[i]) > 1 << 28)
      fail("usage: one_sided_times BYTES...");
    else if (atoi(argv[i]) > largest)
      largest = atoi(argv[i]);
  MPI_Group world;
  const int peer = 1 - rank;
  window w = {.name = "allocated", .here = calloc(1, (size_t)largest)};
  unsigned char* ordinary = calloc(1, (size_t)largest);
  if (!w.here || !ordinary) fail("out of memory");
  memset(w.here, 1, (size_t)largest), memset(ordinary, 1, (size_t)largest);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &peer, &w.other);
  MPI_Win_allocate(largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win);
  memset(w.own, 1, (size_t)largest);
  all_of(&w, argv + 1, argc - 1);
  MPI_Win_free(&w.win);
  w.name = "created", w.own = ordinary;
  MPI_Win_create(w.own, largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win);
  all_of(&w, argv + 1, argc - 1);
  handed_of(&w);
  MPI_Win_free(&w.win);
  MPI_Group_free(&world);
  MPI_Group_free(&w.other);
  free(w.here), free(ordinary);
  MPI_Finalize();
  return 0;
}
