/* The figures of rma.c that move data: 8 bytes, many small ones, large ones, blocks with gaps, sums. A part of rma.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

/* --- 8 bytes --- */

static void put_word(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    *(long*)a->here = ++a->total;
    MPI_Put(a->here, 1, MPI_LONG, target, 0, 1, MPI_LONG, a->win);
    MPI_Win_flush(target, a->win);
  }
}

static void get_word(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    MPI_Get(a->here, 1, MPI_LONG, target, 0, 1, MPI_LONG, a->win);
    MPI_Win_flush(target, a->win);
  }
}

static void add_word(transfer* a, int k) {
  const long one = 1;
  for (int i = 0; i < k; i++) {
    MPI_Fetch_and_op(&one, a->here, MPI_LONG, target, 0, MPI_SUM, a->win);
    MPI_Win_flush(target, a->win);
    if (*(long*)a->here != a->total++) fail("WRONG DATA");
  }
}

static void swap_word(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    const long next = a->total + 1;
    MPI_Compare_and_swap(&next, &a->total, a->here, MPI_LONG, target, 0, a->win);
    MPI_Win_flush(target, a->win);
    if (*(long*)a->here != a->total) fail("WRONG DATA");
    a->total = next;
  }
}

/* sync: none; nothing but the time of the store counts, and a watcher that sees it. */
static void bare_store(transfer* a, int k) {
  for (int i = 0; i < k; i++) atomic_store_explicit((atomic_long*)a->there, ++a->total, memory_order_release);
}

static void bare_fenced(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    atomic_store_explicit((atomic_long*)a->there, ++a->total, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
  }
}

static void bare_load(transfer* a, int k) {
  for (int i = 0; i < k; i++)
    *(volatile long*)a->here = atomic_load_explicit((atomic_long*)a->there, memory_order_acquire);
}

static void bare_add(transfer* a, int k) {
  for (int i = 0; i < k; i++)
    if (atomic_fetch_add_explicit((atomic_long*)a->there, 1, memory_order_acq_rel) != a->total++)
      fail("WRONG DATA");
}

static void bare_swap(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    long old = a->total;
    if (!atomic_compare_exchange_strong_explicit((atomic_long*)a->there, &old, old + 1, memory_order_acq_rel,
                                                 memory_order_acquire))
      fail("WRONG DATA");
    a->total++;
  }
}

static void bare_write_word(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    *(long*)a->here = ++a->total;
    const struct iovec local = {a->here, 8}, remote = {a->there, 8};
    if (process_vm_writev(a->owner, &local, 1, &remote, 1, 0) != 8) fail("process_vm_writev");
  }
}

