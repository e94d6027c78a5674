/* Small patterns that programs have, on the standard ABI only, so that one binary runs on every library that has it.
 *
 *   patterns messages     (even)  forms of a message of few bytes between pairs of ranks, and a master that serves workers
 *   patterns types        (even)  packing, derived types, halos
 *   patterns collectives  (any)   collectives of few bytes in a row, and communicators made and freed
 *   patterns windows      (even)  epochs and one-sided operations
 *   like=TEXT             for what follows: only patterns whose name has TEXT in it
 * And what every program of figures knows (figures.h).
 *
 * Prints lines "patterns <tab> name <tab> ranks <tab> value": microseconds of one round of the pattern, the median of parts; the
 * slowest rank counts. Ranks 2i and 2i + 1 are a pair, and all pairs are at work at once. "There and back" is a message and its
 * answer; all else that pairs do goes both ways at once. Data is checked before and after the timed part.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "figures.h"

enum { one = 1, kib = 128 }; /* longs */
enum { longs = 16384, many = 64, some = 16, most_ranks = 64, parts = 8 };

/* What a pattern needs, with messages of n longs, and what is left to do behind it. */
typedef struct {
  void (*begin)(int n), (*end)(void);
} need;

typedef struct {
  const char* name;
  int n; /* longs of a message, or of a rank's part */
  void (*round)(int n);
  void (*take)(int n); /* with it: round() at one rank and take() at its peer, then the other way */
  int (*right)(int n); /* whether data is right after write_all_data() and a round */
  const need* needs;
  int most; /* ranks; 0: any number */
} pattern;

static const char* like = "";

/* --- data: what a rank sends, receives and shows in a window --- */

static long *out, *in, *shown;
static long seed, step;
static MPI_Request requests[2 * many];
static MPI_Status status;

static long value(int of, int i) {
  return seed + 100000L * of + i;
}

static void write_all_data(void) {
  seed += 7;
  for (int i = 0; i < longs; i++) {
    out[i] = value(rank, i), in[i] = -1;
    if (shown) shown[i] = value(rank, i);
  }
  if (shown) shown[longs - 1] = step;
}

static int are_of(const long* got, int n, int of, int from) {
  for (int i = 0; i < n; i++)
    if (got[i] != value(of, from + i)) return 0;
  return 1;
}

static int are_sums(const long* got, int n, int members) {
  for (int i = 0; i < n; i++) {
    long sum = 0;
    for (int r = 0; r < members; r++) sum += value(r, i);
    if (got[i] != sum) return 0;
  }
  return 1;
}

static int from_peer(int n) {
  return are_of(in, n, peer, 0);
}
static int some_from_peer(int n) {
  return from_peer(some * n);
}
static int many_from_peer(int n) {
  return from_peer(many * n);
}
static int from_self(int n) {
  return are_of(in, n, rank, 0);
}
static int replaced(int n) {
  return are_of(out, n, peer, 0);
}
static int from_left(int n) {
  return are_of(in, n, (rank + size - 1) % size, 0);
}

/* --- what several of them need --- */

static void free_requests(void) {
  for (int i = 0; i < 2 * many; i++)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
}

static MPI_Comm comms[some];
static void duplicate(int n) {
  (void)n;
  for (int i = 0; i < some; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
}
static void free_duplicates(void) {
  for (int i = 0; i < some; i++) MPI_Comm_free(&comms[i]);
}
static const need duplicates = {duplicate, free_duplicates};

/* A grid of `wide` columns, of which the first and the last are the neighbours', and as many rows. */
enum { side = 64, wide = side + 2, directions = 4 }; /* up, down, left, right */
static MPI_Datatype column, words;
static MPI_Comm grid;
static int neighbour[directions];

static void make_types(int n) {
  MPI_Type_vector(side, 1, wide, MPI_LONG, &column), MPI_Type_commit(&column);
  MPI_Type_vector(n, 1, 2, MPI_LONG, &words), MPI_Type_commit(&words);
}
static void free_types(void) {
  MPI_Type_free(&column), MPI_Type_free(&words);
}
static const need typed = {make_types, free_types};

static void make_grid(int n) {
  int dims[2] = {0, 0}, periods[2] = {1, 1};
  make_types(n);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &neighbour[0], &neighbour[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbour[2], &neighbour[3]);
}
static void free_grid(void) {
  free_types(), MPI_Comm_free(&grid);
}
static const need on_grid = {make_grid, free_grid};

#include "patterns_collectives.h"
#include "patterns_messages.h"
#include "patterns_types.h"
#include "patterns_windows.h"

/* --- how all of them are measured --- */

static void once(const pattern* p) {
  if (p->take && rank % 2) p->take(p->n);
  p->round(p->n);
  if (p->take && rank % 2 == 0) p->take(p->n);
}

/* Seconds from a barrier until the last rank is through. */
static double rounds(void* of, int k) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) once(of);
  double took = MPI_Wtime() - begin, slowest = 0;
  MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void check(const pattern* p) {
  write_all_data();
  MPI_Barrier(MPI_COMM_WORLD);
  once(p);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!p->right(p->n)) fail(p->name); /* WRONG DATA */
  MPI_Barrier(MPI_COMM_WORLD);
}

static void measure(const pattern* p) {
  double took = 0;
  int k = 2;
  if (p->needs) p->needs->begin(p->n);
  check(p);
  for (; took < point_seconds / 4; k *= 2) took = rounds((void*)p, k);
  took = measured(rounds, (void*)p, repetitions(2 * took / k), "patterns", size);
  check(p);
  if (p->needs) p->needs->end();
  report("patterns", p->name, size, 1e6 * took);
}

static void measure_all(const pattern* all, size_t count) {
  peer = rank ^ 1;
  out = memory_of(sizeof(long) * longs), in = memory_of(sizeof(long) * longs);
  for (int i = 0; i < 2 * many; i++) requests[i] = MPI_REQUEST_NULL;
  for (size_t i = 0; i < count; i++)
    if (strstr(all[i].name, like) && (all[i].most == 0 || size <= all[i].most)) measure(&all[i]);
  free(out), free(in);
}

static void run_messages(void) {
  measure_all(messages, sizeof messages / sizeof *messages);
}
static void run_types(void) {
  measure_all(types, sizeof types / sizeof *types);
}
static void run_collectives(void) {
  measure_all(collectives, sizeof collectives / sizeof *collectives);
}
static void run_windows(void) {
  measure_all(windows, sizeof windows / sizeof *windows);
}

static int like_what(const char* word) {
  if (strncmp(word, "like=", 5) != 0) return 0;
  like = word + 5;
  return 1;
}

int main(int argc, char** argv) {
  static const figure figures[] = {{"messages", run_messages, 0},
                                   {"types", run_types, 0},
                                   {"collectives", run_collectives, 0},
                                   {"windows", run_windows, 0}};
  return run_figures(argc, argv, "patterns", figures, sizeof figures / sizeof *figures, like_what);
}
