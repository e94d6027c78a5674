#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "seat.h"

/* Random programs of one-sided communication: all threads of all ranks are in the epochs of one window. At each
 * rank every thread of every rank has cells of its own, and knows what is in them; a few words are everybody's. */

enum { cells = 40, most_ranks = 16, epochs_of_a_window = 4 };
enum { counted, ticket, swapped, exchanged, words }; /* everybody's */
enum memory_kind { created, of_library_memory, allocated, shared, dynamic, memory_kinds };
enum epoch_kind { by_lock_all, by_fence, by_groups, by_locks, epoch_kinds };

/* What all threads of a rank share. */
struct windows_in_hand {
  MPI_Win win;
  void* memory;
  MPI_Aint base[most_ranks]; /* displacement of the first word at each rank */
  MPI_Datatype apart;        /* two cells with one between them */
  int64_t done[max_threads][words], tickets[max_threads];
};
static struct windows_in_hand in_hand[most_ranks]; /* by rank: ranks may be threads of one process */

/* One thread of one rank. */
struct origin {
  const struct seat* s;
  struct windows_in_hand* w;
  uint64_t state;
  int passive;
  int64_t known[most_ranks][cells], out[most_ranks][cells], in[most_ranks][cells], compare[most_ranks][cells];
  int64_t expected[most_ranks][cells];
  unsigned char waits[most_ranks][cells]; /* is a result expected there? */
  int64_t fetched[most_ranks];            /* tickets */
};

static uint32_t draw(struct origin* o, uint32_t below) {
  o->state = o->state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
  return (uint32_t)(o->state >> 33) % below;
}

static MPI_Aint word(const struct origin* o, int target, int which) {
  return o->w->base[target] + 8 * which;
}
static MPI_Aint cell(const struct origin* o, int target, int at) {
  const struct room* r = o->s->room;
  return word(o, target, words + (r->rank * r->threads + o->s->thread) * cells + at);
}

static void expect(struct origin* o, int target, int at, int count, int step) {
  for (int i = 0; i < count; ++i) {
    o->expected[target][at + i * step] = o->known[target][at + i * step];
    o->waits[target][at + i * step] = 1;
  }
}

static void look_at_results(struct origin* o, int target) {
  const struct seat* s = o->s;
  for (int i = 0; i < cells; ++i) {
    if (o->waits[target][i]) CHECK(o->in[target][i] == o->expected[target][i]);
    o->waits[target][i] = 0;
  }
}

/* Some operation on cells of ours from `at` on; returns how many cells it is about. */
static int operate(struct origin* o, int target, int at) {
  const struct seat* s = o->s;
  const MPI_Win win = o->w->win;
  const int left = cells - at, strided = left >= 3 && draw(o, 4) == 0;
  const int count = strided ? 2 : 1 + (int)draw(o, left < 8 ? (uint32_t)left : 8), step = strided ? 2 : 1;
  const int n = strided ? 1 : count;
  const MPI_Datatype type = strided ? o->w->apart : MPI_INT64_T;
  const MPI_Aint disp = cell(o, target, at);
  int64_t *out = &o->out[target][at], *in = &o->in[target][at], *known = &o->known[target][at];
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < count; ++i) out[i * step] = draw(o, 1u << 30);
  switch (draw(o, 7)) {
    case 0:
      if (o->passive && draw(o, 3) == 0)
        OK(MPI_Rput(out, n, type, target, disp, n, type, win, &request));
      else
        OK(MPI_Put(out, n, type, target, disp, n, type, win));
      for (int i = 0; i < count; ++i) known[i * step] = out[i * step];
      break;
    case 1:
      expect(o, target, at, count, step);
      if (o->passive && draw(o, 3) == 0)
        OK(MPI_Rget(in, n, type, target, disp, n, type, win, &request));
      else
        OK(MPI_Get(in, n, type, target, disp, n, type, win));
      break;
    case 2:
      OK(MPI_Accumulate(out, n, type, target, disp, n, type, MPI_SUM, win));
      for (int i = 0; i < count; ++i) known[i * step] += out[i * step];
      break;
    case 3:
      expect(o, target, at, count, step);
      OK(MPI_Get_accumulate(out, n, type, in, n, type, target, disp, n, type, MPI_SUM, win));
      for (int i = 0; i < count; ++i) known[i * step] += out[i * step];
      break;
    case 4:
      expect(o, target, at, count, step);
      OK(MPI_Get_accumulate(out, n, type, in, n, type, target, disp, n, type, MPI_REPLACE, win));
      for (int i = 0; i < count; ++i) known[i * step] = out[i * step];
      break;
    case 5:
      expect(o, target, at, 1, 1);
      OK(MPI_Fetch_and_op(out, in, MPI_INT64_T, target, disp, MPI_BXOR, win));
      known[0] ^= out[0];
      return 1;
    default:
      expect(o, target, at, 1, 1);
      o->compare[target][at] = known[0] + (draw(o, 2) == 0);
      OK(MPI_Compare_and_swap(out, &o->compare[target][at], in, MPI_INT64_T, target, disp, win));
      if (o->compare[target][at] == known[0]) known[0] = out[0];
      return 1;
  }
  if (request != MPI_REQUEST_NULL) OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  return strided ? 3 : count;
}

