/* Figures of blocks between pairs of ranks, on the standard ABI only: neighbourhoods, and collectives with counts of each rank's own.
 *
 *   edges halo      (any)      exchange of the four faces of a periodic grid of two dimensions: by MPI_Neighbor_alltoallw, the same
 *                              persistent, and by MPI_Irecv, MPI_Isend, MPI_Waitall. The size is that of a face.
 *                                rows     faces are contiguous
 *                                columns  every 16th double
 *   edges vectors   (any)      MPI_Alltoallv, MPI_Gatherv, MPI_Scatterv (roots take turns); the size is that of the longest block,
 *                              others are a half or three quarters of it
 *   edges hidden    (2 ranks)  share of the time of the non-blocking form that is hidden from a rank that computes for five times
 *                              as long before it waits; the other rank waits at once
 *   bytes=N,N...    for what follows: these sizes only
 * And what every program of figures knows (figures.h).
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds. The slowest rank counts. All data is checked
 * outside the timed part, before and after it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "figures.h"

enum { most_sizes = 16, most_ranks = 64, faces = 4, gap = 16 };

static long sizes[most_sizes] = {8, 1 << 10, 8 << 10, 64 << 10, 1 << 20};
static int size_count = 5;

static double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static double time_of(double (*run)(void*, int), void* of, const char* figure, long n) {
  double one = 0;
  for (int k = 2 * size; one * k <= point_seconds / 4; k *= 2) one = run(of, k) / k;
  return 1e6 * measured(run, of, repetitions(one), figure, n);
}

/* --- halo --- */

typedef struct halo {
  MPI_Comm grid;
  int neighbours[faces], counts[faces];
  MPI_Aint places[faces];
  MPI_Datatype types[faces];
  double *out, *in;
  long count;  /* doubles of a face */
  long stride; /* between them */
  MPI_Request kept;
  void (*once)(struct halo*);
} halo;

static void by_neighborhood(halo* h) {
  MPI_Neighbor_alltoallw(h->out, h->counts, h->places, h->types, h->in, h->counts, h->places, h->types,
                         h->grid);
}

static void by_request(halo* h) {
  MPI_Start(&h->kept);
  MPI_Wait(&h->kept, MPI_STATUS_IGNORE);
}

static void by_messages(halo* h) {
  MPI_Request all[2 * faces];
  for (int f = 0; f < faces; f++)
    MPI_Irecv((char*)h->in + h->places[f], 1, h->types[f], h->neighbours[f], f ^ 1, h->grid, &all[f]);
  for (int f = 0; f < faces; f++)
    MPI_Isend((char*)h->out + h->places[f], 1, h->types[f], h->neighbours[f], f, h->grid, &all[faces + f]);
  MPI_Waitall(2 * faces, all, MPI_STATUSES_IGNORE);
}

static double face_value(int from, int face, long i, int seed) {
  return from * 8 + face + (double)(i % 8) / 8 + seed * 1024;
}

static void check_halo(halo* h, int seed) {
  for (int f = 0; f < faces; f++)
    for (long i = 0; i < h->count; i++)
      h->out[h->places[f] / 8 + i * h->stride] = face_value(rank, f, i, seed);
  h->once(h);
  for (int f = 0; f < faces; f++) {
    /* Where both neighbours are one process, some libraries let what goes down arrive as what comes from below. */
    const int also = h->neighbours[f] == h->neighbours[f ^ 1] ? f : f ^ 1;
    const double* got = h->in + h->places[f] / 8;
    const int face = got[0] == face_value(h->neighbours[f], also, 0, seed) ? also : f ^ 1;
    for (long i = 0; i < h->count; i++)
      if (got[i * h->stride] != face_value(h->neighbours[f], face, i, seed)) fail("WRONG DATA");
  }
}

static double halos_of(void* of, int k) {
  halo* h = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) h->once(h);
  return slowest(MPI_Wtime() - begin);
}

static void open_halo(halo* h, long bytes, long stride) {
  int dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &h->grid);
  for (int d = 0; d < 2; d++) MPI_Cart_shift(h->grid, d, 1, &h->neighbours[2 * d], &h->neighbours[2 * d + 1]);
  h->count = bytes / 8;
  h->stride = stride;
  h->out = memory_of((size_t)(faces * bytes * stride));
  h->in = memory_of((size_t)(faces * bytes * stride));
  for (int f = 0; f < faces; f++) {
    h->counts[f] = 1;
    h->places[f] = f * bytes * stride;
    MPI_Type_vector((int)h->count, 1, (int)stride, MPI_DOUBLE, &h->types[f]);
    MPI_Type_commit(&h->types[f]);
  }
}