/* The word of the target is what the origin has made it. */
static void check_word(const window* w, const transfer* a) {
  long wanted = a->total;
  MPI_Bcast(&wanted, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  settle(w);
  if (rank == target && *(long*)w->own != wanted) fail("WRONG DATA");
  settle(w);
  if (rank == target) *(long*)w->own = 0;
  settle(w);
}

static const double computing_seconds = 10e-3;

/* Microseconds of one while the target computes: the median of some phases of computing_seconds each, with as many as come into
 * the first half of one, or only one. */
static double while_computing(transfer* a, int busy, int only_one) {
  enum { phases = 9 };
  const long work = turns_of(computing_seconds);
  double took[phases];
  for (int p = 0; p < phases; p++) {
    next_turn();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == target) {
      if (busy) compute(work);
    } else {
      double begin = MPI_Wtime();
      while (MPI_Wtime() < begin + 0.03 * computing_seconds) continue; /* the target is at work by now */
      begin = MPI_Wtime();
      long done = 1;
      a->loop(a, 1);
      double now = MPI_Wtime();
      while (!only_one && now < begin + computing_seconds / 2) {
        const int k = now - begin < 1e-5 * (double)done ? 20 : 1;
        a->loop(a, k);
        done += k, now = MPI_Wtime();
      }
      took[p] = (now - begin) / (double)done;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  qsort(took, phases, sizeof *took, by_value);
  return 1e6 * took[phases / 2];
}

static void small(void) {
  static const struct {
    const char* name;
    void (*loop)(transfer*, int);
    int counts, computing;
  } operations[] = {{"put", put_word, 1, 1},
                    {"get", get_word, 0, 1},
                    {"fetch_and_op", add_word, 1, 0},
                    {"compare_and_swap", swap_word, 1, 0}};
  long buffer = 0;
  for (kind how = 0; how < kinds; how++) {
    const char* name = kind_names[how];
    window w = open_window(how, 4096);
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
      transfer a = {.loop = operations[o].loop, .win = w.win, .here = (unsigned char*)&buffer, .n = 8};
      if (!operations[o].counts && rank == target) *(long*)w.own = 77;
      settle(&w);
      report_time(&a, "small", operations[o].name, name, 8);
      if (operations[o].computing) {
        char habit[64];
        snprintf(habit, sizeof habit, "%s %s, computing", operations[o].name, name);
        report("small", habit, 8, while_computing(&a, 1, 0));
      }
      if (!operations[o].counts && rank == 0 && buffer != 77) fail("WRONG DATA");
      if (!operations[o].counts) a.total = 77;
      check_word(&w, &a);
    }
    if (how == allocated) {
      transfer a = {.loop = put_word,
                    .win = w.win,
                    .here = (unsigned char*)&buffer,
                    .n = 8,
                    .watched = (atomic_long*)w.own};
      report_time(&a, "small", "put allocated,", "watched", 8);
      check_word(&w, &a);
    } else {
      transfer a = {.loop = bare_write_word, .here = (unsigned char*)&buffer, .n = 8};
      ask_owner(&a, w.own);
      report_time(&a, "small", "bare writev", "", 8);
      check_word(&w, &a);
      a.loop = bare_readv;
      report_time(&a, "small", "bare readv", "", 8);
    }
    close_window(&w);
  }
  static const struct {
    const char* name;
    void (*loop)(transfer*, int);
  } bare[] = {{"bare store", bare_store},
              {"bare store, fence", bare_fenced},
              {"bare load", bare_load},
              {"bare add", bare_add},
              {"bare swap", bare_swap}};
  if (line == NULL) share_line();
  unsigned char* word = (unsigned char*)line + 2048;
  for (size_t b = 0; b < sizeof bare / sizeof *bare; b++) {
    transfer a = {.loop = bare[b].loop, .here = (unsigned char*)&buffer, .there = word, .n = 8};
    if (rank == 0) atomic_store((atomic_long*)word, 0);
    report_time(&a, "small", bare[b].name, "", 8);
  }
  if (rank == 0) atomic_store((atomic_long*)word, 0);
  transfer a = {.loop = bare_store,
                .here = (unsigned char*)&buffer,
                .there = word,
                .n = 8,
                .watched = (atomic_long*)word};
  report_time(&a, "small", "bare store,", "watched", 8);
}

/* --- many small ones in an epoch --- */

enum { many = 64, many_apart = 64 };

static void put_many(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    a->total++;
    for (int p = 0; p < many; p++) {
      long* from = (long*)a->here + p;
      *from = a->total + p;
      MPI_Put(from, 1, MPI_LONG, target, (MPI_Aint)p * many_apart, 1, MPI_LONG, a->win);
    }
    MPI_Win_flush(target, a->win);
  }
}

static void bare_many(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    a->total++;
    for (int p = 0; p < many; p++) ((long*)a->here)[p] = a->total + p;
    if (process_vm_writev(a->owner, a->out, many, a->in, many, 0) != 8 * many) fail("process_vm_writev");
  }
}

