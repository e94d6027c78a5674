/* Collective figures, on the standard ABI only, so that one binary runs on every library that has it.
 *
 *   coll barrier|bcast|reduce|allreduce|allgather|alltoall|reduce_scatter|gather|scatter|scan
 *                   (any)      time of one, in a loop. The size is that of the data that each rank has or gets (bcast, reduce,
 *                              allreduce, scan), of the whole vector (reduce_scatter), of one block (gather, scatter, allgather, and
 *                              alltoall: per pair). Roots take turns.
 *                                same       the buffers are never touched
 *                                rewritten  (from 64 KiB on) every rank writes what it sends before each (that time is taken out)
 *   coll typed      (any)      a broadcast of every other double, and the same packed, broadcast and unpacked
 *   coll parts      (any)      a broadcast, and a scatter and an allgather of its parts in its place
 *   coll late       (2 ranks)  share of the time of an MPI_Iallreduce, an MPI_Ibcast, and of their persistent forms, that is
 *                              hidden from a rank that computes for five times as long before it waits; the other rank waits
 *                              at once
 *   coll persistent (any)      the blocking, the non-blocking and the persistent form of the same
 *   coll memory     (any)      KiB of the job for each communicator and rank, of 1000 duplicates that each do one, ten
 *                              MPI_Allreduce of 8 bytes
 *   bytes=N,N...    for what follows: these sizes only
 * And what every program of figures knows (figures.h).
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds. The slowest rank counts: a time is that from
 * a barrier until the last rank is through, divided by how many it has done. What arrives is checked at all ranks for all roots
 * outside the timed part, before and after it; wrong data ends the program with an error.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "figures.h"
#include "pss.h"

enum { most_bytes = 16 << 20, most_sizes = 32, rewritten_from = 64 << 10 };

static long sizes[most_sizes] = {8, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 8 << 20};
static int size_count = 6;

/* --- the operations, and what each has to bring --- */

typedef struct {
  double *send, *receive;
  int count; /* doubles */
  int seed;  /* what is sent follows from it */
} data;

typedef struct {
  const char* name;
  int rooted;
  void (*once)(const data*, int root);
  void (*begin)(const data*, int root, MPI_Request*);   /* non-blocking */
  void (*prepare)(const data*, int root, MPI_Request*); /* persistent */
  int sends_all, receives_all;                          /* a block for each rank */
} operation;

/* What `from` sends to `to`; small integers, so that sums are exact. */
static double element(int seed, int from, int to, int i) {
  return seed % 64 * 16 + from * 5 + to * 3 + i % 8;
}

/* Of the first `members` ranks. */
static double sum_of(int seed, int members) {
  double sum = 0;
  for (int from = 0; from < members; from++) sum += element(seed, from, 0, 0);
  return sum;
}