static void close_halo(halo* h) {
  for (int f = 0; f < faces; f++) MPI_Type_free(&h->types[f]);
  MPI_Comm_free(&h->grid);
  free(h->out), free(h->in);
}

static void halo_figure(void) {
  static const struct {
    const char* name;
    void (*once)(halo*);
  } ways[] = {{"neighborhood", by_neighborhood}, {"persistent", by_request}, {"messages", by_messages}};
  for (int s = 0; s < size_count; s++)
    for (int columns = 0; columns < 2; columns++) {
      halo h;
      if (sizes[s] < 8) continue;
      open_halo(&h, sizes[s], columns ? gap : 1);
      MPI_Neighbor_alltoallw_init(h.out, h.counts, h.places, h.types, h.in, h.counts, h.places, h.types,
                                  h.grid, MPI_INFO_NULL, &h.kept);
      for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char habit[64];
        h.once = ways[w].once;
        for (int i = 0; i < 4; i++) check_halo(&h, i);
        snprintf(habit, sizeof habit, "%s, %d ranks, %s", columns ? "columns" : "rows", size, ways[w].name);
        report("edges halo", habit, sizes[s], time_of(halos_of, &h, "edges halo", sizes[s]));
        check_halo(&h, 5);
      }
      MPI_Request_free(&h.kept);
      close_halo(&h);
    }
}

/* --- counts of each rank's own --- */

typedef struct vectors {
  double *out, *in;
  int sent[most_ranks], taken[most_ranks], places[most_ranks];
  void (*begin)(struct vectors*, int root, MPI_Request*); /* null request: the blocking form */
} vectors;

/* Doubles that `from` sends to `to`, of `most`. */
static int amount(long most, int from, int to) {
  return (int)(most - most * ((from + 2 * to) % 3) / 4);
}

static void alltoallv(vectors* v, int root, MPI_Request* r) {
  (void)root;
  if (r)
    MPI_Ialltoallv(v->out, v->sent, v->places, MPI_DOUBLE, v->in, v->taken, v->places, MPI_DOUBLE,
                   MPI_COMM_WORLD, r);
  else
    MPI_Alltoallv(v->out, v->sent, v->places, MPI_DOUBLE, v->in, v->taken, v->places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
}
static void gatherv(vectors* v, int root, MPI_Request* r) {
  const double* mine = v->out + v->places[root];
  if (r)
    MPI_Igatherv(mine, v->sent[root], MPI_DOUBLE, v->in, v->taken, v->places, MPI_DOUBLE, root,
                 MPI_COMM_WORLD, r);
  else
    MPI_Gatherv(mine, v->sent[root], MPI_DOUBLE, v->in, v->taken, v->places, MPI_DOUBLE, root,
                MPI_COMM_WORLD);
}
static void scatterv(vectors* v, int root, MPI_Request* r) {
  double* mine = v->in + v->places[root];
  if (r)
    MPI_Iscatterv(v->out, v->sent, v->places, MPI_DOUBLE, mine, v->taken[root], MPI_DOUBLE, root,
                  MPI_COMM_WORLD, r);
  else
    MPI_Scatterv(v->out, v->sent, v->places, MPI_DOUBLE, mine, v->taken[root], MPI_DOUBLE, root,
                 MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*begin)(vectors*, int, MPI_Request*);
  int from_all, to_all;
} forms[] = {{"alltoallv", alltoallv, 1, 1}, {"gatherv", gatherv, 1, 0}, {"scatterv", scatterv, 0, 1}};

static void open_vectors(vectors* v, long bytes) {
  const long most = bytes / 8;
  v->out = memory_of((size_t)(bytes * size)), v->in = memory_of((size_t)(bytes * size));
  for (int r = 0; r < size; r++) {
    v->sent[r] = amount(most, rank, r), v->taken[r] = amount(most, r, rank);
    v->places[r] = (int)(r * most);
  }
}

static void check_vectors(vectors* v, size_t form, int root, int seed) {
  for (int to = 0; to < size; to++)
    for (int i = 0; i < v->sent[to]; i++)
      v->out[v->places[to] + i] = seed * 4096 + rank * 64 + to + i % 8 * 65536.0;
  MPI_Barrier(MPI_COMM_WORLD);
  v->begin(v, root, NULL);
  for (int from = 0; from < size; from++) {
    if (!forms[form].from_all && from != root) continue;
    if (!forms[form].to_all && rank != root) continue;
    for (int i = 0; i < v->taken[from]; i++)
      if (v->in[v->places[from] + i] != seed * 4096 + from * 64 + rank + i % 8 * 65536.0) fail("WRONG DATA");
  }
}

static double vectors_of(void* of, int k) {
  vectors* v = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) v->begin(v, i % size, NULL);
  return slowest(MPI_Wtime() - begin);
}

