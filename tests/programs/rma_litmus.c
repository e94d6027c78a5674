/* What one-sided communication promises about order, atomicity, exclusion and progress, each promise by itself.
 * usage: rma_litmus RANKS [ROUNDS]; with RMA_WINDOWS in the environment only the kinds of windows whose first letter it has,
 * with RMA_LITMUS_ONLY that test alone, with RMA_LITMUS_TARGETS_CALL targets that wait in a call where they else compute. */
#include <sched.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int rounds = 200;

/* A window of `bytes` at every rank: of memory that the library gave, shared or not, or of ordinary memory. */
enum kind { allocated, shared, created, dynamic, kinds };
static const char* const kind_names[] = {"allocated", "shared", "created", "dynamic"};

struct memory {
  MPI_Win win;
  char* base;
  MPI_Aint* at; /* displacement 0 of each rank: its address, in dynamic windows */
  enum kind kind;
};

static int is_wanted(enum kind kind) {
  const char* letters = getenv("RMA_WINDOWS");
  return !letters || strchr(letters, "ascd"[kind]);
}

static int is_asked_for(const char* test) {
  const char* only = getenv("RMA_LITMUS_ONLY");
  return !only || strcmp(only, test) == 0;
}

/* Where the owner of memory is to copy, come what may, it has to come. */
static int targets_call(void) {
  return getenv("RMA_LITMUS_TARGETS_CALL") != NULL;
}

static struct memory open_window(enum kind kind, MPI_Aint bytes) {
  struct memory m = {MPI_WIN_NULL, NULL, calloc((size_t)size, sizeof(MPI_Aint)), kind};
  MPI_Aint mine = 0;
  if (kind == allocated) {
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m.base, &m.win);
  } else if (kind == shared) {
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m.base, &m.win);
  } else {
    m.base = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (kind == created) {
      MPI_Win_create(m.base, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m.win);
    } else {
      MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &m.win);
      MPI_Win_attach(m.win, m.base, bytes);
      MPI_Get_address(m.base, &mine);
    }
  }
  MPI_Allgather(&mine, 1, MPI_AINT, m.at, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, m.win);
  memset(m.base, 0, (size_t)bytes);
  MPI_Win_unlock(rank, m.win);
  MPI_Barrier(MPI_COMM_WORLD);
  return m;
}

static void close_window(struct memory* m) {
  if (m->kind == dynamic) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(m->win, m->base);
  }
  MPI_Win_free(&m->win);
  if (m->kind >= created) free(m->base);
  free(m->at);
}

static int64_t fetch(const struct memory* m, int target, MPI_Aint at) {
  int64_t nothing = 0, value = -1;
  MPI_Fetch_and_op(&nothing, &value, MPI_INT64_T, target, m->at[target] + at, MPI_NO_OP, m->win);
  MPI_Win_flush(target, m->win);
  return value;
}

static int64_t add(const struct memory* m, int target, MPI_Aint at, int64_t what) {
  int64_t value = -1;
  MPI_Fetch_and_op(&what, &value, MPI_INT64_T, target, m->at[target] + at, MPI_SUM, m->win);
  MPI_Win_flush(target, m->win);
  return value;
}

static void wait_until(const struct memory* m, int target, MPI_Aint at, int64_t least) {
  while (fetch(m, target, at) < least) sched_yield(); /* there may be fewer cores than ranks */
}