static void epoch(void) {
  long buffer[many];
  for (int how = 0; how <= kinds; how++) { /* the last: bare */
    window w = open_window(how == kinds ? created : (kind)how, many * many_apart);
    struct iovec out[many], in[many];
    transfer a = {.loop = how == kinds ? bare_many : put_many,
                  .win = w.win,
                  .here = (unsigned char*)buffer,
                  .out = out,
                  .in = in};
    ask_owner(&a, w.own);
    for (int p = 0; p < many; p++) {
      out[p] = (struct iovec){buffer + p, 8};
      in[p] = (struct iovec){a.there + p * many_apart, 8};
    }
    report("epoch", how == kinds ? "bare writev" : kind_names[how], many,
           time_of(by_origin, &a, "epoch", many) / many);
    if (how != kinds) {
      char habit[64];
      snprintf(habit, sizeof habit, "%s, computing", kind_names[how]);
      report("epoch", habit, many, while_computing(&a, 1, 0) / many);
    }
    MPI_Bcast(&a.total, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    settle(&w);
    for (int p = 0; p < many && rank == target; p++)
      if (*(long*)(w.own + p * many_apart) != a.total + p) fail("WRONG DATA");
    close_window(&w);
  }
}

/* --- large ones --- */

enum { cold_bytes = 96 << 20 };

/* What is put carries another value each time; what is got was written by the target. */
static void check_large(transfer* a, window* w, int puts_it) {
  static unsigned char value = 0x20;
  value++;
  a->place = 0;
  if (rank == (puts_it ? 0 : target)) write_all(puts_it ? a->here : w->own, a->n, value);
  if (rank == (puts_it ? target : 0)) write_all(puts_it ? w->own : a->here, a->n, 0);
  settle(w);
  if (rank == 0) a->loop(a, 1);
  settle(w);
  if (rank == (puts_it ? target : 0)) check_all(puts_it ? w->own : a->here, a->n, value);
}

static void large(void) {
  static const long sizes[] = {64 << 10, 1 << 20, 4 << 20};
  unsigned char* here = memory_of(cold_bytes);
  for (kind how = 0; how < kinds; how++) {
    window w = open_window(how, rank == target ? cold_bytes : 0);
    unsigned char* bare = how == allocated && rank == 0 ? shared_memory(cold_bytes) : NULL;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const size_t n = (size_t)sizes[s];
      for (int cold = 0; cold < 2; cold++) {
        const char* figure = cold ? "large cold" : "large";
        transfer a = {.win = w.win, .here = here, .n = n, .places = 1};
        if (cold) a.stride = n + 4096, a.places = cold_bytes / a.stride;
        a.loop = put;
        report_time(&a, figure, "put", kind_names[how], sizes[s]);
        check_large(&a, &w, 1);
        a.loop = get;
        report_time(&a, figure, "get", kind_names[how], sizes[s]);
        check_large(&a, &w, 0);
        if (how == allocated)
          a.there = bare;
        else
          ask_owner(&a, w.own);
        a.loop = how == allocated ? bare_put : bare_writev;
        report_time(&a, figure, how == allocated ? "bare memcpy in" : "bare writev", "", sizes[s]);
        a.loop = how == allocated ? bare_get : bare_readv;
        report_time(&a, figure, how == allocated ? "bare memcpy out" : "bare readv", "", sizes[s]);
      }
    }
    if (bare) munmap(bare, cold_bytes);
    close_window(&w);
  }
  free(here);
}

/* --- blocks with gaps --- */

enum { strided_bytes = 1 << 20 };

static void put_strided(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    if (a->from == MPI_DATATYPE_NULL)
      MPI_Put(a->here, strided_bytes / 8, MPI_DOUBLE, target, 0, 1, a->to, a->win);
    else
      MPI_Put(a->here, 1, a->from, target, 0, 1, a->to, a->win);
    MPI_Win_flush(target, a->win);
  }
}

static void get_strided(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    MPI_Get(a->here, 1, a->from, target, 0, 1, a->to, a->win);
    MPI_Win_flush(target, a->win);
  }
}