/* Everybody's words. */
static void share(struct origin* o, int target) {
  static const int64_t one = 1; /* also behind this call */
  const struct seat* s = o->s;
  const MPI_Win win = o->w->win;
  int64_t* const done = o->w->done[s->thread];
  OK(MPI_Accumulate(&one, 1, MPI_INT64_T, target, word(o, target, counted), 1, MPI_INT64_T, MPI_SUM, win));
  OK(MPI_Fetch_and_op(&one, &o->fetched[target], MPI_INT64_T, target, word(o, target, ticket), MPI_SUM, win));
  ++done[counted], ++done[ticket];
  if (!o->passive) return;
  for (int64_t expected = 0, old = -1;;) {
    const int64_t wanted = expected + 1;
    OK(MPI_Compare_and_swap(&wanted, &expected, &old, MPI_INT64_T, target, word(o, target, swapped), win));
    OK(MPI_Win_flush(target, win));
    if (old == expected) break;
    CHECK(old > expected);
    expected = old;
  }
  ++done[swapped];
}

static void flush(struct origin* o, int target) {
  const struct seat* s = o->s;
  switch (draw(o, 4)) {
    case 0:
      OK(MPI_Win_flush_local(target, o->w->win));
      look_at_results(o, target);
      break;
    case 1:
      OK(MPI_Win_flush_local_all(o->w->win));
      look_at_results(o, target);
      break;
    case 2:
      OK(MPI_Win_flush_all(o->w->win));
      return;
  }
  OK(MPI_Win_flush(target, o->w->win));
}

static void visit(struct origin* o, int target) {
  for (int pass = 0; pass < (o->passive ? 2 : 1); ++pass) {
    for (int at = 0; at < cells;) at += operate(o, target, at);
    if (!o->passive) return;
    flush(o, target);
    look_at_results(o, target);
  }
}

static void begin(struct origin* o, enum epoch_kind by, MPI_Group all) {
  const struct seat* s = o->s;
  const MPI_Win win = o->w->win;
  if (s->thread == 0) {
    if (by == by_lock_all) OK(MPI_Win_lock_all(0, win));
    if (by == by_fence) OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    if (by == by_groups) {
      OK(MPI_Win_post(all, 0, win));
      OK(MPI_Win_start(all, 0, win));
    }
  }
  pthread_barrier_wait(&s->room->meeting);
}

static void end(struct origin* o, enum epoch_kind by) {
  const struct seat* s = o->s;
  const MPI_Win win = o->w->win;
  pthread_barrier_wait(&s->room->meeting);
  if (s->thread == 0) {
    if (by == by_lock_all) OK(MPI_Win_unlock_all(win));
    if (by == by_fence) OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    if (by == by_groups) {
      OK(MPI_Win_complete(win));
      OK(MPI_Win_wait(win));
    }
    OK(MPI_Barrier(s->room->together));
  }
  pthread_barrier_wait(&s->room->meeting);
}

/* Each thread locks targets of its own: a process has one lock of each. */
static void visit_locked(struct origin* o, int target) {
  const struct seat* s = o->s;
  const MPI_Win win = o->w->win;
  const int exclusive = draw(o, 2) == 0;
  OK(MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, win));
  share(o, target);
  visit(o, target);
  if (exclusive) {
    int64_t value = -1;
    OK(MPI_Get(&value, 1, MPI_INT64_T, target, word(o, target, exchanged), 1, MPI_INT64_T, win));
    OK(MPI_Win_flush(target, win));
    ++value;
    OK(MPI_Put(&value, 1, MPI_INT64_T, target, word(o, target, exchanged), 1, MPI_INT64_T, win));
    ++o->w->done[s->thread][exchanged];
    OK(MPI_Win_unlock(target, win));
  } else {
    OK(MPI_Win_unlock(target, win));
  }
  o->w->tickets[s->thread] += o->fetched[target];
}

static void epoch(struct origin* o, enum epoch_kind by, MPI_Group all) {
  const struct seat* s = o->s;
  const struct room* r = s->room;
  o->passive = by == by_lock_all || by == by_locks;
  const int first = (int)draw(o, (uint32_t)r->size);
  begin(o, by, all);
  for (int i = 0; i < r->size; ++i) {
    const int target = (first + i) % r->size;
    if (by == by_locks) {
      if (target % r->threads == s->thread) visit_locked(o, target);
    } else {
      share(o, target);
      visit(o, target);
    }
  }
  end(o, by);
  for (int target = 0; target < r->size; ++target) {
    look_at_results(o, target);
    if (by != by_locks) o->w->tickets[s->thread] += o->fetched[target];
  }
}

