/* Two windows on the same memory: what is done by one of them and completed is there by the other. (MPI §12.2.1: the same memory may
 * be in several windows; concurrent communications to distinct, overlapping windows have undefined results. So whatever touches the
 * same bytes is complete at the target, and seen, before the other window is used for them.) */
#include "windows.h"

enum {
  doubles = 3000,
  words = 2 * doubles,
  shift = 8
}; /* the second window begins `shift` doubles behind the first */

static MPI_Win first,
    second; /* of doubles, and of bytes in another part of the memory, its ranks in reverse order */
static double* memory;
static MPI_Comm reversed;

static int mirror(int of) {
  return size - 1 - of;
}

/* All operations are complete and seen by everybody. */
static void settle(void) {
  MPI_Win_flush_all(first);
  MPI_Win_flush_all(second);
  MPI_Win_sync(first);
  MPI_Win_sync(second);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(first);
  MPI_Win_sync(second);
}

static MPI_Aint in_second(int index) {
  return (MPI_Aint)(index - shift) * (MPI_Aint)sizeof(double);
}

/* Single elements: collected, handed over, stored. */
static void elements(int target) {
  const int at = shift + 16 + rank;
  double mine = 100 * target + rank, found = -1;
  MPI_Put(&mine, 1, MPI_DOUBLE, target, at, 1, MPI_DOUBLE, first);
  MPI_Win_flush(target, first);
  MPI_Get(&found, 1, MPI_DOUBLE, mirror(target), in_second(at), 1, MPI_DOUBLE, second);
  MPI_Win_flush(mirror(target), second);
  CHECK(found == mine);
  mine += 0.5;
  MPI_Put(&mine, 1, MPI_DOUBLE, mirror(target), in_second(at), 1, MPI_DOUBLE, second);
  MPI_Win_flush(mirror(target), second);
  MPI_Get(&found, 1, MPI_DOUBLE, target, at, 1, MPI_DOUBLE, first);
  MPI_Win_flush(target, first);
  CHECK(found == mine);
  settle();
  const int before = (rank + size - 1) % size;
  CHECK(memory[shift + 16 + before] == 100 * rank + before + 0.5);
  settle();
}

/* Many blocks, by turns; each rank has its own. */
static void layouts(int target) {
  MPI_Datatype every, blocks;
  MPI_Type_vector(doubles / size, 1, size, MPI_DOUBLE, &every);
  MPI_Type_commit(&every);
  MPI_Type_create_hvector(doubles / size, sizeof(double), (MPI_Aint)((size_t)size * sizeof(double)), MPI_BYTE,
                          &blocks);
  MPI_Type_commit(&blocks);
  double *data = malloc(sizeof *data * doubles), *back = malloc(sizeof *back * doubles);
  const int count = doubles / size, at = shift + 100 + rank;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < count; ++i) data[i] = 1000 * round + 10 * rank + i, back[i] = -1;
    if (round % 2 == 0) {
      MPI_Put(data, count, MPI_DOUBLE, target, at, 1, every, first);
      MPI_Win_flush(target, first);
      MPI_Get(back, count, MPI_DOUBLE, mirror(target), in_second(at), 1, blocks, second);
      MPI_Win_flush(mirror(target), second);
    } else {
      MPI_Put(data, count, MPI_DOUBLE, mirror(target), in_second(at), 1, blocks, second);
      MPI_Win_flush(mirror(target), second);
      MPI_Get(back, count, MPI_DOUBLE, target, at, 1, every, first);
      MPI_Win_flush(target, first);
    }
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += back[i] != data[i];
    CHECK(wrong == 0);
  }
  settle();
  MPI_Type_free(&every);
  MPI_Type_free(&blocks);
  free(data);
  free(back);
}

/* All origins on the same elements of one window, and when that is over on those of the other: also so many that the ranges of one
 * window are changed in bulk, and not those of the other. */
