/* Each argument is wrong once, in calls that would otherwise take the fast path (src/mpi/quick_window.hpp): 8 bytes in an
 * allocated window, a target that has been used before. It is found and told, nothing has changed, and the next call works. */
#include <limits.h>

#include "windows.h"

enum { words = 4 };

static MPI_Win win;
static long* memory;
static long value = 5, fetched, compared;
static int target;

/* What an operation could have changed is as it was. */
static void is_unchanged(void) {
  long now[words] = {0};
  CHECK(MPI_Get(now, words, MPI_LONG, target, 0, words, MPI_LONG, win) == MPI_SUCCESS);
  CHECK(MPI_Win_flush(target, win) == MPI_SUCCESS);
  for (int i = 0; i < words; ++i) CHECK(now[i] == 10 + i);
  CHECK(fetched == 0 && value == 5);
}

#define REFUSED(what, class)  \
  do {                        \
    CHECK_FAILS(what, class); \
    is_unchanged();           \
  } while (0)

/* The arguments that all operations have: target, displacement, window; `f(rank, displacement, window)`. */
#define REFUSES_PLACES(f)                                            \
  do {                                                               \
    REFUSED(f(size, 0, win), MPI_ERR_RANK);                          \
    REFUSED(f(-77, 0, win), MPI_ERR_RANK);                           \
    REFUSED(f(MPI_ANY_SOURCE, 0, win), MPI_ERR_RANK);                \
    REFUSED(f(INT_MAX, 0, win), MPI_ERR_RANK);                       \
    REFUSED(f(target, words, win), MPI_ERR_RMA_RANGE);               \
    REFUSED(f(target, -1, win), MPI_ERR_DISP);                       \
    REFUSED(f(target, INTPTR_MAX, win), MPI_ERR_RMA_RANGE);          \
    REFUSED(f(target, INTPTR_MIN, win), MPI_ERR_DISP);               \
    REFUSED(f(target, INTPTR_MAX / 8 + 1, win), MPI_ERR_RMA_RANGE);  \
    CHECK_FAILS(f(target, 0, MPI_WIN_NULL), MPI_ERR_WIN);            \
    CHECK_FAILS(f(target, 0, (MPI_Win)MPI_COMM_WORLD), MPI_ERR_WIN); \
    CHECK(f(MPI_PROC_NULL, 0, win) == MPI_SUCCESS);                  \
    is_unchanged();                                                  \
  } while (0)

#define PUT(rank, disp, win) MPI_Put(&value, 1, MPI_LONG, rank, disp, 1, MPI_LONG, win)
#define GET(rank, disp, win) MPI_Get(&fetched, 1, MPI_LONG, rank, disp, 1, MPI_LONG, win)
#define ADD(rank, disp, win) MPI_Accumulate(&value, 1, MPI_LONG, rank, disp, 1, MPI_LONG, MPI_SUM, win)
#define GET_ADD(rank, disp, win) \
  MPI_Get_accumulate(&value, 1, MPI_LONG, &fetched, 1, MPI_LONG, rank, disp, 1, MPI_LONG, MPI_SUM, win)
