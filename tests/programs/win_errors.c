/* What is wrong with calls on windows is found, and told with call, target and epoch; nothing else happens. */
#include "windows.h"

static MPI_Win win;
static int* memory;
static int word = 1, other, third;

/* The last message of this class names the function and says this. */
static void said_of(int class, const char* function, const char* what) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(class, text, &length);
  if (strstr(text, function) == NULL || strstr(text, what) == NULL) fprintf(stderr, "says: %s\n", text);
  CHECK(strstr(text, function) != NULL && strstr(text, what) != NULL);
}

static void said(const char* function, const char* what) {
  said_of(MPI_ERR_RMA_SYNC, function, what);
}

static int put_to(int target) {
  return MPI_Put(&word, 1, MPI_INT, target, 0, 1, MPI_INT, win);
}

/* What is wrong with an operation in an epoch of MPI_Win_lock_all is told with that, and with its target, which is 0; what is
 * wrong with an argument that all calls have, without the target. */
#define EPOCH_TOLD(call, class)                                                \
  do {                                                                         \
    CHECK_FAILS(call, class);                                                  \
    said_of(class, "MPI_", ". The present access epoch: of MPI_Win_lock_all"); \
  } while (0)
#define TARGET_TOLD(call, class)        \
  do {                                  \
    EPOCH_TOLD(call, class);            \
    said_of(class, ": target 0: ", ""); \
  } while (0)