/* "Ordering": accumulates of one origin at one place take effect in the order of the calls. */
static void accumulates_are_ordered(struct memory* m) {
  MPI_Win_lock_all(0, m->win);
  const int target = (rank + 1) % size;
  const MPI_Aint here = m->at[target];
  for (int i = 0; i < rounds; ++i) {
    int64_t first = 3 * i + 1, second = 3 * i + 2, seen[4] = {-1, -1, -1, -1}, none = 0;
    MPI_Accumulate(&first, 1, MPI_INT64_T, target, here, 1, MPI_INT64_T, MPI_REPLACE, m->win);
    MPI_Get_accumulate(&none, 1, MPI_INT64_T, &seen[0], 1, MPI_INT64_T, target, here, 1, MPI_INT64_T,
                       MPI_NO_OP, m->win);                                                     /* raw */
    MPI_Fetch_and_op(&none, &seen[1], MPI_INT64_T, target, here, MPI_NO_OP, m->win);           /* rar */
    MPI_Fetch_and_op(&second, &seen[2], MPI_INT64_T, target, here, MPI_REPLACE, m->win);       /* war */
    MPI_Accumulate(&first, 1, MPI_INT64_T, target, here, 1, MPI_INT64_T, MPI_REPLACE, m->win); /* waw */
    MPI_Accumulate(&second, 1, MPI_INT64_T, target, here, 1, MPI_INT64_T, MPI_REPLACE, m->win);
    MPI_Fetch_and_op(&none, &seen[3], MPI_INT64_T, target, here, MPI_NO_OP, m->win);
    MPI_Win_flush(target, m->win);
    CHECK(seen[0] == first && seen[1] == first && seen[2] == first && seen[3] == second);
  }
  /* Of many elements, through a type with gaps: the second call's result is all of the first. */
  enum { many = 300 };
  static int64_t ones[many], before[many], after[many];
  MPI_Datatype gaps;
  MPI_Type_vector(many, 1, 2, MPI_INT64_T, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < rounds / 10 + 1; ++i) {
    for (int k = 0; k < many; ++k) ones[k] = 1;
    MPI_Get_accumulate(ones, many, MPI_INT64_T, before, many, MPI_INT64_T, target, here + 64, 1, gaps,
                       MPI_SUM, m->win);
    MPI_Get_accumulate(ones, many, MPI_INT64_T, after, many, MPI_INT64_T, target, here + 64, 1, gaps, MPI_SUM,
                       m->win);
    MPI_Win_flush(target, m->win);
    for (int k = 0; k < many; ++k) CHECK(before[k] == 2 * i && after[k] == 2 * i + 1);
  }
  MPI_Type_free(&gaps);
  MPI_Win_unlock_all(m->win);
}

/* What was put and flushed is there for who has seen the flag that was raised afterwards. */
static void messages_pass(struct memory* m) {
  if (size < 2) return;
  enum { words = 64 };
  int64_t data[words];
  const int writer = 0, reader = size - 1, holder = size / 2; /* data at the reader, flags at the holder */
  MPI_Win_lock_all(0, m->win);
  for (int i = 1; i <= rounds; ++i) {
    if (rank == writer) {
      for (int k = 0; k < words; ++k) data[k] = 1000 * i + k;
      MPI_Put(data, words, MPI_INT64_T, reader, m->at[reader] + 1024, words, MPI_INT64_T, m->win);
      MPI_Win_flush(reader, m->win);
      add(m, holder, 0, 1);
      wait_until(m, holder, 8, i);
    } else if (rank == reader) {
      wait_until(m, holder, 0, i);
      MPI_Win_sync(m->win);
      if (i % 2) { /* by a load, and by a get */
        memcpy(data, m->base + 1024, sizeof data);
      } else {
        MPI_Get(data, words, MPI_INT64_T, reader, m->at[reader] + 1024, words, MPI_INT64_T, m->win);
        MPI_Win_flush(reader, m->win);
      }
      for (int k = 0; k < words; ++k) CHECK(data[k] == 1000 * i + k);
      add(m, holder, 8, 1);
    }
  }
  MPI_Win_unlock_all(m->win);
}

