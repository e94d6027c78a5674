/* The memory behind a window that MPI_Win_create made is not there any more: whoever accesses it is told the call, the
 * window, the target and the address, whatever carries the data; the target and the rest of the window go on. So is
 * whose own buffer is not there, where the system's calls find it out. usage: win_missing RANKS */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { page = 1 << 16, parts = 3 }; /* the middle part goes */

static char *own, *data, *result;
static MPI_Win win;
static uintptr_t begins[64];
enum { target = 1 };

/* Either the operation tells, or what completes it. */
static void is_told(int operation, int flush, const char* call, MPI_Aint from, MPI_Aint to) {
  const int code = operation != MPI_SUCCESS ? operation : flush;
  char text[MPI_MAX_ERROR_STRING], bytes[64];
  int length, class = 0;
  MPI_Error_class(code, &class);
  MPI_Error_string(code, text, &length);
  const char* where = strstr(text, "0x");
  const uintptr_t address = where == NULL ? 0 : strtoul(where, NULL, 16);
  snprintf(bytes, sizeof bytes, "target %d: ", target);
  char function[32] = "";
  strncpy(function, call, strcspn(call, "("));
  const int well = class == MPI_ERR_RMA_RANGE && strstr(text, bytes) != NULL &&
                   strstr(text, "window \"the field\"") != NULL && strstr(text, "of MPI_Win_lock") != NULL &&
                   strstr(text, operation != MPI_SUCCESS ? function : "MPI_Win_flush") != NULL &&
                   address >= begins[target] + (uintptr_t)from && address < begins[target] + (uintptr_t)to;
  if (!well) fprintf(stderr, "%s: code %d, class %d: %s\n", call, code, class, text);
  CHECK(well);
}