static void sums(int target) {
  double *ones = malloc(sizeof *ones * doubles), old = -1;
  for (int i = 0; i < doubles; ++i) ones[i] = 1, memory[shift + i] = 0;
  settle();
  for (int round = 1; round <= 6; ++round) {
    const int by_first = round % 2;
    for (int times = 0; times < 3; ++times) {
      if (by_first)
        MPI_Accumulate(ones, doubles, MPI_DOUBLE, target, shift, doubles, MPI_DOUBLE, MPI_SUM, first);
      else
        MPI_Accumulate(ones, doubles, MPI_DOUBLE, mirror(target), 0, doubles, MPI_DOUBLE, MPI_SUM, second);
    }
    settle();
    int wrong = 0;
    for (int i = 0; i < doubles; ++i) wrong += memory[shift + i] != (rank == target ? 3.0 * size * round : 0);
    CHECK(wrong == 0);
    settle();
  }
  const double before = 18.0 * size;
  MPI_Fetch_and_op(ones, &old, MPI_DOUBLE, target, shift + rank, MPI_SUM, first);
  MPI_Win_flush(target, first);
  CHECK(old == before);
  MPI_Fetch_and_op(ones, &old, MPI_DOUBLE, mirror(target), in_second(shift + rank), MPI_SUM, second);
  MPI_Win_flush(mirror(target), second);
  CHECK(old == before + 1);
  settle();
  free(ones);
}

/* Words that are compared and swapped by the windows in turns, a round each. */
static void swaps(int target) {
  int64_t* const word = (int64_t*)memory;
  settle();
  word[shift + 1] = 0;
  settle();
  for (int round = 0; round < 2 * size; ++round) {
    if (round % size == rank) {
      const int64_t next = round + 1, expected = round;
      int64_t found = -1;
      if (round % 2 == 0) {
        MPI_Compare_and_swap(&next, &expected, &found, MPI_INT64_T, target, shift + 1, first);
        MPI_Win_flush(target, first);
      } else {
        MPI_Compare_and_swap(&next, &expected, &found, MPI_INT64_T, mirror(target), in_second(shift + 1),
                             second);
        MPI_Win_flush(mirror(target), second);
      }
      CHECK(found == expected);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  settle();
}

/* An epoch of fences of one window, and one of the other. */
static void fences(int target) {
  const int before = (rank + size - 1) % size;
  const double here = rank + 0.25, there = rank + 0.75;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, first);
  MPI_Put(&here, 1, MPI_DOUBLE, target, shift + rank, 1, MPI_DOUBLE, first);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, first);
  CHECK(memory[shift + before] == before + 0.25);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, second);
  MPI_Put(&there, 1, MPI_DOUBLE, mirror(target), in_second(shift + rank), 1, MPI_DOUBLE, second);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, second);
  CHECK(memory[shift + before] == before + 0.75);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_split(MPI_COMM_WORLD, 0, mirror(rank), &reversed);
  for (int kind = created; kind <= allocated; ++kind) {
    memory =
        make_window(kind, (MPI_Aint)(words * sizeof(double)), (int)sizeof(double), MPI_COMM_WORLD, &first);
    CHECK(MPI_Win_create(memory + shift, (MPI_Aint)((words - shift) * sizeof(double)), 1, MPI_INFO_NULL,
                         reversed, &second) == MPI_SUCCESS);
    const int target = (rank + 1) % size;
    MPI_Win_lock_all(0, first);
    MPI_Win_lock_all(0, second);
    elements(target);
    layouts(target);
    sums(0);
    swaps(0);
    MPI_Win_unlock_all(second);
    MPI_Win_unlock_all(first);
    MPI_Barrier(MPI_COMM_WORLD);
    fences(target);
    /* The other one goes on when one is freed. */
    const double last = rank;
    if (kind != allocated) {
      MPI_Win keep = second;
      CHECK(MPI_Win_free(&first) == MPI_SUCCESS);
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, mirror(target), 0, keep);
      MPI_Put(&last, 1, MPI_DOUBLE, mirror(target), 0, 1, MPI_DOUBLE, keep);
      MPI_Win_unlock(mirror(target), keep);
      MPI_Barrier(MPI_COMM_WORLD);
      CHECK(memory[shift] == (rank + size - 1) % size);
      CHECK(MPI_Win_free(&second) == MPI_SUCCESS);
      if (kind == created)
        free(memory);
      else
        MPI_Free_mem(memory);
    } else {
      CHECK(MPI_Win_free(&second) == MPI_SUCCESS);
      free_window(kind, memory, &first);
    }
  }
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  return 0;
}