/* One thread. */
static void open_window(const struct seat* s, struct windows_in_hand* w, enum memory_kind kind) {
  const struct room* r = s->room;
  const MPI_Comm comm = r->together;
  const MPI_Aint bytes = 8 * (words + (MPI_Aint)r->size * r->threads * cells);
  MPI_Aint base = 0;
  int code;
  memset(w, 0, sizeof *w);
  switch (kind) {
    case created:
      w->memory = malloc((size_t)bytes);
      OK(MPI_Win_create(w->memory, bytes, 1, MPI_INFO_NULL, comm, &w->win));
      break;
    case of_library_memory:
      OK(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &w->memory));
      OK(MPI_Win_create(w->memory, bytes, 1, MPI_INFO_NULL, comm, &w->win));
      break;
    case allocated:
      OK(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &w->memory, &w->win));
      break;
    case shared:
      /* Not where the members cannot map each other's memory. */
      OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
      code = MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm, &w->memory, &w->win);
      OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
      if (code == MPI_SUCCESS) break;
      MPI_Error_class(code, &code);
      CHECK(code == MPI_ERR_RMA_SHARED);
      OK(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &w->memory, &w->win));
      break;
    default:
      w->memory = malloc((size_t)bytes);
      OK(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &w->win));
      OK(MPI_Win_attach(w->win, w->memory, bytes));
      OK(MPI_Get_address(w->memory, &base));
  }
  memset(w->memory, 0, (size_t)bytes);
  OK(MPI_Allgather(&base, 1, MPI_AINT, w->base, 1, MPI_AINT, comm));
  OK(MPI_Type_vector(2, 1, 2, MPI_INT64_T, &w->apart));
  OK(MPI_Type_commit(&w->apart));
}

/* One thread: everybody's words are what all have done. */
static void close_window(const struct seat* s, struct windows_in_hand* w, enum memory_kind kind) {
  const MPI_Comm comm = s->room->together;
  int64_t mine[words + 1] = {0}, all[words + 1], here[words], there[words];
  for (int t = 0; t < s->room->threads; ++t) {
    for (int i = 0; i < words; ++i) mine[i] += w->done[t][i];
    mine[words] += w->tickets[t];
  }
  memcpy(here, w->memory, sizeof here); /* all epochs are over */
  OK(MPI_Allreduce(mine, all, words + 1, MPI_INT64_T, MPI_SUM, comm));
  OK(MPI_Allreduce(here, there, words, MPI_INT64_T, MPI_SUM, comm));
  for (int i = 0; i < words; ++i) CHECK(all[i] == there[i]);
  /* At each rank every ticket was drawn once. */
  const int64_t drawn = here[ticket] * (here[ticket] - 1) / 2;
  int64_t expected;
  OK(MPI_Allreduce(&drawn, &expected, 1, MPI_INT64_T, MPI_SUM, comm));
  CHECK(all[words] == expected);
  OK(MPI_Type_free(&w->apart));
  if (kind == dynamic) OK(MPI_Win_detach(w->win, w->memory));
  OK(MPI_Win_free(&w->win));
  if (kind == created || kind == dynamic) free(w->memory);
  if (kind == of_library_memory) OK(MPI_Free_mem(w->memory));
}

void windows_of_threads(const struct seat* s) {
  struct room* r = s->room;
  if (r->size > most_ranks) return;
  struct windows_in_hand* w = &in_hand[r->rank];
  struct origin* o = malloc(sizeof *o);
  const char* seed = getenv("LOADSTONE_TEST_SEED");
  const uint64_t first = seed != NULL ? strtoull(seed, NULL, 10) : 1;
  MPI_Group all;
  OK(MPI_Comm_group(r->together, &all));
  for (int round = 0; round < r->rounds; ++round) {
    const enum memory_kind kind = (enum memory_kind)(round % memory_kinds);
    if (s->thread == 0) open_window(s, w, kind);
    pthread_barrier_wait(&r->meeting);
    memset(o, 0, sizeof *o);
    o->s = s;
    o->w = w;
    o->state = first * 1000003 + (uint64_t)value_of(r->rank, s->thread, round, 0);
    for (int i = 0; i < epochs_of_a_window; ++i) epoch(o, (enum epoch_kind)((round + i) % epoch_kinds), all);
    pthread_barrier_wait(&r->meeting);
    if (s->thread == 0) close_window(s, w, kind);
  }
  OK(MPI_Group_free(&all));
  free(o);
}
