/* For `loadstone model`: how long collectives take. On the public interfaces only.
 *
 * usage: mpiexec -n N collective_times COLLECTIVE... BYTES...
 *
 * Prints lines "collective <tab> bytes <tab> microseconds": the time of one in a loop, at the slowest rank; medians. The bytes
 * are those of the vector (bcast, reduce, allreduce, reduce_scatter, scan, exscan), of one block (gather, scatter, allgather), or
 * for each pair (alltoall). Roots take turns. From 64 KiB on every rank writes what it gives before each; that time is taken
 * out. What would take more than 32 MiB at a rank is left out. What arrives is checked, before and after.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { samples = 5, rewritten_from = 64 << 10, most_bytes = 32 << 20 };
static const double sample_seconds = 0.0008;

static int rank, size;
static double *give, *get;
static int count; /* doubles */

static void fail(const char* what) {
  fprintf(stderr, "collective_times: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void barrier(int root) {
  (void)root;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(int root) {
  MPI_Bcast(rank == root ? give : get, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void gather(int root) {
  MPI_Gather(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void scatter(int root) {
  MPI_Scatter(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void allgather(int root) {
  (void)root;
  MPI_Allgather(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void reduce(int root) {
  MPI_Reduce(give, get, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}
static void allreduce(int root) {
  (void)root;
  MPI_Allreduce(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
/* The vector is cut as evenly as it can be. */
static int slice(int of) {
  return count / size + (of < count % size);
}
static void reduce_scatter(int root) {
  (void)root;
  static int counts[4096];
  for (int i = 0; i < size; i++) counts[i] = slice(i);
  MPI_Reduce_scatter(give, get, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void alltoall(int root) {
  (void)root;
  MPI_Alltoall(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void scan(int root) {
  (void)root;
  MPI_Scan(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void exscan(int root) {
  (void)root;
  MPI_Exscan(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* What everybody gives is its rank + 1. */
enum { nothing, of_root, of_each, sum, sum_below, sum_up_to, slice_sum };
static const struct collective {
  const char* name;
  void (*once)(int root);
  int rooted, gives_all, gets_all, result, at_root;
} all[] = {
    {"barrier", barrier, 0, 0, 0, nothing, 0},     {"bcast", bcast, 1, 0, 0, of_root, 0},
    {"gather", gather, 1, 0, 1, of_each, 1},       {"scatter", scatter, 1, 1, 0, of_root, 0},
    {"allgather", allgather, 0, 0, 1, of_each, 0}, {"reduce", reduce, 1, 0, 0, sum, 1},
    {"allreduce", allreduce, 0, 0, 0, sum, 0},     {"reduce_scatter", reduce_scatter, 0, 0, 0, slice_sum, 0},
    {"alltoall", alltoall, 0, 1, 1, of_each, 0},   {"scan", scan, 0, 0, 0, sum_up_to, 0},
    {"exscan", exscan, 0, 0, 0, sum_below, 0}};

static void expect(int first, int n, double value) {
  for (int i = first; i < first + n; i++)
    if (get[i] != value) fail("WRONG DATA");
}

static void check(const struct collective* c) {
  const int blocks = c->gets_all ? size : 1, given = c->gives_all ? size : 1;
  for (int root = 0; root < (c->rooted ? size : 1); root++) {
    for (int i = 0; i < given * count; i++) give[i] = rank + 1;
    for (int i = 0; i < blocks * count; i++) get[i] = -1;
    c->once(root);
    if ((c->at_root && rank != root) || (c->once == bcast && rank == root)) continue;
    if (c->result == of_root) expect(0, count, root + 1);
    if (c->result == of_each)
      for (int r = 0; r < size; r++) expect(r * count, count, r + 1);
    if (c->result == sum) expect(0, count, size * (size + 1) / 2);
    if (c->result == slice_sum) expect(0, slice(rank), size * (size + 1) / 2);
    if (c->result == sum_up_to) expect(0, count, (rank + 1) * (rank + 2) / 2);
    if (c->result == sum_below && rank > 0) expect(0, count, rank * (rank + 1) / 2);
  }
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Seconds at the slowest rank. */
static double time_of(const struct collective* c, int k) {
  const size_t given = sizeof(double) * (size_t)count * (c->gives_all ? (size_t)size : 1);
  const int rewritten = c->once != barrier && sizeof(double) * (size_t)count >= rewritten_from;
  double took = 0, most = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    if (rewritten) {
      memset(give, i & 1, given);
      begin = MPI_Wtime();
    }
    c->once(i % size);
    if (rewritten) took += MPI_Wtime() - begin;
  }
  if (!rewritten) took = MPI_Wtime() - begin;
  MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static void report(const struct collective* c, int bytes) {
  count = bytes / (int)sizeof(double);
  check(c);
  int k = size;
  while (time_of(c, k) < sample_seconds) k *= 2; /* the same time at all */
  double values[samples];
  for (int s = 0; s < samples; s++) values[s] = time_of(c, k) / k;
  qsort(values, samples, sizeof *values, by_value);
  if (rank == 0) printf("%s\t%d\t%.6g\n", c->name, bytes, 1e6 * values[samples / 2]);
  check(c);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  give = malloc(most_bytes), get = malloc(most_bytes);
  if (!give || !get) fail("out of memory");
  memset(give, 1, most_bytes), memset(get, 1, most_bytes);
  int sizes = argc;
  while (sizes > 1 && atoi(argv[sizes - 1]) > 0) sizes--;
  if (size > 4096 || sizes < 2) fail("usage: collective_times COLLECTIVE... BYTES...");
  for (int a = 1; a < sizes; a++) {
    const struct collective* c = all;
    while (c < all + sizeof all / sizeof *all && strcmp(c->name, argv[a])) c++;
    if (c == all + sizeof all / sizeof *all) fail("there is no such collective");
    for (int s = sizes; s < argc; s++) {
      const long blocks = c->gives_all || c->gets_all ? size : 1;
      if (atol(argv[s]) * blocks <= most_bytes) report(c, atoi(argv[s]));
      if (c->once == barrier) break;
    }
  }
  free(give), free(get);
  MPI_Finalize();
  return 0;
}
