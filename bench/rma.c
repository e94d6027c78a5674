/* One-sided figures, on the standard ABI only, so that one binary runs on every library that has it. Rank 0 is the origin and
 * rank 1 the target unless said; the target is in a barrier meanwhile ("idle"), or computes.
 *
 *   rma small        (2 ranks)  8 bytes and a flush: put, get, fetch_and_op, compare_and_swap; idle, computing (put, get), and
 *                               watched: the target reads the word in a loop. Beside the bare store, load, atomic instruction on
 *                               shared memory, and process_vm_writev and _readv of 8 bytes
 *   rma epoch        (2 ranks)  64 puts of 8 bytes, 64 bytes apart, and one flush; time of one put; idle, computing
 *   rma large        (2 ranks)  put or get of 64 KiB, 1 MiB, 4 MiB, and a flush; same buffers, and cold: both sides walk through
 *                               memory larger than the caches. Beside memcpy into shared memory, process_vm_writev and _readv
 *   rma strided      (2 ranks)  put and get of 1 MiB in blocks with gaps as large as a block, on both sides; "packed": only at the
 *                               target; idle, computing. Beside the same copy by one core, and by process_vm_writev
 *   rma accumulate   (2, 5 ..)  sum of doubles from all other ranks to the last one, and a flush; time of one at the target.
 *                               Beside the bare sum; on ordinary memory: by the origin (process_vm_readv, sum, process_vm_writev),
 *                               by the owner (process_vm_readv, sum), and by both, a half each; of several origins: the bare sum
 *                               in common memory, 16 KiB at a time under a lock of theirs
 *   rma lock         (2 ranks)  lock, put of 8 bytes, unlock
 *   rma contend      (any)      all ranks take the lock of rank 0, exclusive, for a put, or to count (get, put); time of one, and the
 *                               least share: what the rank with the fewest has got, of the mean
 *   rma sync         (any)      fence; post, start, complete, wait with the neighbours in a ring, and with all; nothing inside.
 *                               Beside the same by stores in common memory, and sched_yield where ranks have not a core each
 *   rma progress     (2 ranks)  completion of one operation while the target computes for 10 ms, and while it is idle; beside
 *                               process_vm_writev and _readv at the same moment
 *   rma create       (any)      a window made and freed
 *   rma idle         (2 ranks)  CPU time used by a rank that waits 2 s in MPI_Win_wait, for a lock, in a fence
 *   rma coupling     (2 ranks)  the three classes of coupling (rma_coupling.h)
 *   and what every program of figures knows (figures.h)
 *
 * Windows: "allocated" by MPI_Win_allocate, "created" from ordinary memory by MPI_Win_create; "bare": no MPI.
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds. What arrived is checked outside the timed part;
 * wrong data ends the program with an error.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/uio.h>

#include "figures.h"

typedef enum { allocated, created, kinds } kind;
static const char* const kind_names[] = {"allocated", "created"};

typedef struct {
  MPI_Win win;
  unsigned char* own; /* this rank's part */
  kind how;
} window;

static window make_window(kind how, size_t bytes) {
  window w = {.how = how};
  if (how == allocated) {
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.own, &w.win);
  } else {
    w.own = memory_of(bytes);
    MPI_Win_create(w.own, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win);
  }
  int *model, there;
  MPI_Win_get_attr(w.win, MPI_WIN_MODEL, &model, &there);
  if (!there || *model != MPI_WIN_UNIFIED) fail("a window that is not MPI_WIN_UNIFIED");
  if (bytes) memset(w.own, 0, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  return w;
}

static void free_window(window* w) {
  MPI_Win_free(&w->win);
  if (w->how == created) free(w->own);
}

/* As make_window, and everybody may access everybody's part until close_window. */
static window open_window(kind how, size_t bytes) {
  const window w = make_window(how, bytes);
  MPI_Win_lock_all(0, w.win);
  return w;
}

static void close_window(window* w) {
  MPI_Win_unlock_all(w->win);
  free_window(w);
}

/* From here on the owner sees what was put. */
static void settle(const window* w) {
  MPI_Win_flush_all(w->win);
  MPI_Win_sync(w->win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w->win);
}

static void* shared_memory(size_t bytes) {
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  memset(memory, 0, bytes);
  return memory;
}

/* Memory that all ranks store into, for what bare processes do; in pages of the last rank. */
typedef struct {
  MPI_Win win;
  unsigned char* memory;
} common;