#define TOLD(call, first, bytes)                                            \
  do {                                                                      \
    const int operation_ = MPI_##call, flush_ = MPI_Win_flush(target, win); \
    is_told(operation_, flush_, "MPI_" #call, first, (first) + (bytes));    \
  } while (0)

/* One element behind many others: a target that waits stays for the next one. */
static void access_behind_others(void) {
  const int64_t one = 1;
  int64_t old = -1, seen = -1, first = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  for (int i = 0; i < 60; ++i) {
    CHECK(MPI_Fetch_and_op(&one, &seen, MPI_INT64_T, target, 2 * page + 64, MPI_SUM, win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(target, win) == MPI_SUCCESS);
    if (i == 0) first = seen;
    CHECK(seen >= first + i);
    if (i % 15 == 14) {
      TOLD(Accumulate(&one, 1, MPI_INT64_T, target, page + 8, 1, MPI_INT64_T, MPI_SUM, win), page + 8, 8);
    } else if (i % 15 == 11) {
      TOLD(Fetch_and_op(&one, &old, MPI_INT64_T, target, page + 8, MPI_SUM, win), page + 8, 8);
    } else if (i % 15 == 8) {
      TOLD(Compare_and_swap(&one, &seen, &old, MPI_INT64_T, target, page + 8, win), page + 8, 8);
    } else if (i % 15 == 5) {
      TOLD(Put(&one, 1, MPI_INT64_T, target, page + 64, 1, MPI_INT64_T, win), page + 64, 8);
    } else if (i % 15 == 2) {
      TOLD(Get(&old, 1, MPI_INT64_T, target, page + 64, 1, MPI_INT64_T, win), page + 64, 8);
    }
  }
  CHECK(MPI_Win_unlock(target, win) == MPI_SUCCESS);
}

/* Many of them, so that each finds the target in a call, or out of it, as it comes. */
static void access_it(void) {
  const int64_t one = 1;
  int64_t old = -1, seen = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  for (int i = 0; i < 6; ++i) {
    TOLD(Put(&one, 1, MPI_INT64_T, target, page + 64, 1, MPI_INT64_T, win), page + 64, 8);
    TOLD(Get(&seen, 1, MPI_INT64_T, target, page + 64, 1, MPI_INT64_T, win), page + 64, 8);
    TOLD(Accumulate(&one, 1, MPI_INT64_T, target, page + 8, 1, MPI_INT64_T, MPI_SUM, win), page + 8, 8);
    TOLD(Fetch_and_op(&one, &old, MPI_INT64_T, target, page + 8, MPI_SUM, win), page + 8, 8);
    TOLD(Compare_and_swap(&one, &seen, &old, MPI_INT64_T, target, page + 8, win), page + 8, 8);
    TOLD(Put(data, page, MPI_BYTE, target, page / 2, page, MPI_BYTE, win), page, page);
    TOLD(Get(result, page, MPI_BYTE, target, page + page / 2, page, MPI_BYTE, win), page, page);
    TOLD(Accumulate(data, page / 8, MPI_INT64_T, target, page / 2, page / 8, MPI_INT64_T, MPI_SUM, win), page,
         page);
    TOLD(Get_accumulate(data, page / 8, MPI_INT64_T, result, page / 8, MPI_INT64_T, target, page, page / 8,
                        MPI_INT64_T, MPI_SUM, win),
         page, page);
    MPI_Datatype apart; /* one block in each part */
    MPI_Type_vector(parts, 16, page, MPI_BYTE, &apart);
    MPI_Type_commit(&apart);
    TOLD(Put(data, 48, MPI_BYTE, target, 32, 1, apart, win), page + 32, 16);
    TOLD(Get(result, 48, MPI_BYTE, target, 32, 1, apart, win), page + 32, 16);
    MPI_Type_free(&apart);
    /* The rest of the window is as it was. */
    const int64_t told = i;
    CHECK(MPI_Put(&told, 1, MPI_INT64_T, target, 0, 1, MPI_INT64_T, win) == MPI_SUCCESS);
    CHECK(MPI_Accumulate(&one, 1, MPI_INT64_T, target, 2 * page, 1, MPI_INT64_T, MPI_SUM, win) ==
          MPI_SUCCESS);
    CHECK(MPI_Win_flush(target, win) == MPI_SUCCESS);
    CHECK(MPI_Get(&old, 1, MPI_INT64_T, target, 2 * page, 1, MPI_INT64_T, win) == MPI_SUCCESS);
    CHECK(MPI_Win_flush(target, win) == MPI_SUCCESS && old >= i + 1);
  }
  CHECK(MPI_Win_unlock(target, win) == MPI_SUCCESS);
}

/* Where the system copies at once: our own memory is missing. */
static void own_buffer(void) {
  char text[MPI_MAX_ERROR_STRING], *none = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int length, class = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  const int code = MPI_Put(none, page, MPI_BYTE, target, 0, page, MPI_BYTE, win);
  MPI_Error_class(code, &class);
  MPI_Error_string(code, text, &length);
  const char* where = strstr(text, "0x");
  if (class != MPI_ERR_BUFFER) fprintf(stderr, "%s\n", text);
  CHECK(class == MPI_ERR_BUFFER && strstr(text, "MPI_Put") && where &&
        strtoul(where, NULL, 16) == (uintptr_t)none);
  MPI_Win_unlock(target, win);
  munmap(none, page);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int by_system = getenv("LOADSTONE_VM") == NULL;
  own = mmap(NULL, parts * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  data = calloc(1, page), result = calloc(1, page);
  const uintptr_t mine = (uintptr_t)own;
  MPI_Win_create(own, parts * page, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_set_name(win, "the field");
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, begins, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  /* Known from then on. */
  MPI_Win_lock_all(0, win);
  int64_t zero = 0;
  MPI_Put(&zero, 1, MPI_INT64_T, target, 0, 1, MPI_INT64_T, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  /* Not given back, so that nothing else comes there. */
  if (rank == target) CHECK(mprotect(own + page, page, PROT_NONE) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != target) access_it(), access_behind_others(); /* the target is in a call */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == target) usleep(200000); /* it is not */
  if (rank == 0 && by_system) own_buffer();
  if (rank != target) access_it();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  MPI_Finalize();
  if (rank == 0) printf("win_missing passed\n");
  return 0;
}