/* Blocks whose length the compiler knows. */
#define COPY_BLOCKS(length)                                                       \
  for (size_t at = 0; at < (size_t)strided_bytes * 2; at += (size_t)(length) * 2) \
  memcpy(a->there + at, a->here + at, length)
static void bare_strided(transfer* a, int k) {
  for (int i = 0; i < k; i++) {
    if (a->n == 8) COPY_BLOCKS(8);
    if (a->n == 64) COPY_BLOCKS(64);
    if (a->n == 256) COPY_BLOCKS(256);
    if (a->n == 4096) COPY_BLOCKS(4096);
    __asm__ volatile("" ::: "memory");
  }
}

static void bare_strided_writev(transfer* a, int k) {
  for (int i = 0; i < k; i++)
    for (size_t at = 0; at < a->vectors; at += IOV_MAX) {
      const size_t left = a->vectors - at, count = left < IOV_MAX ? left : IOV_MAX;
      if (process_vm_writev(a->owner, a->out + at, count, a->in + at, count, 0) != (ssize_t)(count * a->n))
        fail("process_vm_writev");
    }
}

/* Blocks hold what was written to them, and gaps are as they were. */
static void check_strided(transfer* a, window* w, int puts_it) {
  static unsigned char value = 0x60;
  const size_t all = 2 * (size_t)strided_bytes;
  value++;
  if (rank == (puts_it ? 0 : target)) write_all(puts_it ? a->here : w->own, all, value);
  if (rank == (puts_it ? target : 0)) write_all(puts_it ? w->own : a->here, all, 0);
  settle(w);
  if (rank == 0) a->loop(a, 1);
  settle(w);
  if (rank == (puts_it ? target : 0)) {
    const unsigned char* got = puts_it ? w->own : a->here;
    for (size_t at = 0; at < all; at++)
      if (got[at] != (at / a->n % 2 == 0 ? value : 0)) fail("WRONG DATA");
  }
  settle(w);
}

/* The same while the target computes. */
static void report_computing(transfer* a, const char* what, const char* name, int length) {
  char habit[64];
  snprintf(habit, sizeof habit, "%s %s, computing", what, name);
  report("strided", habit, length, while_computing(a, 1, 0));
}

static void strided(void) {
  static const int blocks[] = {8, 64, 256, 4096};
  const size_t all = 2 * (size_t)strided_bytes;
  unsigned char *here = memory_of(all), *bare = shared_memory(all);
  struct iovec *out = memory_of(sizeof *out * strided_bytes / 8),
               *in = memory_of(sizeof *in * strided_bytes / 8);
  for (kind how = 0; how < kinds; how++) {
    window w = open_window(how, all);
    const char* name = kind_names[how];
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
      const int length = blocks[b];
      transfer a = {.win = w.win,
                    .here = here,
                    .n = (size_t)length,
                    .vectors = strided_bytes / (size_t)length,
                    .out = out,
                    .in = in};
      MPI_Type_vector(strided_bytes / length, length / 8, length / 4, MPI_DOUBLE, &a.to);
      MPI_Type_commit(&a.to);
      a.from = a.to;
      a.loop = put_strided;
      report_time(&a, "strided", "put", name, length);
      report_computing(&a, "put", name, length);
      check_strided(&a, &w, 1);
      a.loop = get_strided;
      report_time(&a, "strided", "get", name, length);
      report_computing(&a, "get", name, length);
      check_strided(&a, &w, 0);
      a.from = MPI_DATATYPE_NULL;
      a.loop = put_strided;
      report_time(&a, "strided", "put packed", name, length);
      report_computing(&a, "put packed", name, length);
      check_strided(&a, &w, 1);
      ask_owner(&a, w.own);
      for (size_t v = 0; v < a.vectors; v++) {
        out[v] = (struct iovec){here + 2 * v * a.n, a.n};
        in[v] = (struct iovec){a.there + 2 * v * a.n, a.n};
      }
      if (how == allocated) a.there = bare;
      a.loop = how == allocated ? bare_strided : bare_strided_writev;
      report_time(&a, "strided", how == allocated ? "bare copy" : "bare writev", "", length);
      MPI_Type_free(&a.to);
    }
    close_window(&w);
  }
  munmap(bare, all);
  free(here), free(out), free(in);
}