/* Two ranks each store, synchronise and look at the other's: one of them sees. */
static void stores_do_not_linger(void) {
  if (size < 2 || !is_wanted(shared)) return;
  struct memory m = open_window(shared, 4096);
  MPI_Aint bytes;
  int unit;
  char* first;
  MPI_Win_shared_query(m.win, 0, &bytes, &unit, &first);
  volatile int64_t *flag = (int64_t*)(first + 128 * (rank + 1)),
                   *others = (int64_t*)(first + 128 * (2 - rank)),
                   *saw = (int64_t*)(first + 1024 + 128 * rank);
  MPI_Win_lock_all(0, m.win);
  int64_t both_blind = 0;
  for (int i = 1; i <= rounds; ++i) {
    if (rank < 2) {
      *flag = i;
      MPI_Win_sync(m.win);
      *saw = *others == i;
      MPI_Win_sync(m.win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(m.win);
    if (rank == 0)
      both_blind += !*(volatile int64_t*)(first + 1024) && !*(volatile int64_t*)(first + 1024 + 128);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(both_blind == 0);
  MPI_Win_unlock_all(m.win);
  close_window(&m);
}

enum change { by_put, by_long_put, by_replace, by_sum, by_fetch, by_swap, changes };

static void change(const struct memory* m, enum change how, MPI_Aint at, int64_t i, MPI_Datatype gaps) {
  const int64_t one = 1, before = i - 1, all[16] = {i};
  int64_t old = -1;
  switch (how) {
    case by_put:
      MPI_Put(&i, 1, MPI_INT64_T, 0, at, 1, MPI_INT64_T, m->win);
      break;
    case by_long_put:
      MPI_Put(all, 16, MPI_INT64_T, 0, at, 1, gaps, m->win);
      break;
    case by_replace:
      MPI_Accumulate(&i, 1, MPI_INT64_T, 0, at, 1, MPI_INT64_T, MPI_REPLACE, m->win);
      break;
    case by_sum:
      MPI_Accumulate(&one, 1, MPI_INT64_T, 0, at, 1, MPI_INT64_T, MPI_SUM, m->win);
      break;
    case by_fetch:
      MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 0, at, MPI_SUM, m->win);
      CHECK(old == before);
      break;
    default:
      MPI_Compare_and_swap(&i, &before, &old, MPI_INT64_T, 0, at, m->win);
      CHECK(old == before);
  }
}

/* Two ranks each change a word of rank 0, flush, and get the other's: one of them sees. They do not wait for each
 * other, and what each has seen is compared afterwards: it saw in turn i the other in its turn seen[i]. So the other,
 * in the next one, has to see turn i at least. */
static void flushes_order(struct memory* m) {
  if (size < 2) return;
  const int turns = m->kind == created || m->kind == dynamic ? 10 * rounds : 500 * rounds;
  int64_t* seen[2] = {calloc((size_t)turns + 2, sizeof(int64_t)), calloc((size_t)turns + 2, sizeof(int64_t))};
  MPI_Datatype gaps;
  MPI_Type_vector(16, 1, 2, MPI_INT64_T, &gaps);
  MPI_Type_commit(&gaps);
  for (enum change how = by_put; how < changes; ++how) {
    const MPI_Aint mine = m->at[0] + 1024 * (rank + 1), others = m->at[0] + 1024 * (2 - rank);
    MPI_Win_lock_all(0, m->win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < 2)
      for (int i = 1; i <= turns; ++i) {
        change(m, how, mine, i, gaps);
        MPI_Win_flush(0, m->win);
        MPI_Get(&seen[rank][i], 1, MPI_INT64_T, 0, others, 1, MPI_INT64_T, m->win);
        MPI_Win_flush(0, m->win);
      }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < 2) {
      const int64_t nothing = 0;
      MPI_Put(&nothing, 1, MPI_INT64_T, 0, mine, 1, MPI_INT64_T, m->win);
      MPI_Sendrecv(seen[rank], turns + 2, MPI_INT64_T, 1 - rank, 0, seen[1 - rank], turns + 2, MPI_INT64_T,
                   1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 1; i <= turns; ++i) {
        const int64_t next = seen[rank][i] + 1;
        if (next <= turns && seen[1 - rank][next] < i)
          fprintf(stderr, "rank %d, %s, change %d: neither turn %d nor the other's %lld saw the other\n",
                  rank, kind_names[m->kind], how, i, (long long)next);
        CHECK(next > turns || seen[1 - rank][next] >= i);
      }
    }
    MPI_Win_unlock_all(m->win);
  }
  MPI_Type_free(&gaps);
  free(seen[0]), free(seen[1]);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Each number is drawn once, and the last is the sum. With several ways to add the same. */
static void counters_count(struct memory* m) {
  const int all = rounds * size;
  char* drawn = calloc((size_t)all, 1);
  MPI_Win_lock_all(0, m->win);
  int64_t last = -1;
  for (int i = 0; i < rounds; ++i) {
    int64_t one = 1, value = -1;
    switch (i % 3) {
      case 0:
        value = add(m, 0, 16, 1);
        break;
      case 1:
        MPI_Get_accumulate(&one, 1, MPI_INT64_T, &value, 1, MPI_INT64_T, 0, m->at[0] + 16, 1, MPI_INT64_T,
                           MPI_SUM, m->win);
        MPI_Win_flush(0, m->win);
        break;
      default: {
        MPI_Request request;
        MPI_Rget_accumulate(&one, 1, MPI_INT64_T, &value, 1, MPI_INT64_T, 0, m->at[0] + 16, 1, MPI_INT64_T,
                            MPI_SUM, m->win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
    CHECK(value > last && value < all);
    last = value;
    drawn[value] = 1;
  }
  MPI_Win_unlock_all(m->win);
  char* total = calloc((size_t)all, 1);
  MPI_Allreduce(drawn, total, all, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < all; ++i) CHECK(total[i] == 1);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, m->win);
  int64_t sum = fetch(m, 0, 16);
  MPI_Win_unlock(0, m->win);
  CHECK(sum == all);
  free(drawn), free(total);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* A lock made of compare_and_swap protects an ordinary counter, read and written by get and put. */
static void swapped_locks_exclude(struct memory* m) {
  const int64_t taken = 1, nobody = 0;
  MPI_Win_lock_all(0, m->win);
  for (int i = 0; i < rounds / 4 + 1; ++i) {
    int64_t seen = -1, count;
    do {
      MPI_Compare_and_swap(&taken, &nobody, &seen, MPI_INT64_T, 0, m->at[0] + 24, m->win);
      MPI_Win_flush(0, m->win);
      CHECK(seen == 0 || seen == 1);
    } while (seen != 0);
    MPI_Get(&count, 1, MPI_INT64_T, size - 1, m->at[size - 1] + 32, 1, MPI_INT64_T, m->win);
    MPI_Win_flush(size - 1, m->win);
    ++count;
    MPI_Put(&count, 1, MPI_INT64_T, size - 1, m->at[size - 1] + 32, 1, MPI_INT64_T, m->win);
    MPI_Win_flush(size - 1, m->win);
    MPI_Fetch_and_op(&nobody, &seen, MPI_INT64_T, 0, m->at[0] + 24, MPI_REPLACE, m->win);
    MPI_Win_flush(0, m->win);
    if (seen != 1)
      fprintf(stderr, "rank %d: released a lock that was %lld, round %d\n", rank, (long long)seen, i);
    CHECK(seen == 1);
  }
  MPI_Win_unlock_all(m->win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, m->win);
  if (rank == size - 1) CHECK(*(int64_t*)(m->base + 32) == (int64_t)size * (rounds / 4 + 1));
  MPI_Win_unlock(rank, m->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

struct double_int {
  double value;
  int index;
};

struct long_double_int {
  long double value;
  int index;
};

/* Elements of 16 and more bytes are read as one of those that were written, and not half of two. */
static void elements_are_whole(struct memory* m) {
  MPI_Win_lock_all(0, m->win);
  const int writes = size == 1 || rank > 0;
  for (int i = 1; i <= rounds; ++i) {
    const int number = i * size + rank;
    struct double_int pair = {number, number}, seen_pair = {-1, -2};
    long double wide = number / 3.0L, seen_wide = -1;
    double complex_number[2] = {number, -number}, seen_complex[2] = {1, 1};
    struct long_double_int triple = {number / 3.0L, number}, seen_triple = {-1, -2};
    const MPI_Aint at = m->at[0] + 256;
    if (writes) {
      MPI_Accumulate(&pair, 1, MPI_DOUBLE_INT, 0, at, 1, MPI_DOUBLE_INT, MPI_REPLACE, m->win);
      MPI_Accumulate(&wide, 1, MPI_LONG_DOUBLE, 0, at + 32, 1, MPI_LONG_DOUBLE, MPI_REPLACE, m->win);
      MPI_Accumulate(complex_number, 1, MPI_C_DOUBLE_COMPLEX, 0, at + 64, 1, MPI_C_DOUBLE_COMPLEX,
                     MPI_REPLACE, m->win);
      MPI_Accumulate(&triple, 1, MPI_LONG_DOUBLE_INT, 0, at + 96, 1, MPI_LONG_DOUBLE_INT, MPI_REPLACE,
                     m->win);
    }
    if (!writes || i % 4 == 0 || size == 1) {
      MPI_Get_accumulate(NULL, 0, MPI_DOUBLE_INT, &seen_pair, 1, MPI_DOUBLE_INT, 0, at, 1, MPI_DOUBLE_INT,
                         MPI_NO_OP, m->win);
      MPI_Get_accumulate(NULL, 0, MPI_LONG_DOUBLE, &seen_wide, 1, MPI_LONG_DOUBLE, 0, at + 32, 1,
                         MPI_LONG_DOUBLE, MPI_NO_OP, m->win);
      MPI_Get_accumulate(NULL, 0, MPI_C_DOUBLE_COMPLEX, seen_complex, 1, MPI_C_DOUBLE_COMPLEX, 0, at + 64, 1,
                         MPI_C_DOUBLE_COMPLEX, MPI_NO_OP, m->win);
      MPI_Get_accumulate(NULL, 0, MPI_LONG_DOUBLE_INT, &seen_triple, 1, MPI_LONG_DOUBLE_INT, 0, at + 96, 1,
                         MPI_LONG_DOUBLE_INT, MPI_NO_OP, m->win);
      MPI_Win_flush(0, m->win);
      CHECK(seen_pair.value == seen_pair.index);
      CHECK(seen_wide * 3.0L > -0.5L && seen_wide == (int)(seen_wide * 3.0L + 0.5L) / 3.0L);
      CHECK(seen_complex[0] == -seen_complex[1]);
      CHECK(seen_triple.value == seen_triple.index / 3.0L);
    }
    MPI_Win_flush_local(0, m->win);
  }
  MPI_Win_unlock_all(m->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Exclusive locks: get, compute, put of an ordinary counter; shared ones never see half of an update. */
static void locks_exclude(struct memory* m) {
  enum { words = 40 };
  int64_t data[words];
  const MPI_Aint at = 2048;
  const int target = size / 2;
  int wrote = 0;
  for (int i = 0; i < rounds / 4 + 1; ++i) {
    const int writes = (i + rank) % 3 != 0;
    MPI_Win_lock(writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, m->win);
    MPI_Get(data, words, MPI_INT64_T, target, m->at[target] + at, words, MPI_INT64_T, m->win);
    MPI_Win_flush(target, m->win);
    for (int k = 1; k < words; ++k) CHECK(data[k] == data[0]);
    if (writes) {
      for (int k = 0; k < words; ++k) ++data[k];
      MPI_Put(data, words / 2, MPI_INT64_T, target, m->at[target] + at, words / 2, MPI_INT64_T, m->win);
      if (i % 8 == 0) usleep(50);
      MPI_Put(data + words / 2, words / 2, MPI_INT64_T, target, m->at[target] + at + words / 2 * 8, words / 2,
              MPI_INT64_T, m->win);
      ++wrote;
    }
    MPI_Win_unlock(target, m->win);
  }
  int all;
  MPI_Allreduce(&wrote, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, m->win);
  MPI_Get(data, 1, MPI_INT64_T, target, m->at[target] + at, 1, MPI_INT64_T, m->win);
  MPI_Win_unlock(target, m->win);
  CHECK(data[0] == all);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Everybody wants the lock all the time, until all have had it. (How often one may be passed over: the test
 * who_waits_is_passed_so_often_and_no_more of tests/rma, which sees who waits. Here it depends on the scheduler, for who
 * has no core does not even ask.) */
static void locks_come_round(struct memory* m) {
  const MPI_Aint at = m->at[0];
  int64_t taken = 0, count = 0, ranks_done = 0, all;
  if (!on_loadstone()) return; /* the standard asks for no fairness */
  do {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, m->win);
    MPI_Get(&count, 1, MPI_INT64_T, 0, at + 40, 1, MPI_INT64_T, m->win);
    MPI_Get(&ranks_done, 1, MPI_INT64_T, 0, at + 48, 1, MPI_INT64_T, m->win);
    MPI_Win_flush(0, m->win);
    ++count;
    if (++taken == 4) ++ranks_done;
    MPI_Put(&count, 1, MPI_INT64_T, 0, at + 40, 1, MPI_INT64_T, m->win);
    MPI_Put(&ranks_done, 1, MPI_INT64_T, 0, at + 48, 1, MPI_INT64_T, m->win);
    MPI_Win_unlock(0, m->win);
  } while (ranks_done < size);
  MPI_Allreduce(&taken, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, m->win);
  MPI_Get(&count, 1, MPI_INT64_T, 0, at + 40, 1, MPI_INT64_T, m->win);
  MPI_Win_unlock(0, m->win);
  CHECK(count == all);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void fences_and_groups_order(struct memory* m) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  const int neighbours[2] = {left, right};
  MPI_Group all, both;
  MPI_Win_get_group(m->win, &all);
  MPI_Group_incl(all, size > 2 ? 2 : 1, neighbours, &both);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, m->win);
  for (int i = 1; i <= rounds; ++i) {
    const int64_t value = (int64_t)i * size + rank;
    MPI_Put(&value, 1, MPI_INT64_T, right, m->at[right] + 56, 1, MPI_INT64_T, m->win);
    MPI_Win_fence(i == rounds ? MPI_MODE_NOSUCCEED : 0, m->win);
    CHECK(*(volatile int64_t*)(m->base + 56) == (int64_t)i * size + left);
    if (i < rounds) MPI_Win_fence(0, m->win);
  }
  for (int i = 1; i <= rounds; ++i) {
    const int64_t value = -(int64_t)i * size - rank;
    MPI_Win_post(both, 0, m->win);
    MPI_Win_start(both, 0, m->win);
    MPI_Put(&value, 1, MPI_INT64_T, right, m->at[right] + 56, 1, MPI_INT64_T, m->win);
    MPI_Put(&value, 1, MPI_INT64_T, left, m->at[left] + 64, 1, MPI_INT64_T, m->win);
    MPI_Win_complete(m->win);
    if (i % 2)
      MPI_Win_wait(m->win);
    else
      for (int flag = 0; !flag; sched_yield()) MPI_Win_test(m->win, &flag);
    CHECK(*(volatile int64_t*)(m->base + 56) == -(int64_t)i * size - left);
    CHECK(*(volatile int64_t*)(m->base + 64) == -(int64_t)i * size - right);
  }
  MPI_Group_free(&both);
  MPI_Group_free(&all);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The target computes and calls nothing until it sees in its memory that the origin is through: lock, put and
 * flush, get, accumulate, fetch_and_op, compare_and_swap, and unlock are all behind the origin when it puts that
 * down. On a library that needs the target's calls this never ends: not asked there. Or it waits in a barrier. */
static void targets_need_not_help(struct memory* m, int by_lock_all) {
  if (size < 2 || !on_loadstone()) return;
  const int origin = 0, target = 1;
  volatile int64_t* const through_here = (int64_t*)(m->base + 1024);
  if (rank == target && !targets_call()) {
    unsigned long turns = 0, work = 1;
    while (*through_here == 0) work = work * 6364136223846793005ul + ++turns;
    CHECK(work != 0);
  } else if (rank == origin) {
    const MPI_Aint at = m->at[target];
    static char large[1 << 16];
    int64_t value = 7, seen = -1, one = 1, through = 1, swapped = -1, eight = 8;
    usleep(20000); /* the target computes by now */
    if (by_lock_all)
      MPI_Win_lock_all(0, m->win);
    else
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, m->win);
    MPI_Put(&value, 1, MPI_INT64_T, target, at + 1032, 1, MPI_INT64_T, m->win);
    MPI_Win_flush(target, m->win);
    MPI_Get(&seen, 1, MPI_INT64_T, target, at + 1032, 1, MPI_INT64_T, m->win);
    MPI_Win_flush(target, m->win);
    CHECK(seen == 7);
    MPI_Accumulate(&one, 1, MPI_INT64_T, target, at + 1032, 1, MPI_INT64_T, MPI_SUM, m->win);
    MPI_Win_flush(target, m->win);
    CHECK(add(m, target, 1032, 1) == 8);
    MPI_Compare_and_swap(&one, &value, &swapped, MPI_INT64_T, target, at + 1032, m->win);
    MPI_Win_flush(target, m->win);
    CHECK(swapped == 9);
    MPI_Put(large, sizeof large, MPI_CHAR, target, at + 4096, sizeof large, MPI_CHAR, m->win);
    MPI_Win_flush(target, m->win);
    MPI_Put(&eight, 1, MPI_INT64_T, target, at + 1032, 1, MPI_INT64_T, m->win);
    if (by_lock_all)
      MPI_Win_unlock_all(m->win);
    else
      MPI_Win_unlock(target, m->win);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, m->win);
    MPI_Put(&through, 1, MPI_INT64_T, target, at + 1024, 1, MPI_INT64_T, m->win);
    MPI_Win_unlock(target, m->win);
  }
  MPI_Barrier(MPI_COMM_WORLD); /* where a target waits that calls */
  if (rank == target) {
    CHECK(*through_here == 1);
    *through_here = 0;
  }
}

/* Windows without number, and of nothing. */
static void windows_come_and_go(void) {
  enum { alive = 100 };
  MPI_Win all[alive];
  static int64_t words[alive];
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < alive; ++i) {
      words[i] = -1;
      MPI_Win_create(&words[i], i % 7 == 3 ? 0 : 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &all[i]);
    }
    for (int i = 0; i < alive; ++i) MPI_Win_fence(0, all[i]);
    for (int i = 0; i < alive; ++i) {
      const int64_t value = 100 * i + rank;
      if (i % 7 != 3) MPI_Put(&value, 1, MPI_INT64_T, (rank + 1) % size, 0, 1, MPI_INT64_T, all[i]);
      MPI_Win_fence(0, all[i]);
    }
    for (int i = 0; i < alive; ++i) {
      CHECK(words[i] == (i % 7 == 3 ? -1 : 100 * i + (rank + size - 1) % size));
      MPI_Win_free(&all[(i * 7) % alive]);
    }
  }
}

/* Request forms: each is done when its wait says so, in whatever order. */
static void requests_complete(struct memory* m) {
  enum { many = 32 };
  int64_t values[many], seen[many];
  MPI_Request puts[many], gets[many];
  const int target = (rank + 1) % size;
  MPI_Win_lock_all(0, m->win);
  for (int i = 0; i < many; ++i) {
    values[i] = 77 * rank + i;
    MPI_Rput(&values[i], 1, MPI_INT64_T, target, m->at[target] + 512 + 8 * i, 1, MPI_INT64_T, m->win,
             &puts[i]);
  }
  MPI_Waitall(many, puts, MPI_STATUSES_IGNORE);
  for (int i = 0; i < many; ++i) values[i] = -1; /* ours again */
  MPI_Win_flush(target, m->win);
  for (int i = 0; i < many; ++i)
    MPI_Rget(&seen[i], 1, MPI_INT64_T, target, m->at[target] + 512 + 8 * i, 1, MPI_INT64_T, m->win, &gets[i]);
  for (int left = many; left > 0; --left) {
    int which;
    MPI_Waitany(many, gets, &which, MPI_STATUS_IGNORE);
    CHECK(which != MPI_UNDEFINED && seen[which] == 77 * rank + which);
  }
  MPI_Win_unlock_all(m->win);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  rounds = argc > 2 ? atoi(argv[2]) : size > 1 ? 40 : 200;
#define RUN(test)                                                                                    \
  do {                                                                                               \
    if (!is_asked_for(#test)) break;                                                                 \
    if (getenv("RMA_LITMUS_SHOW") && rank == 0) fprintf(stderr, "%s %s\n", kind_names[kind], #test); \
    struct memory m = open_window(kind, 1 << 17);                                                    \
    struct memory* const window = &m;                                                                \
    (void)window;                                                                                    \
    test(window);                                                                                    \
    close_window(window);                                                                            \
  } while (0)
  for (enum kind kind = allocated; kind < kinds; ++kind) {
    if (!is_wanted(kind)) continue;
    RUN(accumulates_are_ordered);
    RUN(messages_pass);
    RUN(flushes_order);
    RUN(counters_count);
    RUN(swapped_locks_exclude);
    RUN(elements_are_whole);
    RUN(locks_exclude);
    RUN(locks_come_round);
    RUN(fences_and_groups_order);
    RUN(requests_complete);
    if (is_asked_for("targets_need_not_help"))
      for (int by_lock_all = 0; by_lock_all < 2; ++by_lock_all) {
        struct memory m = open_window(kind, 1 << 17);
        targets_need_not_help(&m, by_lock_all);
        close_window(&m);
      }
  }
  stores_do_not_linger();
  windows_come_and_go();
  MPI_Finalize();
  if (rank == 0) printf("rma_litmus passed\n");
  return 0;
}
