/* The figures of rma.c about epochs and windows: locks, fences, groups, a target that computes, a rank that waits. A part of
 * rma.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once

/* --- locks --- */

static void lock_put_of(transfer* a, int k, int mode) {
  for (int i = 0; i < k; i++) {
    *(long*)a->here = ++a->total;
    MPI_Win_lock(mode, target, 0, a->win);
    MPI_Put(a->here, 1, MPI_LONG, target, 0, 1, MPI_LONG, a->win);
    MPI_Win_unlock(target, a->win);
  }
}

static void lock_put(transfer* a, int k) {
  lock_put_of(a, k, MPI_LOCK_EXCLUSIVE);
}

static void shared_lock_put(transfer* a, int k) {
  lock_put_of(a, k, MPI_LOCK_SHARED);
}

static void check_locked_word(const window* w, const transfer* a) {
  long wanted = a->total;
  MPI_Bcast(&wanted, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w->win);
  if (rank == target && *(long*)w->own != wanted) fail("WRONG DATA");
  MPI_Win_unlock(rank, w->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void lock(void) {
  long buffer = 0;
  for (kind how = 0; how < kinds; how++) {
    window w = make_window(how, 4096);
    transfer a = {.win = w.win, .here = (unsigned char*)&buffer};
    a.loop = lock_put;
    report_time(&a, "lock", "exclusive", kind_names[how], 8);
    check_locked_word(&w, &a);
    a.loop = shared_lock_put;
    report_time(&a, "lock", "shared", kind_names[how], 8);
    check_locked_word(&w, &a);
    free_window(&w);
  }
}

static void contend(void) {
  const double seconds = 0.4;
  for (kind how = 0; how < kinds; how++)
    for (int counting = 0; counting < 2; counting++) {
      window w = make_window(how, 4096);
      long done = 0, word = 0, all = 0, least = 0;
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      for (; MPI_Wtime() < begin + seconds; done++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
        if (counting) {
          MPI_Get(&word, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w.win);
          MPI_Win_flush(0, w.win);
          word++;
        }
        MPI_Put(&word, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w.win);
        MPI_Win_unlock(0, w.win);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      const double took = MPI_Wtime() - begin;
      MPI_Allreduce(&done, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
      MPI_Allreduce(&done, &least, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w.win);
      if (counting && rank == 0 && *(long*)w.own != all) fail("WRONG DATA");
      MPI_Win_unlock(rank, w.win);
      char habit[64];
      snprintf(habit, sizeof habit, "%s, %s", kind_names[how], counting ? "get and put" : "put");
      report("contend", habit, size, 1e6 * took / (double)all);
      report("least share", habit, size, (double)least * size / (double)all);
      free_window(&w);
    }
}

/* --- fences, and groups --- */

typedef struct {
  MPI_Win win;
  MPI_Group before, after; /* who accesses this rank; whom it accesses */
} partners;

static double fences(void* of, int k) {
  const partners* p = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) MPI_Win_fence(0, p->win);
  return MPI_Wtime() - begin;
}

static double groups(void* of, int k) {
  const partners* p = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    MPI_Win_post(p->before, 0, p->win);
    MPI_Win_start(p->after, 0, p->win);
    MPI_Win_complete(p->win);
    MPI_Win_wait(p->win);
  }
  return MPI_Wtime() - begin;
}

/* In a ring, or with all others. */
static void make_partners(partners* p, int all) {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  if (all) {
    MPI_Group_excl(world, 1, &rank, &p->before);
    MPI_Group_excl(world, 1, &rank, &p->after);
  } else {
    MPI_Group_incl(world, 1, &left, &p->before);
    MPI_Group_incl(world, 1, &right, &p->after);
  }
  MPI_Group_free(&world);
}

static void free_partners(partners* p) {
  MPI_Group_free(&p->before);
  MPI_Group_free(&p->after);
}

/* A put to the right neighbour is there after the epoch. */
static void check_epochs(const window* w, const partners* p) {
  const long value = 100 + rank, expected = 100 + (rank + size - 1) % size;
  for (int how = 0; how < (p ? 1 : 2); how++) {
    *(long*)w->own = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (p) {
      MPI_Win_post(p->before, 0, w->win);
      MPI_Win_start(p->after, 0, w->win);
    } else {
      MPI_Win_fence(0, w->win);
    }
    MPI_Put(&value, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, w->win);
    if (p) {
      MPI_Win_complete(w->win);
      MPI_Win_wait(w->win);
    } else {
      MPI_Win_fence(0, w->win);
    }
    if (*(long*)w->own != expected) fail("WRONG DATA");
  }
}

/* The same by bare stores (bench/yields.c has it without any library). */
enum { bare_apart = 128 };
typedef struct {
  unsigned char* memory;
  int last; /* with those so many ranks away, up to this one */
  long rounds, posts, completions;
} bare_epochs;

static atomic_long* word_at(const bare_epochs* b, int of, int place) {
  return (atomic_long*)(b->memory + ((size_t)of * (size_t)(size + 1) + (size_t)place) * bare_apart);
}

static double bare_fences(void* of, int k) {
  bare_epochs* b = of;
  atomic_long *arrived = word_at(b, size, 0), *released = word_at(b, size, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    if (atomic_fetch_add(arrived, 1) + 1 == ++b->rounds * size)
      atomic_store_explicit(released, b->rounds, memory_order_release); /* sync: released */
    else
      await_word(released, b->rounds);
  }
  return MPI_Wtime() - begin;
}

static double bare_groups(void* of, int k) {
  bare_epochs* b = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    b->posts++;
    for (int s = 1; s <= b->last; s++)
      atomic_store_explicit(word_at(b, (rank + size - s) % size, rank), b->posts, memory_order_release);
    for (int s = 1; s <= b->last; s++) await_word(word_at(b, rank, (rank + s) % size), b->posts);
    for (int s = 1; s <= b->last; s++, b->completions++)
      atomic_fetch_add(word_at(b, (rank + s) % size, size), 1);
    await_word(word_at(b, rank, size), b->completions);
  }
  return MPI_Wtime() - begin;
}

static void bare_synchronisation(void) {
  static const char* const names[] = {"bare fence", "bare post ring", "bare post all"};
  for (int how = 0; how < 3; how++) {
    common c = open_common((size_t)(size + 1) * (size_t)(size + 1) * bare_apart);
    bare_epochs b = {.memory = c.memory, .last = how == 2 ? size - 1 : 1};
    report("sync", names[how], size, time_of(how == 0 ? bare_fences : bare_groups, &b, "sync", size));
    MPI_Win_free(&c.win);
  }
}

static void synchronisation(void) {
  if (size < 2) fail("sync takes two ranks or more");
  for (kind how = 0; how < kinds; how++) {
    window w = make_window(how, 4096);
    char habit[64];
    partners p = {.win = w.win};
    MPI_Win_fence(0, w.win);
    snprintf(habit, sizeof habit, "fence %s", kind_names[how]);
    report("sync", habit, size, time_of(fences, &p, "sync", size));
    check_epochs(&w, NULL);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
    for (int all = 0; all < 2; all++) {
      make_partners(&p, all);
      snprintf(habit, sizeof habit, "%s %s", all ? "post all" : "post ring", kind_names[how]);
      report("sync", habit, size, time_of(groups, &p, "sync", size));
      check_epochs(&w, &p);
      free_partners(&p);
    }
    free_window(&w);
  }
  bare_synchronisation();
}

/* --- a target that computes --- */

static void progress(void) {
  static const struct {
    const char* name;
    void (*loop)(transfer*, int);
    int locks;
  } operations[] = {
      {"put", put_word, 0}, {"get", get_word, 0}, {"fetch_and_op", add_word, 0}, {"lock put", lock_put, 1}};
  long buffer = 0;
  for (kind how = 0; how < kinds; how++)
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
      for (int busy = 0; busy < 2; busy++) {
        window w = operations[o].locks ? make_window(how, 4096) : open_window(how, 4096);
        transfer a = {.loop = operations[o].loop, .win = w.win, .here = (unsigned char*)&buffer, .n = 8};
        char habit[64];
        snprintf(habit, sizeof habit, "%s %s, %s", operations[o].name, kind_names[how],
                 busy ? "computing" : "idle");
        report("progress", habit, 8, while_computing(&a, busy, 1));
        if (operations[o].locks) {
          check_locked_word(&w, &a);
          free_window(&w);
        } else {
          check_word(&w, &a);
          close_window(&w);
        }
      }
  window w = make_window(created, 4096);
  for (int get = 0; get < 2; get++)
    for (int busy = 0; busy < 2; busy++) {
      transfer a = {
          .loop = get ? bare_readv : bare_writev, .here = (unsigned char*)&buffer, .n = 8, .places = 1};
      ask_owner(&a, w.own);
      char habit[64];
      snprintf(habit, sizeof habit, "%s, %s", get ? "bare readv" : "bare writev",
               busy ? "computing" : "idle");
      report("progress", habit, 8, while_computing(&a, busy, 1));
    }
  free_window(&w);
}

/* --- making windows --- */

typedef enum { by_allocate, by_create, by_allocate_shared, by_dynamic, makes } make;

static void make_and_free(make how, unsigned char* memory, int check) {
  enum { bytes = 4096 };
  MPI_Win win;
  unsigned char* own = memory;
  if (how == by_allocate) MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  if (how == by_create) MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (how == by_allocate_shared) MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  if (how == by_dynamic) MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (check && how != by_dynamic) {
    const window w = {.win = win, .own = own};
    check_epochs(&w, NULL);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  }
  MPI_Win_free(&win);
}

typedef struct {
  make how;
  unsigned char* memory;
} making;

static double makings(void* of, int k) {
  const making* m = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) make_and_free(m->how, m->memory, 0);
  return MPI_Wtime() - begin;
}