/* --- accumulate --- */

typedef struct {
  MPI_Win win;
  double *ones, *there;
  int n;      /* doubles */
  long total; /* of every origin so far */
} sums;

static double summing(void* of, int k) {
  sums* s = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  s->total += k;
  if (rank != size - 1)
    for (int i = 0; i < k; i++) {
      MPI_Accumulate(s->ones, s->n, MPI_DOUBLE, size - 1, 0, s->n, MPI_DOUBLE, MPI_SUM, s->win);
      MPI_Win_flush(size - 1, s->win);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

/* Four vectors a turn: a loop of one takes 1.8 times as long on a Zen 3 where it crosses a line of code. */
static void add(double* restrict there, const double* restrict ones, int n) {
#pragma GCC unroll 4
  for (int j = 0; j < n; j++) there[j] += ones[j];
}

static double bare_summing(void* of, int k) {
  sums* s = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k && rank == 0; i++) {
    add(s->there, s->ones, s->n);
    __asm__ volatile("" ::: "memory");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

/* The same on ordinary memory of the target: what each end does, for so many of the first bytes by the origin. */
typedef struct {
  double *ones, *own, *room; /* of this rank */
  double *their_ones, *their_own;
  pid_t them;
  size_t bytes, by_origin;
  atomic_long *go, *done;
  long rounds;
} halves;

static void read_there(halves* h, double* to, const double* from, size_t bytes) {
  const struct iovec local = {to, bytes}, remote = {(void*)from, bytes};
  if (bytes && process_vm_readv(h->them, &local, 1, &remote, 1, 0) != (ssize_t)bytes)
    fail("process_vm_readv");
}

static double halving(void* of, int k) {
  enum { at_once = 48 << 10 };
  halves* h = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    const long round = ++h->rounds;
    const size_t from = rank == 0 ? 0 : h->by_origin, to = rank == 0 ? h->by_origin : h->bytes;
    if (rank == 0)
      atomic_store_explicit(h->go, round, memory_order_release); /* sync: none; the kernel copies */
    if (rank != 0) await_word(h->go, round);
    for (size_t at = from, now; at < to; at += now) {
      now = to - at < at_once ? to - at : at_once;
      double* const inout = rank == 0 ? h->room : h->own + at / 8;
      const double* const in = rank == 0 ? h->ones + at / 8 : h->room;
      read_there(h, h->room, (rank == 0 ? h->their_own : h->their_ones) + at / 8, now);
      for (size_t j = 0; j < now / 8; j++) inout[j] += in[j];
      const struct iovec local = {h->room, now}, remote = {h->their_own + at / 8, now};
      if (rank == 0 && process_vm_writev(h->them, &local, 1, &remote, 1, 0) != (ssize_t)now)
        fail("process_vm_writev");
    }
    if (rank != 0) atomic_store_explicit(h->done, round, memory_order_release);
    if (rank == 0) await_word(h->done, round);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

static void bare_halves(const int* sizes, size_t count, size_t most, double* ones) {
  static const char* const names[] = {"bare by owner", "bare by both", "bare by origin"};
  common c = open_common(4096);
  halves h = {.ones = ones, .own = memory_of(most), .room = memory_of(48 << 10)};
  h.go = (atomic_long*)c.memory, h.done = (atomic_long*)(c.memory + 1024);
  long mine[3] = {getpid(), (long)h.ones, (long)h.own}, theirs[3];
  MPI_Sendrecv(mine, 3, MPI_LONG, peer, 0, theirs, 3, MPI_LONG, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  h.them = (pid_t)theirs[0], h.their_ones = (double*)theirs[1], h.their_own = (double*)theirs[2];
  for (size_t n = 0; n < count; n++)
    for (int part = 0; part < 3; part++) {
      h.bytes = (size_t)sizes[n], h.by_origin = (size_t)sizes[n] / 2 * (size_t)part / 8 * 8;
      if (part == 1 && sizes[n] < 4096) continue;
      for (size_t j = 0; j < most / 8; j++) h.own[j] = 0;
      const long before = h.rounds;
      report("accumulate", names[part], sizes[n], time_of(halving, &h, "accumulate", sizes[n]));
      for (size_t j = 0; j < h.bytes / 8 && rank != 0; j++)
        if (h.own[j] != (double)(h.rounds - before)) fail("WRONG DATA");
    }
  free(h.own), free(h.room);
  MPI_Win_free(&c.win);
}

/* Several origins: each sum in common memory, 16 KiB at a time under a lock. */
enum { locked_at_once = 16 << 10, lock_apart = 128 };

static double locked_summing(void* of, int k) {
  sums* s = of;
  unsigned char* const locks = (unsigned char*)(s->there + s->n);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  s->total += k;
  for (int i = 0; i < k && rank != size - 1; i++)
    for (int at = 0; at < s->n; at += locked_at_once / 8) {
      atomic_long* const lock = (atomic_long*)(locks + (size_t)at * 8 / locked_at_once * lock_apart);
      const int to = s->n - at < locked_at_once / 8 ? s->n : at + locked_at_once / 8;
      while (atomic_exchange_explicit(lock, 1, memory_order_acquire)) sched_yield(); /* sync: lock */
      add(s->there + at, s->ones + at, to - at);
      atomic_store_explicit(lock, 0, memory_order_release); /* sync: lock */
    }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

static void bare_origins(const int* sizes, size_t count, size_t most, double* ones) {
  for (size_t n = 0; n < count; n++) {
    common c = open_common(most + most / locked_at_once * lock_apart + lock_apart);
    sums s = {.ones = ones, .there = (double*)c.memory, .n = sizes[n] / 8};
    report("accumulate", "bare locked sum", sizes[n],
           time_of(locked_summing, &s, "accumulate", sizes[n]) / (size - 1));
    for (int i = 0; i < s.n && rank == size - 1; i++)
      if (s.there[i] != (double)s.total * (size - 1)) fail("WRONG DATA");
    MPI_Win_free(&c.win);
  }
}

static void accumulate(void) {
  enum { most = 1 << 20 };
  static const int sizes[] = {8, 64 << 10, most};
  if (size < 2) fail("accumulate takes two ranks or more");
  double* ones = memory_of(most);
  for (int i = 0; i < most / 8; i++) ones[i] = 1;
  for (kind how = 0; how < kinds; how++)
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      window w = open_window(how, most);
      sums s = {.win = w.win, .ones = ones, .n = sizes[n] / 8};
      char habit[64];
      snprintf(habit, sizeof habit, size == 2 ? "%s, %d origin" : "%s, %d origins", kind_names[how],
               size - 1);
      report("accumulate", habit, sizes[n], time_of(summing, &s, "accumulate", sizes[n]) / (size - 1));
      settle(&w);
      for (int i = 0; i < s.n && rank == size - 1; i++)
        if (((double*)w.own)[i] != (double)s.total * (size - 1)) fail("WRONG DATA");
      close_window(&w);
    }
  if (size == 2) {
    double* there = shared_memory(most);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      sums s = {.ones = ones, .there = there, .n = sizes[n] / 8};
      report("accumulate", "bare sum", sizes[n], time_of(bare_summing, &s, "accumulate", sizes[n]));
    }
    munmap(there, most);
    bare_halves(sizes, sizeof sizes / sizeof *sizes, most, ones);
  } else {
    bare_origins(sizes, sizeof sizes / sizeof *sizes, most, ones);
  }
  free(ones);
}