static void barrier_once(const data* d, int root) {
  (void)d, (void)root;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast_once(const data* d, int root) {
  MPI_Bcast(rank == root ? d->send : d->receive, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void bcast_begin(const data* d, int root, MPI_Request* r) {
  MPI_Ibcast(rank == root ? d->send : d->receive, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD, r);
}
static void bcast_prepare(const data* d, int root, MPI_Request* r) {
  MPI_Bcast_init(rank == root ? d->send : d->receive, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD,
                 MPI_INFO_NULL, r);
}
static void reduce_once(const data* d, int root) {
  MPI_Reduce(d->send, d->receive, d->count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}
static void allreduce_once(const data* d, int root) {
  (void)root;
  MPI_Allreduce(d->send, d->receive, d->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void allreduce_begin(const data* d, int root, MPI_Request* r) {
  (void)root;
  MPI_Iallreduce(d->send, d->receive, d->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, r);
}
static void allreduce_prepare(const data* d, int root, MPI_Request* r) {
  (void)root;
  MPI_Allreduce_init(d->send, d->receive, d->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, r);
}
static void allgather_once(const data* d, int root) {
  (void)root;
  MPI_Allgather(d->send, d->count, MPI_DOUBLE, d->receive, d->count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void alltoall_once(const data* d, int root) {
  (void)root;
  MPI_Alltoall(d->send, d->count, MPI_DOUBLE, d->receive, d->count, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void reduce_scatter_once(const data* d, int root) {
  (void)root;
  MPI_Reduce_scatter_block(d->send, d->receive, d->count / size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void gather_once(const data* d, int root) {
  MPI_Gather(d->send, d->count, MPI_DOUBLE, d->receive, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void scatter_once(const data* d, int root) {
  MPI_Scatter(d->send, d->count, MPI_DOUBLE, d->receive, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
static void scan_once(const data* d, int root) {
  (void)root;
  MPI_Scan(d->send, d->receive, d->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

enum {
  op_barrier,
  op_bcast,
  op_reduce,
  op_allreduce,
  op_allgather,
  op_alltoall,
  op_reduce_scatter,
  op_gather,
  op_scatter,
  op_scan
};
static const operation operations[] = {
    [op_barrier] = {.name = "barrier", .once = barrier_once},
    [op_bcast] =
        {.name = "bcast", .rooted = 1, .once = bcast_once, .begin = bcast_begin, .prepare = bcast_prepare},
    [op_reduce] = {.name = "reduce", .rooted = 1, .once = reduce_once},
    [op_allreduce] = {.name = "allreduce",
                      .once = allreduce_once,
                      .begin = allreduce_begin,
                      .prepare = allreduce_prepare},
    [op_allgather] = {.name = "allgather", .once = allgather_once, .receives_all = 1},
    [op_alltoall] = {.name = "alltoall", .once = alltoall_once, .sends_all = 1, .receives_all = 1},
    [op_reduce_scatter] = {.name = "reduce_scatter", .once = reduce_scatter_once},
    [op_gather] = {.name = "gather", .rooted = 1, .once = gather_once, .receives_all = 1},
    [op_scatter] = {.name = "scatter", .rooted = 1, .once = scatter_once, .sends_all = 1},
    [op_scan] = {.name = "scan", .once = scan_once},
};

static int sent_blocks(const operation* o) {
  return o->sends_all ? size : 1;
}

static void write_sent(const operation* o, const data* d) {
  for (int to = 0; to < sent_blocks(o); to++) {
    double* const block = d->send + (size_t)to * (size_t)d->count;
    for (int i = 0; i < d->count; i++) block[i] = element(d->seed, rank, to, i);
  }
}

static void expect(const double* got, int count, double first) {
  for (int i = 0; i < count; i++)
    if (got[i] != first + i % 8) fail("WRONG DATA");
}

/* After write_sent() and one operation with this root. */
static void check_received(const operation* o, const data* d, int root) {
  const int n = d->count, which = (int)(o - operations);
  const int summed = which == op_scan ? rank + 1 : size;
  const double sum = sum_of(d->seed, summed);
  switch (which) {
    case op_bcast:
      if (rank != root) expect(d->receive, n, element(d->seed, root, 0, 0));
      break;
    case op_reduce:
    case op_allreduce:
    case op_scan:
      if (which == op_reduce && rank != root) break;
      for (int i = 0; i < n; i++)
        if (d->receive[i] != sum + summed * (i % 8)) fail("WRONG DATA");
      break;
    case op_reduce_scatter:
      for (int i = 0; i < n / size; i++)
        if (d->receive[i] != sum + size * ((rank * (n / size) + i) % 8)) fail("WRONG DATA");
      break;
    case op_scatter:
      expect(d->receive, n, element(d->seed, root, rank, 0));
      break;
    case op_allgather:
    case op_alltoall:
    case op_gather:
      if (which == op_gather && rank != root) break;
      for (int from = 0; from < size; from++)
        expect(d->receive + (size_t)from * (size_t)n, n,
               element(d->seed, from, which == op_alltoall ? rank : 0, 0));
  }
}

static void check(const operation* o, data* d) {
  for (int root = 0; root < (o->rooted ? size : 1); root++) {
    d->seed++;
    write_sent(o, d);
    o->once(d, root);
    check_received(o, d, root);
  }
}

/* --- time --- */

typedef enum { same, rewritten } habit;
static const char* const habit_names[] = {"same", "rewritten"};

typedef struct {
  const operation* what;
  data* d;
  habit how;
} course;

static double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static double operations_of(void* of, int k) {
  const course* c = of;
  const size_t n = sizeof(double) * (size_t)c->d->count * (size_t)sent_blocks(c->what);
  double inside = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0, root = 0; i < k; i++) {
    if (c->how == rewritten) {
      memset(c->d->send, i & 1, n);
      begin = MPI_Wtime();
    }
    c->what->once(c->d, root);
    if (c->how == rewritten) inside += MPI_Wtime() - begin;
    if (++root == size) root = 0;
  }
  return slowest(c->how == rewritten ? inside : MPI_Wtime() - begin);
}

/* Microseconds of one; warmed up for a quarter of the time, and for all roots. */
static double time_of(double (*run)(void*, int), void* of, const char* figure, long n) {
  double one = 0;
  for (int k = size; one * k <= point_seconds / 4; k *= 2) one = run(of, k) / k;
  return 1e6 * measured(run, of, repetitions(one), figure, n);
}

/* False: the buffers would be too large, or there is nothing in them. */
static int make_data(const operation* o, long n, data* d) {
  const size_t blocks = o->sends_all || o->receives_all ? (size_t)size : 1;
  const size_t least = o == &operations[op_reduce_scatter] ? sizeof(double) * (size_t)size : sizeof(double);
  if ((size_t)n < least || (size_t)n * blocks > most_bytes) return 0;
  d->count = (int)((size_t)n / sizeof(double));
  if (o == &operations[op_reduce_scatter]) d->count -= d->count % size;
  d->send = memory_of((size_t)n * (size_t)sent_blocks(o));
  d->receive = memory_of((size_t)n * (o->receives_all ? (size_t)size : 1));
  return 1;
}

static void free_data(data* d) {
  free(d->send), free(d->receive);
}

static void figure_of(const operation* o) {
  if (o == &operations[op_barrier]) {
    course c = {o, &(data){0}, same};
    char habit[32];
    snprintf(habit, sizeof habit, "barrier, %d ranks", size);
    report("coll", habit, size, time_of(operations_of, &c, "coll", size));
    return;
  }
  for (int s = 0; s < size_count; s++) {
    data d = {.seed = s};
    if (!make_data(o, sizes[s], &d)) continue;
    check(o, &d);
    for (habit how = same; how <= (sizes[s] >= rewritten_from ? rewritten : same); how++) {
      course c = {o, &d, how};
      char habit[64];
      snprintf(habit, sizeof habit, "%s, %d ranks%s%s", o->name, size, how == same ? "" : ", ",
               how == same ? "" : habit_names[how]);
      report("coll", habit, sizes[s], time_of(operations_of, &c, "coll", sizes[s]));
    }
    check(o, &d);
    free_data(&d);
  }
}

#define FIGURE(name)                   \
  static void name##_figure(void) {    \
    figure_of(&operations[op_##name]); \
  }
FIGURE(barrier)
FIGURE(bcast)
FIGURE(reduce)
FIGURE(allreduce)
FIGURE(allgather)
FIGURE(alltoall)
FIGURE(reduce_scatter)
FIGURE(gather)
FIGURE(scatter)
FIGURE(scan)

/* --- a broadcast of a type with gaps, and what a program would do without it --- */

typedef struct {
  double* gaps; /* twice as many */
  char* packed;
  int count, packed_bytes, by_hand;
  MPI_Datatype type;
} strided;

static void strided_once(const strided* t, int root) {
  if (!t->by_hand) {
    MPI_Bcast(t->gaps, 1, t->type, root, MPI_COMM_WORLD);
    return;
  }
  int at = 0;
  if (rank == root) MPI_Pack(t->gaps, 1, t->type, t->packed, t->packed_bytes, &at, MPI_COMM_WORLD);
  MPI_Bcast(t->packed, t->packed_bytes, MPI_PACKED, root, MPI_COMM_WORLD);
  at = 0;
  if (rank != root) MPI_Unpack(t->packed, t->packed_bytes, &at, t->gaps, 1, t->type, MPI_COMM_WORLD);
}

static double strided_of(void* of, int k) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) strided_once(of, i % size);
  return slowest(MPI_Wtime() - begin);
}

static void typed_figure(void) {
  for (int s = 0; s < size_count; s++) {
    if (sizes[s] < 8 || sizes[s] > most_bytes / 2) continue;
    strided t = {.count = (int)(sizes[s] / 8)};
    t.gaps = memory_of(16 * (size_t)t.count);
    MPI_Type_vector(t.count, 1, 2, MPI_DOUBLE, &t.type);
    MPI_Type_commit(&t.type);
    MPI_Pack_size(1, t.type, MPI_COMM_WORLD, &t.packed_bytes);
    t.packed = memory_of((size_t)t.packed_bytes);
    for (t.by_hand = 0; t.by_hand < 2; t.by_hand++) {
      for (int root = 0; root < size; root++) {
        for (int i = 0; i < 2 * t.count; i++) t.gaps[i] = rank == root ? root + i % 16 : -1;
        strided_once(&t, root);
        for (int i = 0; i < 2 * t.count; i++)
          if (t.gaps[i] != (rank == root || i % 2 == 0 ? root + i % 16 : -1)) fail("WRONG DATA");
      }
      char habit[64];
      snprintf(habit, sizeof habit, "bcast %s, %d ranks", t.by_hand ? "packed" : "typed", size);
      report("coll typed", habit, sizes[s], time_of(strided_of, &t, "coll typed", sizes[s]));
    }
    MPI_Type_free(&t.type);
    free(t.gaps), free(t.packed);
  }
}

/* --- a broadcast, and what a program could do in its place --- */

typedef struct {
  data whole, parts; /* of parts: all of them are sent, each takes its own, and all are put together */
  double* together;
  int in_parts;
} divided;

static void divided_once(const divided* t, int root) {
  if (!t->in_parts) {
    bcast_once(&t->whole, root);
    return;
  }
  scatter_once(&t->parts, root);
  MPI_Allgather(t->parts.receive, t->parts.count, MPI_DOUBLE, t->together, t->parts.count, MPI_DOUBLE,
                MPI_COMM_WORLD);
}

static double divided_of(void* of, int k) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) divided_once(of, i % size);
  return slowest(MPI_Wtime() - begin);
}

static void parts_figure(void) {
  for (int s = 0; s < size_count; s++) {
    const long count = sizes[s] / 8 / size, n = 8 * count * size;
    if (count == 0 || n > most_bytes) continue;
    divided t = {.whole = {.count = (int)count * size}, .parts = {.count = (int)count}};
    t.whole.send = t.parts.send = memory_of((size_t)n);
    t.whole.receive = t.together = memory_of((size_t)n);
    t.parts.receive = memory_of((size_t)n / (size_t)size);
    for (t.in_parts = 0; t.in_parts < 2; t.in_parts++) {
      for (int root = 0; root < size; root++) {
        for (int i = 0; i < t.whole.count; i++) {
          t.whole.send[i] = element(s + root, rank, 0, i);
          t.together[i] = -1;
        }
        divided_once(&t, root);
        if (t.in_parts || rank != root) expect(t.together, t.whole.count, element(s + root, root, 0, 0));
      }
      char habit[64];
      snprintf(habit, sizeof habit, "bcast %s, %d ranks", t.in_parts ? "in parts" : "whole", size);
      report("coll parts", habit, sizes[s], time_of(divided_of, &t, "coll parts", sizes[s]));
    }
    free(t.whole.send), free(t.together), free(t.parts.receive);
  }
}

/* --- a rank that comes late --- */

/* One operation, for which rank `late` computes before it waits; seconds that `late` takes. `prepared`: by that
 * request, if it is one. */
static double with_late(const operation* o, const data* d, int root, MPI_Request prepared, int late,
                        long turns) {
  MPI_Request request = prepared;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (prepared != MPI_REQUEST_NULL)
    MPI_Start(&request);
  else
    o->begin(d, root, &request);
  if (rank == late) compute(turns);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  double took = MPI_Wtime() - begin;
  MPI_Bcast(&took, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
  return took;
}

static double median_of(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

/* hidden = 1 - (together - computation) / operation: 0 is nothing, 1 all of it. */
static void late_one(const operation* o, data* d, int root, MPI_Request prepared, const char* what, long n) {
  enum { tries = 31, late = 0, passes = 3 };
  double operation[tries], alone[tries], together[tries], computation = 1e-3;
  for (int pass = 0; pass < passes; pass++) {
    long turns = turns_of(computation);
    MPI_Bcast(&turns, 1, MPI_LONG, late, MPI_COMM_WORLD);
    for (int i = 0; i < tries; i++) {
      d->seed++;
      write_sent(o, d);
      operation[i] = with_late(o, d, root, prepared, late, 0);
      const double begin = MPI_Wtime();
      if (rank == late) compute(turns);
      alone[i] = MPI_Wtime() - begin;
      d->seed++;
      write_sent(o, d);
      together[i] = with_late(o, d, root, prepared, late, turns);
      check_received(o, d, root);
    }
    MPI_Bcast(alone, tries, MPI_DOUBLE, late, MPI_COMM_WORLD);
    const double took = median_of(operation, tries), without = median_of(alone, tries);
    computation = 5 * took;
    if (pass < passes - 1) continue;
    report("coll late", what, n, 100 * (1 - (median_of(together, tries) - without) / took));
  }
}

static void late_figure(void) {
  static const long of[] = {64 << 10, 1 << 20, 8 << 20};
  for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
    const struct {
      const operation* what;
      int root;
      const char* name;
    } cases[] = {{&operations[op_allreduce], 0, "Iallreduce"},
                 {&operations[op_bcast], 1, "Ibcast, receives"},
                 {&operations[op_bcast], 0, "Ibcast, is the root"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      data d = {0};
      make_data(cases[c].what, of[s], &d);
      late_one(cases[c].what, &d, cases[c].root, MPI_REQUEST_NULL, cases[c].name, of[s]);
      MPI_Request prepared;
      char persistent[64];
      cases[c].what->prepare(&d, cases[c].root, &prepared);
      snprintf(persistent, sizeof persistent, "%s, persistent", cases[c].name + 1);
      late_one(cases[c].what, &d, cases[c].root, prepared, persistent, of[s]);
      MPI_Request_free(&prepared);
      free_data(&d);
    }
  }
}

/* --- persistent beside blocking --- */

typedef struct {
  const operation* what;
  const data* d;
  MPI_Request* prepared; /* one for each root; null: as non-blocking ones */
} forms;

static double forms_of(void* of, int k) {
  const forms* f = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    const int root = f->what->rooted ? i % size : 0;
    MPI_Request request;
    if (f->prepared)
      MPI_Start(&f->prepared[root]);
    else
      f->what->begin(f->d, root, &request);
    MPI_Wait(f->prepared ? &f->prepared[root] : &request, MPI_STATUS_IGNORE);
  }
  return slowest(MPI_Wtime() - begin);
}

static void check_prepared(const operation* o, data* d, MPI_Request* prepared) {
  for (int root = 0; root < (o->rooted ? size : 1); root++) {
    d->seed++;
    write_sent(o, d);
    MPI_Start(&prepared[root]);
    MPI_Wait(&prepared[root], MPI_STATUS_IGNORE);
    check_received(o, d, root);
  }
}

static void persistent_figure(void) {
  static const int of[] = {op_allreduce, op_bcast};
  static const long of_bytes[] = {8, 8 << 10, 64 << 10, 1 << 20};
  MPI_Request* prepared = memory_of(sizeof(MPI_Request) * (size_t)size);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    for (size_t s = 0; s < sizeof of_bytes / sizeof *of_bytes; s++) {
      const operation* o = &operations[of[i]];
      const long n = of_bytes[s];
      const int roots = o->rooted ? size : 1;
      data d = {.seed = (int)s};
      make_data(o, n, &d);
      char habit[64];
      course blocking = {o, &d, same};
      forms f = {o, &d, NULL};
      snprintf(habit, sizeof habit, "%s, %d ranks, blocking", o->name, size);
      report("coll forms", habit, n, time_of(operations_of, &blocking, "coll forms", n));
      snprintf(habit, sizeof habit, "%s, %d ranks, non-blocking", o->name, size);
      report("coll forms", habit, n, time_of(forms_of, &f, "coll forms", n));
      for (int root = 0; root < roots; root++) o->prepare(&d, root, &prepared[root]);
      f.prepared = prepared;
      check_prepared(o, &d, prepared);
      snprintf(habit, sizeof habit, "%s, %d ranks, persistent", o->name, size);
      report("coll forms", habit, n, time_of(forms_of, &f, "coll forms", n));
      check_prepared(o, &d, prepared);
      for (int root = 0; root < roots; root++) MPI_Request_free(&prepared[root]);
      free_data(&d);
    }
  free(prepared);
}

/* --- memory of communicators --- */

/* PSS divides what several processes map among them: the sum over the ranks is what the job takes. */
static double job_kib(void) {
  double all = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double kib = pss_kib();
  if (kib == 0) fail("no /proc/self/smaps_rollup");
  MPI_Allreduce(&kib, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static void use(MPI_Comm comm, int times) {
  for (int i = 0; i < times; i++) {
    const long mine = rank + i;
    long sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
    if (sum != (long)size * (size - 1) / 2 + (long)size * i) fail("WRONG DATA");
  }
}

static void memory_figure(void) {
  enum { communicators = 1000 };
  static const int times[] = {1, 10};
  for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
    MPI_Comm* all = memory_of(sizeof(MPI_Comm) * communicators);
    use(MPI_COMM_WORLD, 10);
    const double before = job_kib();
    for (int i = 0; i < communicators; i++) {
      MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
      use(all[i], times[t]);
    }
    char habit[32];
    snprintf(habit, sizeof habit, "each used %s, %d ranks", times[t] == 1 ? "once" : "ten times", size);
    report("coll memory", habit, size, (job_kib() - before) / (communicators * (double)size));
    for (int i = 0; i < communicators; i++) MPI_Comm_free(&all[i]);
    free(all);
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
  static const figure figures[] = {{"barrier", barrier_figure, 0},
                                   {"bcast", bcast_figure, 0},
                                   {"reduce", reduce_figure, 0},
                                   {"allreduce", allreduce_figure, 0},
                                   {"allgather", allgather_figure, 0},
                                   {"alltoall", alltoall_figure, 0},
                                   {"reduce_scatter", reduce_scatter_figure, 0},
                                   {"gather", gather_figure, 0},
                                   {"scatter", scatter_figure, 0},
                                   {"scan", scan_figure, 0},
                                   {"typed", typed_figure, 0},
                                   {"parts", parts_figure, 0},
                                   {"late", late_figure, 2},
                                   {"persistent", persistent_figure, 0},
                                   {"memory", memory_figure, 0}};
  return run_figures(argc, argv, "coll", figures, sizeof figures / sizeof *figures, size_word);
}