#define FETCH(rank, disp, win) MPI_Fetch_and_op(&value, &fetched, MPI_LONG, rank, disp, MPI_SUM, win)
#define SWAP(rank, disp, win) MPI_Compare_and_swap(&value, &compared, &fetched, MPI_LONG, rank, disp, win)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype uncommitted, longs, freed;
  MPI_Type_contiguous(1, MPI_LONG, &uncommitted);
  MPI_Type_contiguous(1, MPI_LONG, &longs);
  MPI_Type_commit(&longs);
  MPI_Type_contiguous(1, MPI_LONG, &freed);
  MPI_Type_commit(&freed);
  const MPI_Datatype stale = freed;
  MPI_Type_free(&freed);
  MPI_Op own;
  MPI_Op_create((MPI_User_function*)(void (*)(void))abort, 1, &own);
  memory = make_window(allocated, words * sizeof(long), sizeof(long), MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  for (int i = 0; i < words; ++i) memory[i] = 10 + i;
  target = (rank + 1) % size;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  is_unchanged();

  REFUSES_PLACES(PUT);
  REFUSED(MPI_Put(NULL, 1, MPI_LONG, target, 0, 1, MPI_LONG, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Put(MPI_IN_PLACE, 1, MPI_LONG, target, 0, 1, MPI_LONG, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Put(&value, -1, MPI_LONG, target, 0, -1, MPI_LONG, win), MPI_ERR_COUNT);
  REFUSED(MPI_Put(&value, 1, MPI_LONG, target, 0, -1, MPI_LONG, win), MPI_ERR_COUNT);
  REFUSED(MPI_Put(&value, 1, uncommitted, target, 0, 1, uncommitted, win), MPI_ERR_TYPE);
  REFUSED(MPI_Put(&value, 1, stale, target, 0, 1, stale, win), MPI_ERR_TYPE);
  REFUSED(MPI_Put(&value, 1, MPI_DATATYPE_NULL, target, 0, 1, MPI_DATATYPE_NULL, win), MPI_ERR_TYPE);
  REFUSED(MPI_Put(&value, 1, MPI_LONG, target, 0, 1, MPI_DATATYPE_NULL, win), MPI_ERR_TYPE);
  REFUSED(MPI_Put(&value, 1, MPI_LONG, target, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
  REFUSED(MPI_Put(&value, 2, MPI_LONG, target, words - 1, 2, MPI_LONG, win), MPI_ERR_RMA_RANGE);
  REFUSED(MPI_Put_c(&value, (MPI_Count)1 << 62, MPI_LONG, target, 0, (MPI_Count)1 << 62, MPI_LONG, win),
          MPI_ERR_COUNT);

  REFUSES_PLACES(GET);
  REFUSED(MPI_Get(NULL, 1, MPI_LONG, target, 0, 1, MPI_LONG, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Get(&fetched, -1, MPI_LONG, target, 0, -1, MPI_LONG, win), MPI_ERR_COUNT);
  REFUSED(MPI_Get(&fetched, 1, uncommitted, target, 0, 1, uncommitted, win), MPI_ERR_TYPE);
  REFUSED(MPI_Get(&fetched, 1, (MPI_Datatype)MPI_SUM, target, 0, 1, (MPI_Datatype)MPI_SUM, win),
          MPI_ERR_TYPE);
  REFUSED(MPI_Get(&fetched, 1, MPI_INT, target, 0, 1, MPI_LONG, win), MPI_ERR_TRUNCATE);
  REFUSED(MPI_Get(&fetched, 2, MPI_LONG, target, words - 1, 2, MPI_LONG, win), MPI_ERR_RMA_RANGE);

  REFUSES_PLACES(ADD);
  REFUSED(MPI_Accumulate(NULL, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Accumulate(&value, -1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win), MPI_ERR_COUNT);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, -1, MPI_LONG, MPI_SUM, win), MPI_ERR_COUNT);
  REFUSED(MPI_Accumulate(&value, 1, uncommitted, target, 0, 1, uncommitted, MPI_SUM, win), MPI_ERR_TYPE);
  REFUSED(MPI_Accumulate(&value, 1, MPI_DATATYPE_NULL, target, 0, 1, MPI_DATATYPE_NULL, MPI_SUM, win),
          MPI_ERR_TYPE);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_DOUBLE, MPI_SUM, win), MPI_ERR_TYPE);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_OP_NULL, win), MPI_ERR_OP);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_NO_OP, win), MPI_ERR_OP);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, own, win), MPI_ERR_OP);
  REFUSED(MPI_Accumulate(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_MINLOC, win), MPI_ERR_OP);
  REFUSED(MPI_Accumulate(&value, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, MPI_BAND, win), MPI_ERR_OP);
  REFUSED(MPI_Accumulate(&value, 1, MPI_BYTE, target, 0, 1, MPI_BYTE, MPI_SUM, win), MPI_ERR_OP);

  REFUSES_PLACES(GET_ADD);
  REFUSED(MPI_Get_accumulate(NULL, 1, MPI_LONG, &fetched, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win),
          MPI_ERR_BUFFER);
  REFUSED(MPI_Get_accumulate(&value, 1, MPI_LONG, NULL, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win),
          MPI_ERR_BUFFER);
  REFUSED(MPI_Get_accumulate(&value, 1, MPI_LONG, &value, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win),
          MPI_ERR_BUFFER);
  REFUSED(
      MPI_Get_accumulate(&value, -1, MPI_LONG, &fetched, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win),
      MPI_ERR_COUNT);
  REFUSED(
      MPI_Get_accumulate(&value, 1, MPI_LONG, &fetched, 1, MPI_DOUBLE, target, 0, 1, MPI_LONG, MPI_SUM, win),
      MPI_ERR_TYPE);
  REFUSED(
      MPI_Get_accumulate(&value, 1, MPI_DOUBLE, &fetched, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win),
      MPI_ERR_TYPE);
  REFUSED(MPI_Get_accumulate(&value, 1, MPI_LONG, &fetched, 1, MPI_LONG, target, 0, 1, MPI_LONG, own, win),
          MPI_ERR_OP);

  REFUSES_PLACES(FETCH);
  REFUSED(MPI_Fetch_and_op(NULL, &fetched, MPI_LONG, target, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Fetch_and_op(&value, NULL, MPI_LONG, target, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Fetch_and_op(&value, NULL, MPI_LONG, target, 0, MPI_NO_OP, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Fetch_and_op(&value, &value, MPI_LONG, target, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, longs, target, 0, MPI_SUM, win), MPI_ERR_TYPE);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, uncommitted, target, 0, MPI_SUM, win), MPI_ERR_TYPE);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, MPI_DATATYPE_NULL, target, 0, MPI_SUM, win), MPI_ERR_TYPE);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, MPI_LONG, target, 0, MPI_OP_NULL, win), MPI_ERR_OP);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, MPI_LONG, target, 0, own, win), MPI_ERR_OP);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, MPI_DOUBLE, target, 0, MPI_BXOR, win), MPI_ERR_OP);
  REFUSED(MPI_Fetch_and_op(&value, &fetched, MPI_BYTE, target, 0, MPI_SUM, win), MPI_ERR_OP);

  compared = 10;
  REFUSES_PLACES(SWAP);
  REFUSED(MPI_Compare_and_swap(NULL, &compared, &fetched, MPI_LONG, target, 0, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Compare_and_swap(&value, NULL, &fetched, MPI_LONG, target, 0, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Compare_and_swap(&value, &compared, NULL, MPI_LONG, target, 0, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Compare_and_swap(&value, &compared, &value, MPI_LONG, target, 0, win), MPI_ERR_BUFFER);
  REFUSED(MPI_Compare_and_swap(&value, &compared, &fetched, MPI_DOUBLE, target, 0, win), MPI_ERR_TYPE);
  REFUSED(MPI_Compare_and_swap(&value, &compared, &fetched, MPI_2INT, target, 0, win), MPI_ERR_TYPE);
  REFUSED(MPI_Compare_and_swap(&value, &compared, &fetched, longs, target, 0, win), MPI_ERR_TYPE);
  REFUSED(MPI_Compare_and_swap(&value, &compared, &fetched, MPI_DATATYPE_NULL, target, 0, win), MPI_ERR_TYPE);

  CHECK_FAILS(MPI_Win_flush(size, win), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Win_flush(-77, win), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Win_flush_local(size, win), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Win_flush(target, MPI_WIN_NULL), MPI_ERR_WIN);
  CHECK_FAILS(MPI_Win_flush_all(MPI_WIN_NULL), MPI_ERR_WIN);
  CHECK_FAILS(MPI_Win_flush_local(target, MPI_WIN_NULL), MPI_ERR_WIN);
  CHECK_FAILS(MPI_Win_flush_local_all(MPI_WIN_NULL), MPI_ERR_WIN);

  /* Correct, and not the usual case. */
  CHECK(MPI_Put(NULL, 0, MPI_LONG, target, 0, 0, MPI_LONG, win) == MPI_SUCCESS);
  CHECK(MPI_Put(&value, 0, MPI_LONG, target, words + 9, 0, MPI_LONG, win) == MPI_SUCCESS);
  is_unchanged();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Fetch_and_op(NULL, &fetched, MPI_LONG, target, 1, MPI_NO_OP, win) == MPI_SUCCESS &&
        fetched == 11);
  CHECK(MPI_Put(&value, 1, longs, target, 0, 1, longs, win) == MPI_SUCCESS);
  CHECK(MPI_Put(&value, 1, MPI_LONG, target, 1, 8, MPI_BYTE, win) == MPI_SUCCESS);
  CHECK(SWAP(target, 2, win) == MPI_SUCCESS && fetched == 12);
  compared = 12;
  CHECK(SWAP(target, 2, win) == MPI_SUCCESS && fetched == 12);
  CHECK(GET_ADD(target, 3, win) == MPI_SUCCESS && fetched == 13);
  MPI_Win_flush_all(win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  CHECK(memory[0] == 5 && memory[1] == 5 && memory[2] == 5 && memory[3] == 18);
  MPI_Win_unlock(rank, win);

  /* The same calls, and no epoch. */
  CHECK_FAILS(PUT(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(GET(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(ADD(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(GET_ADD(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(FETCH(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(SWAP(target, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush(target, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_local(target, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
  const MPI_Win was = win;
  free_window(allocated, memory, &win);
  CHECK_FAILS(PUT(target, 0, was), MPI_ERR_WIN);
  CHECK_FAILS(FETCH(target, 0, was), MPI_ERR_WIN);
  CHECK_FAILS(MPI_Win_flush(target, was), MPI_ERR_WIN);
  MPI_Type_free(&uncommitted);
  MPI_Type_free(&longs);
  MPI_Op_free(&own);
  MPI_Finalize();
  return 0;
}