static void arguments(void) {
  MPI_Datatype uncommitted, mixed, ints, behind;
  MPI_Op own;
  MPI_Request request;
  int blocks[] = {1, 1};
  MPI_Aint places[] = {0, 8};
  MPI_Datatype types[] = {MPI_INT, MPI_FLOAT};
  MPI_Type_contiguous(1, MPI_INT, &uncommitted);
  MPI_Type_create_struct(2, blocks, places, types, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Type_vector(2, 1, 2, MPI_INT, &ints);
  MPI_Type_commit(&ints);
  const int odd[] = {1, 3};
  MPI_Type_create_indexed_block(2, 1, odd, MPI_INT, &behind);
  MPI_Type_commit(&behind);
  MPI_Op_create((MPI_User_function*)(void (*)(void))abort, 1, &own);
  MPI_Win_lock_all(0, win);

  CHECK_FAILS(MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL), MPI_ERR_WIN);
  EPOCH_TOLD(put_to(size), MPI_ERR_RANK);
  EPOCH_TOLD(put_to(-77), MPI_ERR_RANK);
  EPOCH_TOLD(put_to(MPI_ANY_SOURCE), MPI_ERR_RANK);
  EPOCH_TOLD(MPI_Put(&word, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  EPOCH_TOLD(MPI_Get(&word, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
  TARGET_TOLD(MPI_Put(&word, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
  said_of(MPI_ERR_DISP, "MPI_Put", "argument 5 (target_disp) is -1");
  TARGET_TOLD(MPI_Get_accumulate(&word, 1, MPI_INT, &other, 1, MPI_INT, 0, -2, 1, MPI_INT, MPI_SUM, win),
              MPI_ERR_DISP);
  said_of(MPI_ERR_DISP, "MPI_Get_accumulate", "argument 8 (target_disp) is -2");
  EPOCH_TOLD(MPI_Put(&word, 1, uncommitted, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  EPOCH_TOLD(MPI_Put(&word, 1, MPI_INT, 0, 0, 1, uncommitted, win), MPI_ERR_TYPE);
  EPOCH_TOLD(MPI_Put(&word, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  EPOCH_TOLD(MPI_Put(NULL, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
  int two[2] = {1, 2};
  TARGET_TOLD(MPI_Put(two, 2, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
  said_of(MPI_ERR_TRUNCATE, "MPI_Put",
          "the data of argument 2 (origin_count) is 8 bytes; expected at most 4, as of argument 6 "
          "(target_count)");
  TARGET_TOLD(MPI_Get(two, 1, MPI_INT, 0, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
  said_of(MPI_ERR_TRUNCATE, "MPI_Get",
          "the data of argument 6 (target_count) is 8 bytes; expected at most 4, as of argument 2");

  /* Outside the window: by an element, by a byte, by far, by a layout. */
  TARGET_TOLD(MPI_Put(&word, 1, MPI_INT, 0, 16, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  said_of(MPI_ERR_RMA_RANGE, "MPI_Put", "target 0: the data is bytes 64 to 68");
  said_of(MPI_ERR_RMA_RANGE, "(argument 5 (target_disp) is 16)", "of MPI_Win_lock_all");
  TARGET_TOLD(MPI_Get(&word, 1, MPI_INT, 0, 16, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  TARGET_TOLD(MPI_Put(memory, 17, MPI_INT, 0, 0, 17, MPI_INT, win), MPI_ERR_RMA_RANGE);
  TARGET_TOLD(MPI_Put(&word, 1, MPI_INT, 0, INTPTR_MAX, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  said_of(MPI_ERR_RMA_RANGE, "MPI_Put", "no address reaches argument 5 (target_disp)");
  TARGET_TOLD(MPI_Put(two, 2, MPI_INT, 0, 14, 1, ints, win), MPI_ERR_RMA_RANGE);
  TARGET_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 16, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_RANGE);
  TARGET_TOLD(MPI_Fetch_and_op(&word, &other, MPI_INT, 0, 16, MPI_SUM, win), MPI_ERR_RMA_RANGE);
  TARGET_TOLD(MPI_Compare_and_swap(&word, &third, &other, MPI_INT, 0, 16, win), MPI_ERR_RMA_RANGE);

  /* Accumulates: one predefined type, the same on all sides; predefined operations, on their types. */
  TARGET_TOLD(MPI_Accumulate(two, 1, mixed, 0, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
  said_of(MPI_ERR_TYPE, "MPI_Accumulate", "argument 7 (target_datatype) is made of several datatypes");
  TARGET_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
  said_of(MPI_ERR_TYPE, "argument 3 (origin_datatype) is made of ", "as argument 7 (target_datatype) is");
  TARGET_TOLD(MPI_Get_accumulate(&word, 1, MPI_INT, &other, 1, MPI_FLOAT, 0, 0, 1, MPI_INT, MPI_SUM, win),
              MPI_ERR_TYPE);
  said_of(MPI_ERR_TYPE, "argument 6 (result_datatype) is made of ", "as argument 10 (target_datatype) is");
  TARGET_TOLD(MPI_Fetch_and_op(two, &other, ints, 0, 0, MPI_SUM, win), MPI_ERR_TYPE);
  TARGET_TOLD(MPI_Compare_and_swap(&word, &third, &other, MPI_FLOAT, 0, 0, win), MPI_ERR_TYPE);
  TARGET_TOLD(MPI_Compare_and_swap(&word, &third, &other, ints, 0, 0, win), MPI_ERR_TYPE);
  TARGET_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, own, win), MPI_ERR_OP);
  said_of(MPI_ERR_OP, "MPI_Accumulate", "argument 8 (op) is an operation of the program");
  TARGET_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP);
  TARGET_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAXLOC, win), MPI_ERR_OP);
  TARGET_TOLD(MPI_Accumulate(&word, 4, MPI_BYTE, 0, 0, 4, MPI_BYTE, MPI_SUM, win), MPI_ERR_OP);
  EPOCH_TOLD(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
  TARGET_TOLD(MPI_Fetch_and_op(&word, &other, MPI_INT, 0, 0, own, win), MPI_ERR_OP);
  said_of(MPI_ERR_OP, "MPI_Fetch_and_op", "argument 6 (op) is an operation of the program");
  TARGET_TOLD(MPI_Get_accumulate(&word, 1, MPI_INT, &other, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAXLOC, win),
              MPI_ERR_OP);
  said_of(MPI_ERR_OP, "MPI_Get_accumulate", "argument 11 (op) is MPI_MAXLOC");
  TARGET_TOLD(MPI_Accumulate(two, 2, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_TRUNCATE);
  TARGET_TOLD(MPI_Get_accumulate(&word, 1, MPI_INT, &other, 1, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win),
              MPI_ERR_TRUNCATE);
  TARGET_TOLD(MPI_Fetch_and_op(&word, &word, MPI_INT, 0, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  TARGET_TOLD(MPI_Get_accumulate(&word, 1, MPI_INT, &word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win),
              MPI_ERR_BUFFER);
  /* Origin and result: not one byte of both; interleaved they may be. */
  int many[4] = {1, 1, 1, 1};
  TARGET_TOLD(MPI_Get_accumulate(many, 2, MPI_INT, many + 1, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win),
              MPI_ERR_BUFFER);
  said_of(MPI_ERR_BUFFER, "MPI_Get_accumulate", "overlap");
  TARGET_TOLD(MPI_Get_accumulate(many, 1, ints, many, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win),
              MPI_ERR_BUFFER);
  CHECK(MPI_Get_accumulate(many, 1, ints, many + 1, 1, ints, 0, 0, 2, MPI_INT, MPI_NO_OP, win) ==
        MPI_SUCCESS);
  CHECK(MPI_Get_accumulate(many, 1, ints, many, 1, behind, 0, 0, 2, MPI_INT, MPI_PROD, win) == MPI_SUCCESS);
  CHECK(many[0] == 1 && many[2] == 1);
  TARGET_TOLD(MPI_Rput(&word, 1, MPI_INT, 0, 16, 1, MPI_INT, win, &request), MPI_ERR_RMA_RANGE);
  EPOCH_TOLD(MPI_Rput(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win, NULL), MPI_ERR_ARG);
  MPI_Win_unlock_all(win);

  CHECK_FAILS(MPI_Win_lock(0, 0, 0, win), MPI_ERR_LOCKTYPE);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win), MPI_ERR_RANK);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 1, win), MPI_ERR_ASSERT);
  CHECK_FAILS(MPI_Win_fence(1 << 30, win), MPI_ERR_ASSERT);
  CHECK_FAILS(MPI_Win_post(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
  MPI_Type_free(&uncommitted);
  MPI_Type_free(&mixed);
  MPI_Type_free(&ints);
  MPI_Type_free(&behind);
  MPI_Op_free(&own);
}

/* Origin and result of one element: not one byte of both. Where the comparand was, the result may be. */
static void one_element(void) {
  int ints[4] = {1, 2, 3, 4};
  int64_t longs[2] = {7, 0}, found = -1, next = 8, compare = 0;
  MPI_Win_lock_all(0, win);
  CHECK_FAILS(MPI_Fetch_and_op(ints, ints + 1, MPI_INT64_T, 0, 0, MPI_SUM, win), MPI_ERR_BUFFER);
  said_of(MPI_ERR_BUFFER, "MPI_Fetch_and_op", "2 (result_addr");
  CHECK_FAILS(MPI_Fetch_and_op(ints + 1, ints, MPI_INT64_T, 0, 0, MPI_REPLACE, win), MPI_ERR_BUFFER);
  CHECK_FAILS(MPI_Fetch_and_op(ints + 1, ints, MPI_2INT, 0, 0, MPI_REPLACE, win), MPI_ERR_BUFFER);
  CHECK_FAILS(
      MPI_Get_accumulate(ints, 1, MPI_2INT, ints + 1, 1, MPI_2INT, 0, 0, 1, MPI_2INT, MPI_REPLACE, win),
      MPI_ERR_BUFFER);
  CHECK_FAILS(MPI_Compare_and_swap(longs, &compare, longs, MPI_INT64_T, 0, 0, win), MPI_ERR_BUFFER);
  CHECK_FAILS(MPI_Compare_and_swap(ints, &compare, ints + 1, MPI_INT64_T, 0, 0, win), MPI_ERR_BUFFER);
  said_of(MPI_ERR_BUFFER, "MPI_Compare_and_swap", "3 (result_addr");
  /* Next to each other, and with an origin that is not read. */
  CHECK(MPI_Fetch_and_op(ints, ints + 1, MPI_INT, 0, 0, MPI_SUM, win) == MPI_SUCCESS);
  CHECK(MPI_Fetch_and_op(ints + 1, ints, MPI_INT, 0, 0, MPI_SUM, win) == MPI_SUCCESS);
  CHECK(MPI_Fetch_and_op(ints, ints, MPI_INT, 0, 0, MPI_NO_OP, win) == MPI_SUCCESS);
  CHECK(MPI_Fetch_and_op(NULL, ints, MPI_2INT, 0, 0, MPI_NO_OP, win) == MPI_SUCCESS);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  MPI_Put(longs, 1, MPI_INT64_T, rank, 0, 1, MPI_INT64_T, win);
  MPI_Win_flush(rank, win);
  compare = 6;
  CHECK(MPI_Compare_and_swap(&next, &compare, &compare, MPI_INT64_T, rank, 0, win) == MPI_SUCCESS &&
        compare == 7);
  CHECK(MPI_Compare_and_swap(&next, &compare, &compare, MPI_INT64_T, rank, 0, win) == MPI_SUCCESS &&
        compare == 7);
  CHECK(MPI_Fetch_and_op(NULL, &found, MPI_INT64_T, rank, 0, MPI_NO_OP, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(rank, win) == MPI_SUCCESS && found == 8);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* All operations on MPI_PROC_NULL; `by_request`: those with a request, too. All end alike. */
static int to_nobody(int by_request) {
  enum { operations = 6, requests = 4 };
  const int nobody = MPI_PROC_NULL;
  MPI_Request r[requests] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const int codes[operations + requests] = {
      MPI_Put(NULL, 3, MPI_INT, nobody, 0, 3, MPI_INT, win),
      MPI_Get(NULL, 3, MPI_INT, nobody, 0, 3, MPI_INT, win),
      MPI_Accumulate(&word, 1, MPI_INT, nobody, 99, 1, MPI_INT, MPI_SUM, win),
      MPI_Get_accumulate(&word, 1, MPI_INT, &other, 1, MPI_INT, nobody, 0, 1, MPI_INT, MPI_SUM, win),
      MPI_Fetch_and_op(&word, &other, MPI_INT, nobody, 0, MPI_SUM, win),
      MPI_Compare_and_swap(&word, &third, &other, MPI_INT, nobody, 0, win),
      by_request ? MPI_Rput(&word, 1, MPI_INT, nobody, 0, 1, MPI_INT, win, &r[0]) : MPI_SUCCESS,
      by_request ? MPI_Rget(&word, 1, MPI_INT, nobody, 0, 1, MPI_INT, win, &r[1]) : MPI_SUCCESS,
      by_request ? MPI_Raccumulate(&word, 1, MPI_INT, nobody, 0, 1, MPI_INT, MPI_SUM, win, &r[2])
                 : MPI_SUCCESS,
      by_request ? MPI_Rget_accumulate(&word, 1, MPI_INT, &other, 1, MPI_INT, nobody, 0, 1, MPI_INT, MPI_SUM,
                                       win, &r[3])
                 : MPI_SUCCESS};
  const int last = by_request ? operations + requests : operations;
  int class = MPI_SUCCESS, first = MPI_SUCCESS;
  for (int i = 0; i < last; ++i) {
    MPI_Error_class(codes[i], &class);
    if (i == 0) first = class;
    CHECK(class == first);
  }
  MPI_Waitall(requests, r, MPI_STATUSES_IGNORE);
  return first;
}

/* MPI_PROC_NULL is nobody, but an operation on it belongs to an epoch, as every other does. */
static void nobody(void) {
  CHECK(to_nobody(1) == MPI_ERR_RMA_SYNC);
  said("MPI_Rget_accumulate", "target MPI_PROC_NULL: operations with a request");
  CHECK_FAILS(MPI_Put(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, win), MPI_ERR_RMA_SYNC);
  said("MPI_Put", "target MPI_PROC_NULL: no access epoch is open");
  CHECK_FAILS(MPI_Win_flush(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_local(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  /* Locks: those of both neighbours at an edge, or in a line of one process. */
  CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win) == MPI_SUCCESS);
  CHECK(to_nobody(1) == MPI_SUCCESS);
  CHECK(MPI_Win_flush(MPI_PROC_NULL, win) == MPI_SUCCESS &&
        MPI_Win_flush_local(MPI_PROC_NULL, win) == MPI_SUCCESS);
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  said("MPI_Put", "of MPI_Win_lock, targets MPI_PROC_NULL");
  CHECK_FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(MPI_PROC_NULL, win) == MPI_SUCCESS &&
        MPI_Win_unlock(MPI_PROC_NULL, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_unlock(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  CHECK(to_nobody(1) == MPI_SUCCESS && put_to(rank) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(rank, win) == MPI_SUCCESS);
  CHECK(to_nobody(0) == MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_lock_all(0, win) == MPI_SUCCESS && to_nobody(1) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
  CHECK(MPI_Win_start(MPI_GROUP_EMPTY, 0, win) == MPI_SUCCESS && to_nobody(0) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_flush(MPI_PROC_NULL, win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
  /* "It is still necessary to finish the RMA epoch with the synchronization method that started the epoch." */
  MPI_Win_fence(0, win);
  CHECK(to_nobody(0) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(MPI_PROC_NULL, win) == MPI_SUCCESS);
  CHECK(to_nobody(0) == MPI_ERR_RMA_SYNC);
  said("MPI_Compare_and_swap", "another access epoch has ended since the last fence");
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void no_epoch(void) {
  MPI_Request request;
  CHECK_FAILS(put_to(0), MPI_ERR_RMA_SYNC);
  said("MPI_Put", "target 0: no access epoch is open");
  CHECK_FAILS(MPI_Get(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Fetch_and_op(&word, &other, MPI_INT, 0, 0, MPI_SUM, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Compare_and_swap(&word, &third, &other, MPI_INT, 0, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Rget(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_local(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  int flag;
  CHECK_FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
}

static void locks(void) {
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
  said("MPI_Win_lock", "targets 0 (shared)");
  CHECK_FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  if (size > 1) {
    CHECK_FAILS(put_to(1), MPI_ERR_RMA_SYNC);
    said("MPI_Put", "target 1: the target is not locked");
    CHECK_FAILS(MPI_Win_flush(1, win), MPI_ERR_RMA_SYNC);
    CHECK_FAILS(MPI_Win_unlock(1, win), MPI_ERR_RMA_SYNC);
    CHECK(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(1, win) == MPI_SUCCESS);
  }
  CHECK(MPI_Win_flush_all(win) == MPI_SUCCESS && MPI_Win_flush_local(0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(0, win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_unlock_all(win) == MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void) {
  MPI_Request request;
  MPI_Group self;
  MPI_Comm_group(MPI_COMM_SELF, &self);
  MPI_Win_fence(0, win);
  /* Behind a fence without operations everything is open. */
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win) == MPI_SUCCESS && put_to(rank) == MPI_SUCCESS);
  CHECK(MPI_Win_unlock(rank, win) == MPI_SUCCESS);
  /* But epochs are disjoint: that of the fence cannot have begun before the lock, and end behind it. */
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  said("MPI_Put", "another access epoch has ended since the last fence");
  MPI_Win_fence(0, win);
  CHECK(MPI_Win_start(MPI_GROUP_EMPTY, 0, win) == MPI_SUCCESS && MPI_Win_complete(win) == MPI_SUCCESS);
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  CHECK(MPI_Win_lock_all(0, win) == MPI_SUCCESS && MPI_Win_unlock_all(win) == MPI_SUCCESS);
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  CHECK(put_to(rank) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
  said("MPI_Win_lock", "of the last fence");
  CHECK_FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_flush(rank, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Rput(&word, 1, MPI_INT, rank, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_fence(MPI_MODE_NOPRECEDE, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  MPI_Group_free(&self);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void post_start(void) {
  MPI_Group world, one;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &rank, &one);
  CHECK(MPI_Win_post(one, 0, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_post(one, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_start(one, 0, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_start(one, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  if (size > 1) {
    CHECK_FAILS(put_to((rank + 1) % size), MPI_ERR_RMA_SYNC);
    said("MPI_Put", "not in the group of MPI_Win_start");
  }
  CHECK(put_to(rank) == MPI_SUCCESS);
  int flag = 1;
  CHECK(MPI_Win_test(win, &flag) == MPI_SUCCESS && !flag);
  CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_test(win, &flag) == MPI_SUCCESS && flag);
  CHECK_FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  /* Nobody: an epoch all the same. */
  CHECK(MPI_Win_start(MPI_GROUP_EMPTY, 0, win) == MPI_SUCCESS);
  CHECK_FAILS(put_to(rank), MPI_ERR_RMA_SYNC);
  CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
  CHECK(MPI_Win_post(MPI_GROUP_EMPTY, 0, win) == MPI_SUCCESS && MPI_Win_wait(win) == MPI_SUCCESS);
  CHECK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_post(one, 0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_unlock(rank, win);
  MPI_Group_free(&world);
  MPI_Group_free(&one);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void making(void) {
  MPI_Win made;
  MPI_Comm pair, local;
  void* base;
  CHECK_FAILS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_SIZE);
  CHECK_FAILS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_DISP);
  CHECK_FAILS(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_BASE);
  CHECK_FAILS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &made), MPI_ERR_COMM);
  CHECK_FAILS(MPI_Win_allocate(-5, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &made), MPI_ERR_SIZE);
  CHECK_FAILS(MPI_Win_allocate_shared(4, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &made), MPI_ERR_DISP);
  CHECK_FAILS(MPI_Win_free(NULL), MPI_ERR_ARG);
  if (size > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &pair);
    MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
    CHECK_FAILS(MPI_Win_create(memory, 4, 1, MPI_INFO_NULL, pair, &made), MPI_ERR_COMM);
    MPI_Comm_free(&pair);
    MPI_Comm_free(&local);
  }
  /* One rank wants more than there is: all learn it. */
  CHECK_FAILS(
      MPI_Win_allocate(rank == size - 1 ? INTPTR_MAX / 2 : 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &made),
      MPI_ERR_NO_MEM);
  CHECK_FAILS(MPI_Win_allocate_shared(INTPTR_MAX / 2 / size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &made),
              MPI_ERR_NO_MEM);
}

static void flavors(void) {
  void* base;
  MPI_Aint bytes;
  int unit;
  CHECK_FAILS(MPI_Win_attach(win, memory, 4), MPI_ERR_RMA_FLAVOR);
  CHECK_FAILS(MPI_Win_detach(win, memory), MPI_ERR_RMA_FLAVOR);
  MPI_Win dynamic;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_Win_shared_query(dynamic, 0, &bytes, &unit, &base), MPI_ERR_RMA_FLAVOR);
  CHECK_FAILS(MPI_Win_attach(dynamic, NULL, 4), MPI_ERR_BASE);
  CHECK_FAILS(MPI_Win_attach(dynamic, memory, -4), MPI_ERR_SIZE);
  CHECK_FAILS(MPI_Win_detach(dynamic, memory), MPI_ERR_BASE);
  CHECK(MPI_Win_attach(dynamic, memory, 8) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Win_attach(dynamic, memory + 1, 8), MPI_ERR_RMA_ATTACH);
  MPI_Aint address;
  MPI_Get_address(memory, &address);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, dynamic);
  CHECK(MPI_Put(&word, 1, MPI_INT, rank, address, 1, MPI_INT, dynamic) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Put(&word, 1, MPI_INT, rank, address + 8, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  CHECK_FAILS(MPI_Put(&word, 1, MPI_INT, rank, address + 6, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  CHECK_FAILS(MPI_Get(&word, 1, MPI_INT, rank, address - 1, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  CHECK_FAILS(MPI_Put(&word, 1, MPI_INT, rank, -4, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  CHECK(MPI_Win_detach(dynamic, memory) == MPI_SUCCESS);
  CHECK_FAILS(MPI_Put(&word, 1, MPI_INT, rank, address, 1, MPI_INT, dynamic), MPI_ERR_RMA_RANGE);
  MPI_Win_unlock(rank, dynamic);
  MPI_Win_free(&dynamic);
}

/* MPI_MODE_NOCHECK is a promise. What is wrong with it is seen where the words of the lock can be read. */
static void conflicts(void) {
  if (size == 1) return;
  const int last = size - 1;
  if (rank == last) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win), MPI_ERR_RMA_CONFLICT);
    said_of(MPI_ERR_RMA_CONFLICT, "MPI_Win_lock", "exclusively");
    CHECK_FAILS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win), MPI_ERR_RMA_CONFLICT);
    CHECK_FAILS(put_to(0), MPI_ERR_RMA_SYNC);
    CHECK_FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == last) MPI_Win_unlock(0, win), MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    CHECK_FAILS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win), MPI_ERR_RMA_CONFLICT);
    said_of(MPI_ERR_RMA_CONFLICT, "MPI_Win_lock", "locked by one process");
    CHECK(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win) == MPI_SUCCESS);
    CHECK(put_to(0) == MPI_SUCCESS && MPI_Win_unlock(0, win) == MPI_SUCCESS);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == last) MPI_Win_unlock(0, win);
}

/* Promises about the parts that are not kept: all members are told. */
static void broken_promises(void) {
  MPI_Info info;
  MPI_Win made;
  void* base;
  MPI_Info_create(&info);
  MPI_Info_set(info, "same_size", "true");
  MPI_Info_set(info, "same_disp_unit", "true");
  const int code = MPI_Win_allocate(8 + 8 * (rank == size - 1), 1, info, MPI_COMM_WORLD, &base, &made);
  if (size == 1) {
    CHECK(code == MPI_SUCCESS);
    MPI_Win_free(&made);
  } else {
    CHECK_FAILS(code, MPI_ERR_SIZE);
    CHECK_FAILS(MPI_Win_create(memory, 8, rank + 1, info, MPI_COMM_WORLD, &made), MPI_ERR_DISP);
  }
  CHECK(MPI_Win_allocate_shared(8, 4, info, MPI_COMM_WORLD, &base, &made) == MPI_SUCCESS);
  MPI_Win_free(&made);
  MPI_Info_free(&info);
}

static void hints(void) {
  MPI_Info info;
  MPI_Win unlocked;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(memory, 4, 1, info, MPI_COMM_WORLD, &unlocked);
  MPI_Win_set_errhandler(unlocked, MPI_ERRORS_RETURN);
  CHECK_FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, unlocked), MPI_ERR_RMA_SYNC);
  CHECK_FAILS(MPI_Win_lock_all(0, unlocked), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, unlocked);
  MPI_Win_free(&unlocked);
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int kind = created; kind < kinds; ++kind) {
    memory = make_window(kind, 16 * sizeof(int), sizeof(int), MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    no_epoch();
    arguments();
    one_element();
    nobody();
    locks();
    fences();
    no_epoch();
    post_start();
    conflicts();
    broken_promises();
    making();
    flavors();
    hints();
    free_window(kind, memory, &win);
  }
  MPI_Finalize();
  return 0;
}