static common open_common(size_t bytes) {
  common c;
  MPI_Aint there;
  int unit;
  MPI_Win_allocate_shared(rank == size - 1 ? (MPI_Aint)bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &c.memory,
                          &c.win);
  MPI_Win_shared_query(c.win, size - 1, &there, &unit, &c.memory);
  if (rank == size - 1) memset(c.memory, 0, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  return c;
}

/* Until another process has stored it. sync: none; each word has one meaning. */
static void await_word(atomic_long* word, long value) {
  static long cores; /* to ask takes microseconds */
  if (cores == 0) cores = sysconf(_SC_NPROCESSORS_ONLN);
  const int crowded = size > cores;
  while (atomic_load_explicit(word, memory_order_acquire) < value) {
    if (crowded) sched_yield();
#if defined(__x86_64__)
    else
      __builtin_ia32_pause();
#endif
  }
}

/* --- one origin, one target --- */

enum { target = 1 };

typedef struct transfer transfer;
struct transfer {
  void (*loop)(transfer*, int); /* so many times */
  MPI_Win win;
  unsigned char* here;  /* the buffer of the origin */
  unsigned char* there; /* bare: what is accessed, in this process or in that of the target */
  size_t n, stride, places, place;
  MPI_Datatype from, to;
  long total;             /* how often so far */
  atomic_long* watched;   /* what the target reads meanwhile, until it sees `total` */
  pid_t owner;            /* of `there` */
  struct iovec *out, *in; /* of a strided access by the system */
  size_t vectors;
};

static void watch(const transfer* a, long until) {
  const double enough = MPI_Wtime() + 2;
  while (atomic_load_explicit(a->watched, memory_order_relaxed) < until && MPI_Wtime() < enough) continue;
}

/* Seconds of the origin; the target is in the second barrier. */
static double by_origin(void* of, int k) {
  transfer* a = of;
  double took = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const double begin = MPI_Wtime();
    a->loop(a, k);
    took = MPI_Wtime() - begin;
  } else if (a->watched) {
    a->total += k;
    watch(a, a->total);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return took;
}

/* Microseconds of one; warmed up for a quarter of the time. */
static double time_of(double (*run)(void*, int), void* of, const char* figure, long n) {
  double one = 0;
  for (int k = 1, enough = 0; !enough; k *= 2) {
    one = run(of, k) / k;
    enough = one * k > point_seconds / 4 || k > INT_MAX / 4;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return 1e6 * measured(run, of, repetitions(one), figure, n);
}

static void report_time(transfer* a, const char* figure, const char* what, const char* where, long n) {
  char habit[64];
  snprintf(habit, sizeof habit, "%s%s%s", what, *where ? " " : "", where);
  a->place = 0, a->places = a->places ? a->places : 1;
  report(figure, habit, n, time_of(by_origin, a, figure, n));
}

/* The memory of the target, for bare accesses by the system. */
static void ask_owner(transfer* a, unsigned char* own) {
  long words[2] = {getpid(), (long)own};
  MPI_Bcast(words, 2, MPI_LONG, target, MPI_COMM_WORLD);
  a->owner = (pid_t)words[0], a->there = (unsigned char*)words[1];
}

static void walk(transfer* a) {
  if (++a->place == a->places) a->place = 0;
}

static void put(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    MPI_Put(a->here + at, (int)a->n, MPI_BYTE, target, (MPI_Aint)at, (int)a->n, MPI_BYTE, a->win);
    MPI_Win_flush(target, a->win);
  }
}

static void get(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    MPI_Get(a->here + at, (int)a->n, MPI_BYTE, target, (MPI_Aint)at, (int)a->n, MPI_BYTE, a->win);
    MPI_Win_flush(target, a->win);
  }
}

static void bare_put(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    memcpy(a->there + at, a->here + at, a->n);
    __asm__ volatile("" ::: "memory");
  }
}

static void bare_get(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    memcpy(a->here + at, a->there + at, a->n);
    __asm__ volatile("" ::: "memory");
  }
}

static void bare_writev(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    const struct iovec local = {a->here + at, a->n}, remote = {a->there + at, a->n};
    if (process_vm_writev(a->owner, &local, 1, &remote, 1, 0) != (ssize_t)a->n) fail("process_vm_writev");
  }
}

static void bare_readv(transfer* a, int k) {
  for (int i = 0; i < k; i++, walk(a)) {
    const size_t at = a->place * a->stride;
    const struct iovec local = {a->here + at, a->n}, remote = {a->there + at, a->n};
    if (process_vm_readv(a->owner, &local, 1, &remote, 1, 0) != (ssize_t)a->n) fail("process_vm_readv");
  }
}

#include "rma_coupling.h"
#include "rma_data.h"
#include "rma_sync.h"

int main(int argc, char** argv) {
  static const figure figures[] = {{"small", small, 2},
                                   {"epoch", epoch, 2},
                                   {"large", large, 2},
                                   {"strided", strided, 2},
                                   {"accumulate", accumulate, 0},
                                   {"lock", lock, 2},
                                   {"contend", contend, 0},
                                   {"sync", synchronisation, 0},
                                   {"progress", progress, 2},
                                   {"create", create, 0},
                                   {"idle", idle, 2},
                                   {"coupling", coupling, 2}};
  return run_figures(argc, argv, "rma", figures, sizeof figures / sizeof *figures, NULL);
}