static void create(void) {
  static const char* const names[] = {"allocate", "create", "allocate_shared", "create_dynamic"};
  for (make how = 0; how < makes; how++) {
    making m = {.how = how, .memory = memory_of(4096)};
    make_and_free(how, m.memory, 1);
    report("create", names[how], size, time_of(makings, &m, "create", size));
    free(m.memory);
  }
}

/* --- waiting --- */

/* Rank 1 waits for rank 0, which comes two seconds late; CPU seconds of the one that waits. */
static void idle(void) {
  static const char* const names[] = {"wait", "lock", "fence"};
  const struct timespec two = {2, 0};
  for (kind how = 0; how < kinds; how++)
    for (int form = 0; form < 3; form++) {
      window w = make_window(how, 4096);
      partners p = {.win = w.win};
      make_partners(&p, 1);
      const long value = 42;
      double used = 0, waited = 0;
      if (form == 2) MPI_Win_fence(0, w.win);
      if (form == 1 && rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w.win);
        MPI_Win_flush(0, w.win);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == 0) {
        nanosleep(&two, NULL);
        if (form == 0) MPI_Win_start(p.after, 0, w.win);
        if (form != 1) MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w.win);
        if (form == 0) MPI_Win_complete(w.win);
        if (form == 1) MPI_Win_unlock(0, w.win);
        if (form == 2) MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
      } else {
        long got = 0;
        const double before = cpu_seconds(), begin = MPI_Wtime();
        if (form == 0) MPI_Win_post(p.before, 0, w.win), MPI_Win_wait(w.win);
        if (form == 1) {
          MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
          MPI_Get(&got, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w.win);
          MPI_Win_unlock(0, w.win);
        }
        if (form == 2) MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win);
        used = cpu_seconds() - before;
        waited = MPI_Wtime() - begin;
        if (form != 1) got = *(long*)w.own;
        if (got != value) fail("WRONG DATA");
        if (waited < 1.9) fail("rank 1 did not wait");
      }
      MPI_Bcast(&used, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
      char habit[64];
      snprintf(habit, sizeof habit, "%s %s", names[form], kind_names[how]);
      report("idle", habit, 2, used);
      free_partners(&p);
      free_window(&w);
    }
}
