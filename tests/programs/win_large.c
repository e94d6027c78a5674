/* Windows beyond 2^31 bytes, with counts beyond it through the _c functions, and displacements. Small in memory: all
 * blocks of what is transferred but the last are one block, mapped again and again; so sums tell that each was
 * added once. The last rank is the target of the first. Usage: win_large RANKS */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { block = 2 << 20, numbers = block / 8, repeated = 1024 };
static const MPI_Count bytes = (MPI_Count)(repeated + 1) * block; /* 2^31, and one block */

/* `first` is there `repeated` times, `last` once, behind them. */
struct stretch {
  int64_t *first, *last;
};

static struct stretch map_stretch(void) {
  const int file = memfd_create("win_large", 0);
  CHECK(file >= 0 && ftruncate(file, 2 * block) == 0);
  char* at = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(at != MAP_FAILED);
  for (int i = 0; i <= repeated; ++i)
    CHECK(mmap(at + (size_t)i * block, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
               i < repeated ? 0 : block) != MAP_FAILED);
  close(file);
  return (struct stretch){(int64_t*)at, (int64_t*)(at + (size_t)repeated * block)};
}

static int64_t in_first(int i) {
  return 3 * (int64_t)i + 1;
}
static int64_t in_last(int i) {
  return -7 * (int64_t)i - 5;
}
/* Times these, what the patterns say. */
static void fill(struct stretch s, int64_t first, int64_t last) {
  for (int i = 0; i < numbers; ++i) {
    s.first[i] = first * in_first(i);
    s.last[i] = last * in_last(i);
  }
}
static void expect(const char* what, struct stretch s, int64_t first, int64_t last) {
  for (int i = 0; i < numbers; ++i) {
    if (s.first[i] == first * in_first(i) && s.last[i] == last * in_last(i)) continue;
    fprintf(stderr, "win_large.c: rank %d of %d: %s: number %d is %lld, and in the last block %lld\n", rank,
            size, what, i, (long long)s.first[i], (long long)s.last[i]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static struct stretch own, data, result; /* the target's part; what the first rank sends and gets */
static int target;
static MPI_Win win;

enum call { put, rput, get, rget, accumulate, raccumulate, get_accumulate, rget_accumulate };

/* At the target there is nothing, or (`full`) the pattern, before; `first` and `last` times it afterwards. */
static void transfer(enum call call, const char* what, int full, int64_t first, int64_t last) {
  const MPI_Count count = bytes / 8;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win_fence(0, win);
  if (rank == target) fill(own, full, full);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (rank == 0) {
    fill(data, 1, 1);
    fill(result, 0, 0);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    switch (call) {
      case put:
        MPI_Put_c(data.first, bytes, MPI_BYTE, target, 0, count, MPI_INT64_T, win);
        break;
      case rput:
        MPI_Rput_c(data.first, count, MPI_INT64_T, target, 0, bytes, MPI_BYTE, win, &request);
        break;
      case get:
        MPI_Get_c(result.first, bytes, MPI_BYTE, target, 0, bytes, MPI_BYTE, win);
        break;
      case rget:
        MPI_Rget_c(result.first, count, MPI_INT64_T, target, 0, bytes, MPI_BYTE, win, &request);
        break;
      case accumulate:
        MPI_Accumulate_c(data.first, count, MPI_INT64_T, target, 0, count, MPI_INT64_T, MPI_SUM, win);
        break;
      case raccumulate:
        MPI_Raccumulate_c(data.first, count, MPI_INT64_T, target, 0, count, MPI_INT64_T, MPI_SUM, win,
                          &request);
        break;
      case get_accumulate:
        MPI_Get_accumulate_c(data.first, count, MPI_INT64_T, result.first, count, MPI_INT64_T, target, 0,
                             count, MPI_INT64_T, MPI_SUM, win);
        break;
      default:
        MPI_Rget_accumulate_c(data.first, count, MPI_INT64_T, result.first, count, MPI_INT64_T, target, 0,
                              count, MPI_INT64_T, MPI_SUM, win, &request);
    }
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    if (call == rget) expect(what, result, 1, 1); /* before the epoch ends */
    MPI_Win_unlock(target, win);
    expect("the origin's data", data, 1, 1);
    if (call == get) expect(what, result, 1, 1);
    for (int i = 0; i < numbers && (call == get_accumulate || call == rget_accumulate); ++i)
      CHECK(result.last[i] == full * in_last(i));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == target) expect(what, own, first, last);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Displacements beyond 2^31, and blocks of one type on both sides of it. At the target all is 0 before. */
static void far_away(MPI_Count of_target) {
  const MPI_Aint end = (MPI_Aint)of_target - 32;
  const int64_t one = 1, five = 5, nine = 9, both[2] = {21, 22};
  int64_t old = -1, seen[4] = {-1, -1, -1, -1};
  if (rank == 0) {
    MPI_Datatype apart;
    const MPI_Aint places[2] = {8, end + 24};
    MPI_Type_create_hindexed_block(2, 1, places, MPI_INT64_T, &apart);
    MPI_Type_commit(&apart);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Put(&five, 1, MPI_INT64_T, target, end, 1, MPI_INT64_T, win);
    MPI_Accumulate(&one, 1, MPI_INT64_T, target, end + 8, 1, MPI_INT64_T, MPI_SUM, win);
    MPI_Fetch_and_op(&nine, &old, MPI_INT64_T, target, end + 8, MPI_SUM, win);
    MPI_Win_flush(target, win);
    CHECK(old == 1);
    MPI_Compare_and_swap(&nine, &five, &old, MPI_INT64_T, target, end, win);
    MPI_Put(both, 2, MPI_INT64_T, target, 0, 1, apart, win);
    MPI_Win_flush(target, win);
    CHECK(old == 5);
    MPI_Get(seen, 4, MPI_INT64_T, target, end, 4, MPI_INT64_T, win);
    MPI_Win_flush(target, win);
    CHECK(seen[0] == 9 && seen[1] == 10 && seen[2] == 0 && seen[3] == 22);
    CHECK_FAILS(MPI_Put(&one, 1, MPI_INT64_T, target, end + 32, 1, MPI_INT64_T, win), MPI_ERR_RMA_RANGE);
    CHECK_FAILS(MPI_Get_c(seen, bytes, MPI_BYTE, target, end, bytes, MPI_BYTE, win), MPI_ERR_RMA_RANGE);
    MPI_Get(&old, 1, MPI_INT64_T, target, 8, 1, MPI_INT64_T, win);
    MPI_Win_unlock(target, win);
    CHECK(old == 21);
    MPI_Type_free(&apart);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  target = size - 1;
  if (rank == target) own = map_stretch();
  if (rank == 0) data = map_stretch(), result = map_stretch();
  MPI_Win_create(own.first, rank == target ? bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  /* By messages it takes long: with requests only. */
  if (getenv("LOADSTONE_VM") == NULL) {
    transfer(put, "put", 0, 1, 1);
    transfer(get, "get", 1, 1, 1);
    transfer(accumulate, "accumulate", 0, repeated, 1);
    transfer(get_accumulate, "get_accumulate", 1, 1 + repeated, 2);
  }
  transfer(rput, "rput", 0, 1, 1);
  transfer(rget, "rget", 1, 1, 1);
  transfer(raccumulate, "raccumulate", 0, repeated, 1);
  transfer(rget_accumulate, "rget_accumulate", 1, 1 + repeated, 2);
  MPI_Win_fence(0, win);
  if (rank == target) fill(own, 0, 0);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  far_away(bytes);
  MPI_Win_free(&win);

  /* Memory of the library: of so much, pages that nobody touches take none. */
  char* memory = NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_allocate(rank == target ? bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win) ==
      MPI_SUCCESS) {
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    far_away(bytes);
    MPI_Win_free(&win);
  } else if (rank == 0) {
    printf("win_large: no memory for an allocated window of %lld bytes: left out\n", (long long)bytes);
  }
  MPI_Finalize();
  if (rank == 0) printf("win_large passed\n");
  return 0;
}