static void vectors_figure(void) {
  if (size > most_ranks) fail("too many ranks");
  for (int s = 0; s < size_count; s++) {
    vectors v;
    if (sizes[s] < 8) continue;
    open_vectors(&v, sizes[s]);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      char habit[64];
      v.begin = forms[f].begin;
      for (int root = 0; root < size; root++) check_vectors(&v, f, root, root);
      snprintf(habit, sizeof habit, "%s, %d ranks", forms[f].name, size);
      report("edges vectors", habit, sizes[s], time_of(vectors_of, &v, "edges vectors", sizes[s]));
      for (int root = 0; root < size; root++) check_vectors(&v, f, root, root + 1);
    }
    free(v.out), free(v.in);
  }
}

/* --- a rank that comes late --- */

static void begin_form(void* of, size_t form, MPI_Request* request) {
  if (form < sizeof forms / sizeof *forms) {
    forms[form].begin(of, 1, request);
  } else {
    halo* h = of;
    MPI_Ineighbor_alltoallw(h->out, h->counts, h->places, h->types, h->in, h->counts, h->places, h->types,
                            h->grid, request);
  }
}

static double with_late(void* of, size_t form, long turns) {
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  begin_form(of, form, &request);
  if (rank == 0) compute(turns);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  double took = MPI_Wtime() - begin;
  MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return took;
}

static double median_of(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

/* hidden = 1 - (together - computation) / operation: 0 is nothing, 1 all of it. */
static void hidden_one(void* of, size_t form, const char* what, long n) {
  enum { tries = 31, passes = 3 };
  double operation[tries], alone[tries], together[tries], computation = 1e-3;
  for (int pass = 0; pass < passes; pass++) {
    long turns = turns_of(computation);
    MPI_Bcast(&turns, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = 0; i < tries; i++) {
      operation[i] = with_late(of, form, 0);
      const double begin = MPI_Wtime();
      if (rank == 0) compute(turns);
      alone[i] = MPI_Wtime() - begin;
      together[i] = with_late(of, form, turns);
    }
    MPI_Bcast(alone, tries, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double took = median_of(operation, tries), without = median_of(alone, tries);
    computation = 5 * took;
    if (pass == passes - 1)
      report("edges hidden", what, n, 100 * (1 - (median_of(together, tries) - without) / took));
  }
}

static void hidden_figure(void) {
  static const long of[] = {64 << 10, 1 << 20};
  static const char* const names[] = {"Ialltoallv", "Igatherv, gives", "Iscatterv, takes"};
  for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
    vectors v;
    open_vectors(&v, of[s]);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) hidden_one(&v, f, names[f], of[s]);
    free(v.out), free(v.in);
    for (int columns = 0; columns < 2; columns++) {
      halo h;
      open_halo(&h, of[s], columns ? gap : 1);
      hidden_one(&h, sizeof forms / sizeof *forms,
                 columns ? "Ineighbor_alltoallw, columns" : "Ineighbor_alltoallw, rows", of[s]);
      close_halo(&h);
    }
  }
}

static int size_word(const char* word) {
  if (strncmp(word, "bytes=", 6)) return 0;
  size_count = 0;
  for (const char* at = word + 6; *at && size_count < most_sizes; at += *at == ',') {
    char* end;
    sizes[size_count++] = strtol(at, &end, 10);
    if (end == at) fail("bytes= takes numbers");
    at = end;
  }
  return 1;
}

int main(int argc, char** argv) {
  static const figure figures[] = {
      {"halo", halo_figure, 0}, {"vectors", vectors_figure, 0}, {"hidden", hidden_figure, 2}};
  return run_figures(argc, argv, "edges", figures, sizeof figures / sizeof *figures, size_word);
}
